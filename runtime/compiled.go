package runtime

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"

	"github.com/wasmtools/wasmtools/abi"
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

	code      wazero.CompiledModule
	info      Info
	tools     []compiledTool // in the order of the module's description
	context   bool           // the module imports the context of calls
	memoryMax int64          // bytes that an instance may have at most
	globals   []string       // the exports of the globals that are restored
	data      []rewrite.Data // segments that are left out of the code; nil once there is an image
	image     *image

	// The pool guards the rest.
	idle      []*instance
	refilling bool
	gone      bool
}

// compiledTool is what is known of one tool.
type compiledTool struct {
	spec   tool.Spec
	input  *schema.Schema // nil if the tool takes text
	output *schema.Schema // nil if the tool promises nothing
	limits tool.Limits
}

// restorable tells whether instances can be used again.
func (c *compiled) restorable() bool { return len(c.info.Rewriting.Obstacles) == 0 }

// free destroys what is left of a module that nobody uses.
func (r *Runtime) free(c *compiled) {
	r.pool.drain(c)
	if c.image != nil {
		c.image.memory.Close()
	}
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
	c.memoryMax = memoryMax(m, r.opts.Limits)
	code, report, err := r.engine.compile(ctx, bin, r.opts.Load, c.memoryMax)
	switch {
	case ctx.Err() != nil:
		return contextError(ctx)
	case err != nil:
		return compileError(err)
	}
	c.code, c.info.Rewriting = code, newRewriting(report)
	if report.DataCut {
		c.data = report.Data
	}
	for _, g := range report.Globals {
		c.globals = append(c.globals, g.Export)
	}
	c.context = imports(m, abi.ImportContext)
	text, err := r.describe(ctx, c)
	if err != nil {
		return err
	}
	c.data = nil
	c.tools, err = r.readDescription(ctx, m, text)
	return err
}

// memoryMax is how much memory an instance may have, in bytes: what the module says and the limit allows.
func memoryMax(m *wasm.Module, limits tool.Limits) int64 {
	ceiling := memoryCeiling(limits.Memory)
	if own := m.Memories[0].Max; own > 0 {
		ceiling = min(ceiling, pages(own))
	}
	return ceiling
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

// Digest returns the digest by which modules are known, as in sha256:0123.
func Digest(bin []byte) string { return wasm.Digest(bin) }
