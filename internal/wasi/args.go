package wasi

import (
	"context"
	"encoding/binary"
)

func argsGet(_ context.Context, s *State, mem []byte, p []uint64) Errno {
	return putTexts(mem, s.Args, p[0], p[1])
}

func argsSizesGet(_ context.Context, s *State, mem []byte, p []uint64) Errno {
	return putSizes(mem, s.Args, p[0], p[1])
}

func environGet(_ context.Context, s *State, mem []byte, p []uint64) Errno {
	return putTexts(mem, s.Env, p[0], p[1])
}

func environSizesGet(_ context.Context, s *State, mem []byte, p []uint64) Errno {
	return putSizes(mem, s.Env, p[0], p[1])
}

// putTexts writes the texts behind each other to where the parameter to points, each with a NUL, and pointers to them to list.
func putTexts(mem []byte, texts []string, list, to uint64) Errno {
	pointers, ok := view(mem, list, 4*uint64(len(texts)))
	if !ok {
		return EFAULT
	}
	buf, ok := view(mem, to, size(texts))
	if !ok {
		return EFAULT
	}
	at := uint32(to)
	for i, text := range texts {
		binary.LittleEndian.PutUint32(pointers[4*i:], at)
		buf[copy(buf, text)] = 0
		buf = buf[len(text)+1:]
		at += uint32(len(text)) + 1
	}
	return Success
}

func putSizes(mem []byte, texts []string, count, bytes uint64) Errno {
	if _, ok := view(mem, bytes, 4); !ok {
		return EFAULT
	}
	if errno := put32(mem, count, uint32(len(texts))); errno != Success {
		return errno
	}
	return put32(mem, bytes, uint32(size(texts)))
}

// size is what the texts take with a NUL behind each.
func size(texts []string) (n uint64) {
	for _, text := range texts {
		n += uint64(len(text)) + 1
	}
	return n
}
