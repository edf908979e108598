package wasi

import (
	"context"
	"io"
	"time"
)

// State is what one instance has of WASI, and the state of its descriptors. Its zero value grants nothing: what is written is
// discarded, and there are no clocks, no random numbers, no arguments and no environment.
//
// It belongs to the goroutine that runs the guest. Nothing in it is locked while a hook or a writer runs, and each of them may
// panic to end the call.
type State struct {
	// Stdout and Stderr get what the guest writes, in pieces of at most 4 KiB that are parts of its memory. Nil discards.
	// How much a guest may write is for them to bound.
	Stdout, Stderr io.Writer

	// Args and Env are the program's arguments, its name first, and its environment, as in KEY=value. No text holds a NUL.
	Args, Env []string

	// Random is where random numbers come from. An error of it is EIO for the guest.
	Random io.Reader

	// Wall is the time since 1970, Monotonic the time since any moment.
	Wall, Monotonic Clock

	// Sleep returns after d, or when ctx ends. Nil does not wait at all.
	Sleep func(ctx context.Context, d time.Duration)

	// Check is called at least once for every 4 KiB of guest memory that a function handles and for every 64 calls, so that it
	// can end the call by a panic.
	Check func(ctx context.Context)

	// Exit ends the call, by a panic. If it is nil, or if it returns, so does proc_exit.
	Exit func(code uint32)

	files  [3]file
	opened bool // files is set; the zero value has streams too
	worked int  // units since the last Check
}

// Clock is one clock. The zero value is none.
type Clock struct {
	Now        func() int64  // in nanoseconds
	Resolution time.Duration // less than 1 is 1
}

// Reset opens and closes descriptors so that they are as for a new instance. What the host has set stays.
func (s *State) Reset() {
	for i := range s.files {
		s.files[i] = file{stream: stream(i), open: true}
	}
	s.opened, s.worked = true, 0
}

// chunk is how many units are worked between two looks at Check. A unit is a byte of guest memory that is read or written;
// this many take up to some tens of microseconds.
const chunk = 4 << 10

// work counts units that are about to be done. No more than chunk of them are done at a time.
func (s *State) work(ctx context.Context, units int) {
	if s.worked += units; s.worked >= chunk {
		s.check(ctx)
	}
}

func (s *State) check(ctx context.Context) {
	s.worked = 0
	if s.Check != nil {
		s.Check(ctx)
	}
}

func procExit(_ context.Context, s *State, _ []byte, p []uint64) Errno {
	if s.Exit != nil {
		s.Exit(uint32(p[0]))
	}
	return Success
}

func procRaise(context.Context, *State, []byte, []uint64) Errno { return ENOSYS }

// schedYield does nothing: an instance has one thread.
func schedYield(context.Context, *State, []byte, []uint64) Errno { return Success }
