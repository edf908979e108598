package runtime

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/internal/snapshot"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/tool"
)

// Runtime loads modules and runs their tools. Make one with [New], and close it.
type Runtime struct {
	opts   Options
	engine *engine
	gate   *hostfuncs.Gate
	leash  *hostfuncs.Leash
	pool   *pool
	store  *store // nil without a cache

	snapshots *snapshot.System
	blank     *snapshot.Image // of no bytes

	stop context.CancelCauseFunc // ends all calls
	done context.Context         // ended by stop

	mu       sync.Mutex
	closed   bool
	calls    sync.WaitGroup       // calls and loads under way; Add only with mu held and closed false
	modules  map[string]*compiled // by digest
	released chan struct{}        // closed when all is
	fault    error                // of the engine when it was closed; set before released is closed
}

// New returns a Runtime. The context bounds its construction only. The error is tool.Misconfigured for limits that cannot be.
func New(ctx context.Context, o *Options) (*Runtime, error) {
	if err := o.check(); err != nil {
		return nil, tool.Errorf(tool.Misconfigured, "start runtime").WithCause(err)
	}
	opts := o.orDefault()
	var st *store
	if opts.CacheDir != "" {
		var err error
		if st, err = openStore(opts.CacheDir, opts.CacheSize); err != nil {
			return nil, tool.Errorf(tool.Misconfigured, "start runtime").WithCause(err)
		}
	}
	eng, err := newEngine(ctx, st)
	if err != nil {
		return nil, tool.Errorf(tool.Internal, "start runtime").WithCause(err)
	}
	r := &Runtime{
		opts:      opts,
		engine:    eng,
		store:     st,
		leash:     &hostfuncs.Leash{},
		pool:      newPool(runtime.GOMAXPROCS(0), opts.Totals),
		snapshots: snapshot.Probe(),
		modules:   map[string]*compiled{},
		released:  make(chan struct{}),
	}
	if r.blank, err = r.snapshots.NewImage(nil); err != nil {
		return nil, tool.Errorf(tool.Internal, "start runtime").WithCause(err)
	}
	r.gate = hostfuncs.NewGate(&hostfuncs.ApprovalOptions{
		Approver: opts.Approval.Approver, Timeout: opts.Approval.Timeout, OnTimeout: opts.Approval.OnTimeout,
		RequiredRole: opts.Approval.RequiredRole, Leash: r.leash,
	})
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
	var pathErr *os.PathError
	switch {
	case errors.As(err, &pathErr):
		return nil, tool.Errorf(tool.BadModule, "load %q", path).WithCause(pathErr.Err).WithHint("check the path of the module")
	case err != nil:
		return nil, tool.Errorf(tool.BadModule, "load %q", path).WithCause(err)
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
// that lives on its own. Load keeps no reference to bin. If ctx ends first, the module goes on to be prepared for others.
//
// Errors are tool.BadModule, tool.Closed, and tool.Canceled or tool.Timeout for the end of ctx.
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

// share returns the compiled form of bin with one reference more. It is prepared once, for all who wait for it, so the
// context of one of them does not bound it: only its limits and the end of the runtime do.
func (r *Runtime) share(ctx context.Context, name string, bin []byte) (*compiled, error) {
	c, first, err := r.retain(wasm.Digest(bin))
	if err != nil {
		return nil, loadError(name, err)
	}
	if first {
		r.calls.Go(func() { // ends when the module is ready, whoever waits
			r.prepare(r.done, c, bytes.Clone(bin))
			r.release(c) // the reference of its own
		})
	}
	select {
	case <-c.ready:
	default:
		select {
		case <-c.ready:
		case <-ctx.Done():
			r.release(c)
			return nil, contextError(ctx)
		}
	}
	if c.err == nil {
		return c, nil
	}
	r.release(c)
	return nil, loadError(name, c.err)
}

// loadError names the module in err, unless it is not the module's fault.
func loadError(name string, err error) error {
	var known *tool.Error
	if errors.As(err, &known) {
		switch known.Code {
		case tool.BadModule, tool.Trap, tool.LimitExceeded, tool.Timeout:
		default:
			return known
		}
	}
	return tool.Errorf(tool.BadModule, "load %q", name).WithCause(err)
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

// retain returns the compiled module of that digest with one reference more, and whether the caller is to have it prepared:
// there is then one reference for that, too. The error is that there are too many modules.
func (r *Runtime) retain(digest string) (c *compiled, first bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c = r.modules[digest]
	if c == nil {
		if n := int64(len(r.modules)) + 1; tool.Exceeded(r.opts.Totals.Modules, n) {
			return nil, false, tool.Errorf(tool.LimitExceeded, "too many modules are loaded").
				WithCause(&tool.LimitError{Name: tool.LimitModules, Max: r.opts.Totals.Modules, Actual: n}).
				WithHint("close modules that are not needed, or raise the limit in Options.Totals")
		}
		c = &compiled{digest: digest, ready: make(chan struct{})}
		r.modules[digest] = c
		c.refs, first = 1, true
	}
	c.refs++
	return c, first, nil
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
		r.free(c) // it is ready: whoever prepared it had a reference
	}
}

// unlist takes c out of the table, unless another has its place. The caller holds mu.
func (r *Runtime) unlist(c *compiled) {
	if r.modules[c.digest] == c {
		delete(r.modules, c.digest)
	}
}

// freeAll destroys what modules that were not closed still hold, once nothing runs any more.
func (r *Runtime) freeAll() {
	r.mu.Lock()
	modules := slices.Collect(maps.Values(r.modules))
	r.mu.Unlock()
	for _, c := range modules {
		r.free(c)
	}
}

// Close cancels what runs, waits for it, and closes all modules. If ctx ends first, Close returns its error, and the rest is
// released when the last call has ended. Closing again waits for the same.
func (r *Runtime) Close(ctx context.Context) error {
	r.mu.Lock()
	first := !r.closed
	r.closed = true
	r.mu.Unlock()
	if first {
		r.stop(tool.Errorf(tool.Closed, "the runtime was closed"))
		go func() { // ends when the last call has
			r.calls.Wait()
			r.freeAll()
			r.fault = r.engine.close(context.WithoutCancel(ctx))
			if r.store != nil {
				r.fault = errors.Join(r.fault, r.store.close(context.WithoutCancel(ctx)))
			}
			r.blank.Close()
			r.snapshots.Close()
			close(r.released)
		}()
	}
	select {
	case <-r.released:
	case <-ctx.Done():
		e := contextError(ctx)
		return tool.Errorf(e.Code, "close runtime: calls are still running").WithCause(e)
	}
	if r.fault != nil {
		return tool.Errorf(tool.Internal, "close runtime").WithCause(r.fault)
	}
	return nil
}
