package wasi

import (
	"context"
	"encoding/binary"
)

// file is what a descriptor stands for.
type file struct {
	stream stream
	open   bool
	flags  uint16 // append and nonblock: kept for whoever asks, for a stream does both
}

// stream is what is read or written, whatever its descriptor.
type stream uint8

const (
	stdin stream = iota
	stdout
	stderr
)

// Parts of fdstat and filestat.
const (
	characterDevice = 2

	flagAppend   = 1 << 0
	flagNonblock = 1 << 2

	rightRead  = 1 << 1
	rightWrite = 1 << 6

	// What every stream can do: fd_datasync, fd_fdstat_set_flags, fd_sync, fd_advise, fd_filestat_get, poll_oneoff. libc takes a
	// character device for a terminal only if it lacks the rights to seek and tell.
	rightsOfStreams = 1<<0 | 1<<3 | 1<<4 | 1<<7 | 1<<21 | 1<<27
)

// file returns what the descriptor that is the parameter p stands for, or nil if it is not open.
func (s *State) file(p uint64) *file {
	if !s.opened {
		s.Reset()
	}
	if fd := uint32(p); fd < uint32(len(s.files)) && s.files[fd].open {
		return &s.files[fd]
	}
	return nil
}

func fdAdvise(_ context.Context, s *State, _ []byte, p []uint64) Errno {
	switch {
	case s.file(p[0]) == nil:
		return EBADF
	case uint32(p[3]) > 5:
		return EINVAL
	}
	return Success
}

func fdClose(_ context.Context, s *State, _ []byte, p []uint64) Errno {
	f := s.file(p[0])
	if f == nil {
		return EBADF
	}
	f.open = false
	return Success
}

// fdRenumber moves a descriptor. A number beyond the table is EBADF, as it is for dup2.
func fdRenumber(_ context.Context, s *State, _ []byte, p []uint64) Errno {
	from, to := s.file(p[0]), uint32(p[1])
	if from == nil || to >= uint32(len(s.files)) {
		return EBADF
	}
	moved := *from
	from.open = false
	s.files[to] = moved
	return Success
}

func fdFdstatGet(_ context.Context, s *State, mem []byte, p []uint64) Errno {
	f := s.file(p[0])
	if f == nil {
		return EBADF
	}
	b, ok := view(mem, p[1], 24)
	if !ok {
		return EFAULT
	}
	rights := uint64(rightsOfStreams | rightWrite)
	if f.stream == stdin {
		rights = rightsOfStreams | rightRead
	}
	clear(b)
	b[0] = characterDevice
	binary.LittleEndian.PutUint16(b[2:], f.flags)
	binary.LittleEndian.PutUint64(b[8:], rights)
	return Success // nothing is inherited: nothing can be opened
}

func fdFdstatSetFlags(_ context.Context, s *State, _ []byte, p []uint64) Errno {
	f, flags := s.file(p[0]), uint32(p[1])
	switch {
	case f == nil:
		return EBADF
	case flags&^(flagAppend|flagNonblock) != 0: // the others ask for a disk
		return EINVAL
	}
	f.flags = uint16(flags)
	return Success
}

func fdFilestatGet(_ context.Context, s *State, mem []byte, p []uint64) Errno {
	f := s.file(p[0])
	if f == nil {
		return EBADF
	}
	b, ok := view(mem, p[1], 64)
	if !ok {
		return EFAULT
	}
	clear(b)
	binary.LittleEndian.PutUint64(b[8:], uint64(f.stream)) // the inode: two streams are not the same file
	b[16] = characterDevice
	b[24] = 1 // link
	return Success
}
