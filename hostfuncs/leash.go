package hostfuncs

import (
	"context"
	"errors"
	"sync/atomic"
)

// Leash runs what may block for longer than a call may take: a logger, an approver. It leaves behind what does not come back
// in time, and counts it. The zero value is ready; it is safe for concurrent use. All calls of a runtime share one.
type Leash struct {
	abandoned atomic.Int64
	late      atomic.Int64
}

// ErrAbandoned is returned by [Leash.Do] for a function that was left behind.
var ErrAbandoned = errors.New("the host function did not come back in time")

// errExited is the error of a function that called runtime.Goexit.
var errExited = errors.New("the host function ended its goroutine")

// Abandoned returns how many functions that were left behind have not come back yet. Each holds a goroutine.
func (l *Leash) Abandoned() int64 { return l.abandoned.Load() }

// Late returns how many functions came back after they were left behind. What they returned was dropped.
func (l *Leash) Late() int64 { return l.late.Load() }

// Do runs f in a goroutine of its own and returns its error. If ctx ends first it returns [ErrAbandoned], and f goes on alone:
// it must use nothing that its caller uses from then on. If f panics in time, so does Do, in the caller's goroutine.
func (l *Leash) Do(ctx context.Context, f func(ctx context.Context) error) error {
	r := &run{leash: l, done: make(chan struct{})}
	go r.do(ctx, f)
	select {
	case <-r.done:
	case <-ctx.Done():
		if r.leave() {
			return ErrAbandoned
		}
		<-r.done // it came back at the last moment
	}
	if r.panicked != nil {
		panic(r.panicked)
	}
	return r.err
}

// run is one function on a leash.
type run struct {
	leash    *Leash
	state    atomic.Int32  // whoever changes it first decides whether the function came back in time
	done     chan struct{} // closed when it has; then the fields below do not change any more
	err      error
	panicked any
}

const (
	running int32 = iota
	back
	left
)

// do ends when f does.
func (r *run) do(ctx context.Context, f func(ctx context.Context) error) {
	err, panicked := errExited, any(nil)
	defer func() {
		if panicked = recover(); !r.state.CompareAndSwap(running, back) {
			r.leash.abandoned.Add(-1)
			r.leash.late.Add(1)
			return
		}
		r.err, r.panicked = err, panicked
		close(r.done)
	}()
	err = f(ctx)
}

// leave reports whether the function is left behind, and not back already.
func (r *run) leave() bool {
	r.leash.abandoned.Add(1)
	if r.state.CompareAndSwap(running, left) {
		return true
	}
	r.leash.abandoned.Add(-1)
	return false
}
