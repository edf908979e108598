package runtime

import (
	"context"
	"sync"
	"time"

	"github.com/wasmtools/wasmtools/tool"
)

// clock is the context of one call. It ends with its caller's context, with the runtime, and when the call has used up its
// time, and it stands still while an approver is asked.
//
// Nothing runs for it until somebody waits for its end: a guest that only computes has neither a timer nor a goroutine beside
// it. Err is up to date all the same.
type clock struct {
	caller  context.Context
	closing context.Context // ends with the runtime
	state   *callState      // what host functions find; set before a guest runs

	mu      sync.Mutex
	limit   time.Duration // negative is none
	started time.Time     // of the current run; zero while it stands still
	stopped time.Time
	ran     time.Duration
	waited  time.Duration
	over    bool // released
	ending  *ending
}

var _ context.Context = (*clock)(nil)

// ending is what there is once somebody waits for the end of a clock.
type ending struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	unlink func() bool
	timer  *time.Timer // nil while the clock stands still, or without a limit
}

// newClock returns a clock that stands still and has no limit.
func newClock(caller, closing context.Context) *clock {
	c := &clock{}
	c.init(caller, closing)
	return c
}

func (c *clock) init(caller, closing context.Context) {
	c.caller, c.closing, c.limit = caller, closing, tool.Unlimited
}

// start lets the clock run, up to a limit.
func (c *clock) start(limit time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = limit
	c.run()
}

// run starts or goes on. The caller holds mu.
func (c *clock) run() {
	c.started = time.Now()
	c.arm()
}

// arm sets the timer if there has to be one. The caller holds mu.
func (c *clock) arm() {
	if c.ending == nil || c.limit < 0 || c.started.IsZero() {
		return
	}
	limit, cancel := c.limit, c.ending.cancel
	c.ending.timer = time.AfterFunc(c.limit-c.used(), func() { cancel(timeLimit(limit)) })
}

// used is the time that was used up to now. The caller holds mu.
func (c *clock) used() time.Duration {
	if c.started.IsZero() {
		return c.ran
	}
	return c.ran + time.Since(c.started)
}

// halt stops. The caller holds mu.
func (c *clock) halt() {
	if c.ending != nil && c.ending.timer != nil {
		c.ending.timer.Stop()
		c.ending.timer = nil
	}
	if !c.started.IsZero() {
		c.ran, c.started = c.used(), time.Time{}
	}
	c.stopped = time.Now()
}

// pause stops the clock until the returned function is called.
func (c *clock) pause() (resume func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.halt()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.waited += time.Since(c.stopped)
		c.run()
	}
}

// times returns the time that was used and the time spent paused.
func (c *clock) times() (ran, waited time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used(), c.waited
}

// now returns the time that was used.
func (c *clock) now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used()
}

// release ends the context for good and frees what it holds.
func (c *clock) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.halt()
	c.over = true
	if c.ending != nil {
		c.ending.unlink()
		c.ending.cancel(nil)
	}
}

// cause says as a *tool.Error why the clock has ended, or returns nil.
func (c *clock) cause() *tool.Error {
	switch {
	case c.caller.Err() != nil:
		return contextError(c.caller)
	case c.closing.Err() != nil:
		return contextError(c.closing)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.limit >= 0 && c.used() >= c.limit {
		return timeLimit(c.limit)
	}
	return nil
}

// Err is not nil once the clock has ended.
func (c *clock) Err() error {
	if err := c.caller.Err(); err != nil {
		return err
	}
	if err := c.closing.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.limit >= 0 && c.used() >= c.limit:
		return context.DeadlineExceeded
	case c.over:
		return context.Canceled
	}
	return nil
}

// Done is closed when the clock ends.
func (c *clock) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending == nil {
		e := &ending{}
		e.ctx, e.cancel = context.WithCancelCause(c.caller)
		e.unlink = context.AfterFunc(c.closing, func() { e.cancel(context.Cause(c.closing)) })
		c.ending = e
		c.arm()
		if c.over {
			e.unlink()
			e.cancel(nil)
		}
	}
	return c.ending.ctx.Done()
}

// Deadline is the caller's: the clock's own moves while it stands still.
func (c *clock) Deadline() (time.Time, bool) { return c.caller.Deadline() }

// Value is the caller's, and the state for the host functions.
func (c *clock) Value(key any) any {
	if key == (stateKey{}) {
		return c.state
	}
	c.mu.Lock()
	e := c.ending
	c.mu.Unlock()
	if e != nil {
		return e.ctx.Value(key) // with which contexts made from this one find it
	}
	return c.caller.Value(key)
}

func timeLimit(limit time.Duration) *tool.Error {
	return tool.Errorf(tool.Timeout, "the tool took too long").
		WithCause(&tool.LimitError{Name: tool.LimitTime, Max: int64(limit)}).
		WithHint("raise the time limit, or give the tool less to do")
}

// contextError says as a *tool.Error why ctx ended.
func contextError(ctx context.Context) *tool.Error {
	if c, ok := ctx.(*clock); ok {
		if err := c.cause(); err != nil {
			return err
		}
	}
	cause := context.Cause(ctx)
	if e, ok := cause.(*tool.Error); ok {
		return e
	}
	if ctx.Err() == context.DeadlineExceeded {
		return tool.Errorf(tool.Timeout, "the caller's deadline was reached").WithCause(cause)
	}
	return tool.Errorf(tool.Canceled, "the call was cancelled").WithCause(cause)
}
