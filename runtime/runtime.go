package runtime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/tool"
)

// Runtime loads modules and runs their tools. Make one with [New], and close it.
type Runtime struct {
	opts   Options
	engine *engine
	gate   *hostfuncs.Gate

	stop context.CancelCauseFunc // ends all calls
	done context.Context         // ended by stop

	mu      sync.Mutex
	closed  bool
	calls   sync.WaitGroup       // calls and loads under way; Add only with mu held and closed false
	modules map[string]*compiled // by digest
}

// New returns a Runtime. The context bounds its construction only.
func New(ctx context.Context, o *Options) (*Runtime, error) {
	opts := o.orDefault()
	eng, err := newEngine(ctx)
	if err != nil {
		return nil, tool.Errorf(tool.Internal, "start runtime").WithCause(err)
	}
	r := &Runtime{
		opts:    opts,
		engine:  eng,
		gate:    hostfuncs.NewGate((*hostfuncs.ApprovalOptions)(&opts.Approval)),
		modules: map[string]*compiled{},
	}
	r.done, r.stop = context.WithCancelCause(context.Background())
	return r, nil
}

// LoadFile loads the module in the file at path; see [Runtime.Load]. The module is named after the file.
func (r *Runtime) LoadFile(ctx context.Context, path string) (*Module, error) {
	bin, err := readModule(path, r.opts.Load.Module)
	if err != nil {
		return nil, err
	}
	return r.Load(ctx, filepath.Base(path), bin)
}

func readModule(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, tool.Errorf(tool.BadModule, "load %q", path).WithCause(err).WithHint("check the path of the module")
	case !info.Mode().IsRegular():
		return nil, tool.Errorf(tool.BadModule, "load %q: not a regular file", path)
	case tool.Exceeded(limit, info.Size()):
		return nil, moduleTooLarge(path, limit, info.Size())
	}
	bin, err := os.ReadFile(path)
	if err != nil {
		return nil, tool.Errorf(tool.BadModule, "load %q", path).WithCause(err)
	}
	return bin, nil
}

func moduleTooLarge(name string, limit, size int64) *tool.Error {
	return tool.Errorf(tool.BadModule, "load %q", name).
		WithCause(&tool.LimitError{Name: tool.LimitModule, Max: limit, Actual: size})
}

// Load compiles the module bin, checks it, and asks it for its tools. The name appears in errors and need not be unique.
//
// A module is compiled and described once per digest: loading the same bytes again is cheap and gives another Module
// that lives on its own. Load keeps no reference to bin.
//
// Errors are tool.BadModule, tool.Closed, or those of ctx.
func (r *Runtime) Load(ctx context.Context, name string, bin []byte) (*Module, error) {
	if size := int64(len(bin)); tool.Exceeded(r.opts.Load.Module, size) {
		return nil, moduleTooLarge(name, r.opts.Load.Module, size)
	}
	if err := r.begin(); err != nil {
		return nil, err
	}
	defer r.calls.Done()

	c, err := r.share(ctx, name, bin)
	if err != nil {
		return nil, err
	}
	return newModule(r, c, name), nil
}

// share returns the compiled form of bin with one reference more. Whoever comes first prepares it; the others wait.
func (r *Runtime) share(ctx context.Context, name string, bin []byte) (*compiled, error) {
	digest := wasm.Digest(bin)
	for {
		c, first := r.retain(digest)
		if first {
			c.err = r.prepare(ctx, c, name, bin)
			if c.err != nil {
				r.forget(c)
			}
			close(c.ready)
		}
		select {
		case <-c.ready:
		case <-ctx.Done():
			r.release(c)
			return nil, contextError(ctx)
		}
		if c.err == nil {
			return c, nil
		}
		r.release(c)
		gaveUp := errors.Is(c.err, context.Canceled) || errors.Is(c.err, context.DeadlineExceeded)
		if first || !gaveUp {
			return nil, c.err
		}
		// Another caller's context ended while it prepared the module for us, too.
	}
}

// begin registers a piece of work that Close waits for.
func (r *Runtime) begin() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return tool.Errorf(tool.Closed, "the runtime is closed")
	}
	r.calls.Add(1)
	return nil
}

// retain returns the compiled module of that digest with one reference more, and whether the caller is to prepare it.
func (r *Runtime) retain(digest string) (c *compiled, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c = r.modules[digest]
	if c == nil {
		c = &compiled{digest: digest, ready: make(chan struct{})}
		r.modules[digest] = c
		first = true
	}
	c.refs++
	return c, first
}

// forget lets the next Load of the same module try again.
func (r *Runtime) forget(c *compiled) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unlist(c)
}

// release gives one reference back. The last one frees the code.
func (r *Runtime) release(c *compiled) {
	r.mu.Lock()
	c.refs--
	last := c.refs == 0
	if last {
		r.unlist(c)
	}
	r.mu.Unlock()
	if last {
		<-c.ready
		c.close()
	}
}

// unlist takes c out of the table, unless another has its place. The caller holds mu.
func (r *Runtime) unlist(c *compiled) {
	if r.modules[c.digest] == c {
		delete(r.modules, c.digest)
	}
}

// Close cancels what runs, waits for it, and closes all modules. If ctx ends first, Close returns its error and the rest
// is released when the last call has ended.
func (r *Runtime) Close(ctx context.Context) error {
	r.mu.Lock()
	first := !r.closed
	r.closed = true
	r.mu.Unlock()
	if !first {
		return nil
	}
	r.stop(tool.Errorf(tool.Closed, "the runtime was closed"))

	idle := make(chan error, 1)
	go func() { // ends when the last call has
		r.calls.Wait()
		idle <- r.engine.close(context.WithoutCancel(ctx))
	}()
	select {
	case err := <-idle:
		if err != nil {
			return tool.Errorf(tool.Internal, "close runtime").WithCause(err)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close runtime: calls are still running: %w", context.Cause(ctx))
	}
}
