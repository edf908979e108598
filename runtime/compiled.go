package runtime

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tetratelabs/wazero"

	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/schema"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/tool"
)

// compiled is a module ready to be instantiated, shared by all Modules with the same digest. Its fields but refs do not
// change once ready is closed.
type compiled struct {
	digest string
	refs   int // guarded by Runtime.mu
	ready  chan struct{}
	err    error

	code  wazero.CompiledModule
	info  Info
	tools []compiledTool // in the order of the module's description
}

// compiledTool is what is known of one tool.
type compiledTool struct {
	spec   tool.Spec
	input  *schema.Schema // nil if the tool takes text
	output *schema.Schema // nil if the tool promises nothing
	limits tool.Limits
}

// close frees the machine code. Nil is fine: the module did not compile.
func (c *compiled) close() {
	if c.code != nil {
		c.code.Close(context.Background())
	}
}

// prepare fills c in and says that it is ready.
func (r *Runtime) prepare(ctx context.Context, c *compiled, bin []byte) {
	defer close(c.ready)
	defer func() {
		if p := recover(); p != nil {
			c.err = tool.Errorf(tool.Internal, "preparing a module failed").WithCause(fmt.Errorf("panic: %v", p))
		}
		if c.err != nil {
			r.forget(c)
		}
	}()
	c.err = r.prepareSteps(ctx, c, bin)
}

func (r *Runtime) prepareSteps(ctx context.Context, c *compiled, bin []byte) error {
	m, err := outline(bin)
	if err != nil {
		return err
	}
	c.info = newInfo(c.digest, len(bin), m)
	if err := checkModule(m, r.engine.wasi, r.opts.Limits); err != nil {
		return err
	}
	var report *rewrite.Report
	c.code, report, err = r.engine.compile(ctx, bin, r.opts.Load)
	switch {
	case ctx.Err() != nil:
		return contextError(ctx)
	case err != nil:
		return compileError(err)
	}
	c.info.Rewriting = newRewriting(report)
	text, err := r.describe(ctx, c)
	if err != nil {
		return err
	}
	c.tools, err = r.readDescription(ctx, m, text)
	return err
}

// compileError says why a module does not become machine code.
func compileError(err error) error {
	var over *rewrite.LimitError
	var limit *tool.LimitError
	switch {
	case errors.As(err, &over):
		limit = &tool.LimitError{Name: limitName(over), Max: int64(over.Limit), Actual: int64(over.Actual)}
		return refused("if it is to be trusted, raise the limit in Options.Load", "has too many %s", over.What).WithCause(limit)
	case errors.As(err, &limit):
		return refused("if it is to be trusted, raise the limit in Options.Load", "takes too long to compile").WithCause(limit)
	}
	return refused("the file is damaged, or uses a feature that is not supported", "does not compile").WithCause(err)
}

func limitName(e *rewrite.LimitError) tool.LimitName {
	switch e.What {
	case "functions":
		return tool.LimitFunctions
	case "bytes of code":
		return tool.LimitCode
	}
	return tool.LimitComplexity
}

// run instantiates c, gives the instance to use, and throws it away. The time limit is s.limits.Time.
func (r *Runtime) run(ctx context.Context, c *compiled, s *callState, use func(ctx context.Context, inst *instance) (int32, error)) (int32, tool.Stats, error) {
	if err := r.totals.acquire(ctx); err != nil {
		return 0, tool.Stats{}, err
	}
	defer r.totals.release()
	if !s.memory.reserve(c.info.MemoryMin) {
		return 0, tool.Stats{}, outOfMemory(s.memory.refused)
	}
	defer s.memory.release()
	ctx, clk := startClock(ctx, s.limits.Time)
	s.clock = clk
	var fuel int64

	status, err := func() (int32, error) {
		inst, err := r.engine.instantiate(ctx, c, s)
		if err != nil {
			return 0, err
		}
		defer inst.close()
		defer func() { fuel = s.used(inst.fuel()) }()
		return use(ctx, inst)
	}()
	if err == nil {
		err = ctx.Err() // a guest that was asleep at its deadline wakes up and may get to its end
	}
	if err != nil {
		err = guestError(ctx, s, err)
	}
	stats := tool.Stats{Fuel: fuel, HostCalls: s.hostCalls, Memory: s.memory.peak}
	s.closeLog(ctx)
	stats.Duration, stats.Waited = clk.release()
	stats.LogDropped = s.log.Dropped()
	return status, stats, err
}

// lastWords is how long a logger may take for a guest's last lines when the call has no time left.
const lastWords = 2 * time.Millisecond

// closeLog logs what the guest left unfinished.
func (s *callState) closeLog(ctx context.Context) {
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), lastWords)
		defer cancel()
	}
	s.log.Close(ctx)
}

func (r *Runtime) newState(limits tool.Limits, log *hostfuncs.Log) *callState {
	return &callState{limits: limits, log: log, memory: &memoryLimit{max: limits.Memory, totals: r.totals}}
}

// Digest returns the digest by which modules are known, as in sha256:0123.
func Digest(bin []byte) string { return wasm.Digest(bin) }
