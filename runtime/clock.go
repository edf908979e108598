package runtime

import (
	"context"
	"sync"
	"time"

	"github.com/wasmtools/wasmtools/tool"
)

// clock holds a call to its time limit. It stands still while an approver is asked.
type clock struct {
	limit  time.Duration // negative is none
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	timer   *time.Timer // nil while stopped, or without a limit
	started time.Time   // of the current run; zero while stopped
	ran     time.Duration
	waited  time.Duration
	stopped time.Time
}

// startClock returns a context that ends when the limit is reached, when parent ends, or when release is called. Its cause
// is then a *tool.Error, or parent's cause.
func startClock(parent context.Context, limit time.Duration) (ctx context.Context, c *clock) {
	c = &clock{limit: limit}
	ctx, c.cancel = context.WithCancelCause(parent)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run()
	return ctx, c
}

// run starts or goes on. The caller holds mu.
func (c *clock) run() {
	c.started = time.Now()
	if c.limit >= 0 {
		c.timer = time.AfterFunc(c.limit-c.ran, func() { c.cancel(timeLimit(c.limit)) })
	}
}

// halt stops. The caller holds mu.
func (c *clock) halt() {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	c.stopped = time.Now()
	c.ran += c.stopped.Sub(c.started)
}

// expired reports whether the limit is reached. The timer says so too, but only when a processor is free to run it.
func (c *clock) expired() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.limit >= 0 && c.ran+time.Since(c.started) >= c.limit
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

// release stops the clock for good, frees the context, and returns the time that was used and the time spent paused.
func (c *clock) release() (ran, waited time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.halt()
	c.cancel(nil)
	return c.ran, c.waited
}

func timeLimit(limit time.Duration) *tool.Error {
	return tool.Errorf(tool.Timeout, "the tool took too long").
		WithCause(&tool.LimitError{Name: tool.LimitTime, Max: int64(limit)}).
		WithHint("raise the time limit, or give the tool less to do")
}

// contextError says as a *tool.Error why ctx ended.
func contextError(ctx context.Context) *tool.Error {
	cause := context.Cause(ctx)
	if e, ok := cause.(*tool.Error); ok {
		return e
	}
	if ctx.Err() == context.DeadlineExceeded {
		return tool.Errorf(tool.Timeout, "the caller's deadline was reached").WithCause(cause)
	}
	return tool.Errorf(tool.Canceled, "the call was cancelled").WithCause(cause)
}
