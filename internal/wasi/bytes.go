package wasi

import (
	"context"
	"encoding/binary"
	"io"
	"math"
)

// vector is the size of an iovec: a pointer and a length.
const vector = 8

// vectors returns an array of iovecs. All its buffers lie within memory, and their lengths add up to a size.
func (s *State) vectors(ctx context.Context, mem []byte, p, count uint64) ([]byte, Errno) {
	vectors, ok := view(mem, p, vector*uint64(uint32(count)))
	if !ok {
		return nil, EFAULT
	}
	total := uint64(0)
	for v := vectors; len(v) > 0; v = v[vector:] {
		s.work(ctx, vector)
		b, ok := buffer(mem, v)
		if !ok {
			return nil, EFAULT
		}
		if total += uint64(len(b)); total > math.MaxUint32 {
			return nil, EINVAL
		}
	}
	return vectors, Success
}

// buffer returns what the first of the vectors points to. An empty one may point anywhere.
func buffer(mem []byte, v []byte) ([]byte, bool) {
	n := binary.LittleEndian.Uint32(v[4:])
	if n == 0 {
		return nil, true
	}
	return view(mem, uint64(binary.LittleEndian.Uint32(v)), uint64(n))
}

// fdRead finds standard input at its end.
func fdRead(ctx context.Context, s *State, mem []byte, p []uint64) Errno {
	if f := s.file(p[0]); f == nil || f.stream != stdin {
		return EBADF
	}
	if _, errno := s.vectors(ctx, mem, p[1], p[2]); errno != Success {
		return errno
	}
	return put32(mem, p[3], 0)
}

// fdWrite looks at all pointers before anything is written, so that an error means that nothing was.
func fdWrite(ctx context.Context, s *State, mem []byte, p []uint64) Errno {
	f := s.file(p[0])
	if f == nil || f.stream == stdin {
		return EBADF
	}
	vectors, errno := s.vectors(ctx, mem, p[1], p[2])
	if errno != Success {
		return errno
	}
	if _, ok := view(mem, p[3], 4); !ok {
		return EFAULT
	}
	w := s.Stdout
	if f.stream == stderr {
		w = s.Stderr
	}
	written := 0
	for v := vectors; len(v) > 0; v = v[vector:] {
		s.work(ctx, vector)
		b, _ := buffer(mem, v)
		if err := s.write(ctx, w, b); err != nil {
			return EIO
		}
		written += len(b)
	}
	return put32(mem, p[3], uint32(written))
}

func (s *State) write(ctx context.Context, w io.Writer, b []byte) error {
	for len(b) > 0 && w != nil {
		part := b[:min(len(b), chunk)]
		s.work(ctx, len(part))
		if _, err := w.Write(part); err != nil {
			return err
		}
		b = b[len(part):]
	}
	return nil
}

func randomGet(ctx context.Context, s *State, mem []byte, p []uint64) Errno {
	if s.Random == nil {
		return ENOTSUP
	}
	b, ok := view(mem, p[0], uint64(uint32(p[1])))
	if !ok {
		return EFAULT
	}
	for len(b) > 0 {
		part := b[:min(len(b), chunk)]
		s.work(ctx, len(part))
		if _, err := io.ReadFull(s.Random, part); err != nil {
			return EIO
		}
		b = b[len(part):]
	}
	return Success
}
