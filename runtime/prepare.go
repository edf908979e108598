package runtime

import (
	"context"
	"errors"
	"math"

	"github.com/tetratelabs/wazero"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/tool"
)

// prepareSteps makes c ready for calls: checked, compiled, with a snapshot, and with its tools.
func (r *Runtime) prepareSteps(ctx context.Context, c *compiled, bin []byte) error {
	m, err := outline(bin)
	if err != nil {
		return err
	}
	c.info = newInfo(c.digest, len(bin), m)
	if err := checkModule(m, r.engine.wasi, r.opts.Limits, r.opts.Load); err != nil {
		return err
	}
	c.memoryOwn, c.context = memoryOwn(m), imports(m, abi.ImportContext)
	c.memoryMax = min(memoryCeiling(r.opts.Limits.Memory), c.memoryOwn)

	text, err := r.recall(ctx, c)
	if errors.Is(err, errNotStored) {
		text, err = r.make(ctx, c, bin)
	}
	if err != nil {
		return err
	}
	c.data = nil
	c.tools, err = r.readDescription(ctx, m, text)
	return err
}

var (
	errNotStored = errors.New("the module is not in the cache")
	errWrongCode = errors.New("the module runs with code that is not its own")
)

// recall takes what it can from the cache on disk, and returns the description. What is of no use there is dropped.
func (r *Runtime) recall(ctx context.Context, c *compiled) ([]byte, error) {
	if r.store == nil {
		return nil, errNotStored
	}
	key := r.storeKey(c)
	kept := r.store.get(key)
	if kept == nil {
		return nil, errNotStored
	}
	err := r.adopt(ctx, c, kept)
	if err == nil {
		last := &boot{runtime: r, warmUps: kept.meta.WarmUps, capture: true, described: true}
		_, err = last.describe(ctx, c)
	}
	switch {
	case err == nil:
		return []byte(kept.meta.Description), nil
	case ctx.Err() != nil:
		return nil, contextError(ctx)
	}
	r.store.drop(key)
	r.unmake(c)
	return nil, errNotStored // if it is the module's fault, it comes up again
}

func (r *Runtime) storeKey(c *compiled) string {
	return r.store.key(c.digest, r.opts.Load.Table)
}

// adopt takes over what was kept.
func (r *Runtime) adopt(ctx context.Context, c *compiled, kept *stored) (err error) {
	rewriting := kept.meta.Rewriting
	c.info.Rewriting, c.globals = &rewriting, kept.meta.Globals
	if c.data, err = kept.segments(); err != nil {
		return err
	}
	c.code, err = r.store.load(ctx, r.engine.wazero, kept)
	return err
}

// make rewrites and compiles the module, and asks it for its description. What took long is kept for others.
func (r *Runtime) make(ctx context.Context, c *compiled, bin []byte) ([]byte, error) {
	rewritten, report, err := rewrite.Rewrite(bin, r.rewriting())
	if err != nil {
		return nil, compileError(err)
	}
	c.info.Rewriting = newRewriting(report)
	if report.DataCut {
		c.data = report.Data
	}
	for _, g := range report.Globals {
		c.globals = append(c.globals, g.Export)
	}
	kept, err := r.compile(ctx, c, rewritten)
	if err != nil {
		return nil, err
	}
	text, warmUps, err := r.describe(ctx, c)
	if kept == nil || err != nil && !errors.Is(err, errWrongCode) {
		return text, err
	}
	if err != nil { // the cache failed us
		r.unmake(c)
		if c.code, err = r.compileTimed(ctx, rewritten); err != nil {
			return nil, err
		}
		text, _, err = r.describe(ctx, c)
		return text, err
	}
	kept.setData(c.data)
	kept.meta.Rewriting, kept.meta.Globals = *c.info.Rewriting, c.globals
	kept.meta.Description, kept.meta.WarmUps = string(text), warmUps
	_ = r.store.put(r.storeKey(c), kept) // the next one compiles, too
	return text, nil
}

// rewriting says how modules are rewritten.
func (r *Runtime) rewriting() *rewrite.Options {
	limits := r.opts.Load
	return &rewrite.Options{
		MemoryMax: maxPages + 1, TableMax: tableMax(limits.Table), ExportStart: true, CutData: true,
		Limits: &rewrite.Limits{Module: rewrite.Unlimited, Functions: int(limits.Functions), Code: int(limits.Code)},
	}
}

// tableMax is the limit as the rewriter takes it: zero would be none.
func tableMax(limit int64) uint32 {
	if limit < 0 {
		return math.MaxUint32
	}
	return uint32(min(limit, math.MaxUint32))
}

// unmake forgets an attempt.
func (r *Runtime) unmake(c *compiled) {
	if c.image != nil {
		c.image.memory.Close()
	}
	if c.code != nil {
		c.code.Close(context.Background())
	}
	c.image, c.code = nil, nil
}

// compile sets the machine code. What it returns is for the cache, if there is one.
func (r *Runtime) compile(ctx context.Context, c *compiled, rewritten []byte) (*stored, error) {
	if r.store != nil {
		timed, done := r.compileTime(ctx)
		kept, err := r.store.compile(timed, rewritten, r.engine.config)
		done()
		if err == nil {
			if c.code, err = r.store.load(ctx, r.engine.wazero, kept); err == nil {
				return kept, nil
			}
		}
		if failure := compileFailure(ctx, err); failure != nil {
			return nil, failure
		}
	}
	var err error
	c.code, err = r.compileTimed(ctx, rewritten)
	return nil, err
}

// compileFailure returns the error of a compilation that there is no use in trying again.
func compileFailure(ctx context.Context, err error) error {
	var limit *tool.LimitError
	switch {
	case ctx.Err() != nil:
		return contextError(ctx)
	case errors.As(err, &limit):
		return compileError(err)
	}
	return nil
}

// compileTimed compiles within the time limit.
func (r *Runtime) compileTimed(ctx context.Context, rewritten []byte) (code wazero.CompiledModule, err error) {
	timed, done := r.compileTime(ctx)
	defer done()
	code, err = compileModule(timed, r.engine.wazero, rewritten)
	switch {
	case ctx.Err() != nil:
		return nil, contextError(ctx)
	case err != nil:
		return nil, compileError(err)
	}
	return code, nil
}

func (r *Runtime) compileTime(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := r.opts.Load.Compile
	if limit < 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, limit, &tool.LimitError{Name: tool.LimitCompile, Max: int64(limit)})
}

// compileError says why a module does not become machine code.
func compileError(err error) error {
	var over *rewrite.LimitError
	var limit *tool.LimitError
	switch {
	case errors.As(err, &over):
		limit = &tool.LimitError{Name: limitName(over), Max: int64(over.Limit), Actual: int64(over.Actual)}
		return refused("if it is to be trusted, raise the limit in Options.Load", "is too large or too complex: %s", over.What).WithCause(limit)
	case errors.As(err, &limit):
		return refused("if it is to be trusted, raise the limit in Options.Load", "takes too long to compile").WithCause(limit)
	}
	return refused("the file is damaged, or uses a feature that is not supported", "does not compile").WithCause(err)
}

// limitName says which of the limits that there are names for a module is over.
func limitName(e *rewrite.LimitError) tool.LimitName {
	switch e.What {
	case rewrite.WhatModule:
		return tool.LimitModule
	case rewrite.WhatFunctions:
		return tool.LimitFunctions
	case rewrite.WhatCode, rewrite.WhatRewritten:
		return tool.LimitCode
	case rewrite.WhatTables, rewrite.WhatTableMax:
		return tool.LimitTable
	}
	return tool.LimitComplexity
}
