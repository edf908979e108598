package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"time"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/internal/printable"
	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/schema"
	"github.com/wasmtools/wasmtools/internal/strictjson"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/tool"
)

// describe prepares the snapshot that calls begin with, and asks the module for its description. It does so with two new
// instances: a module that does not say the same thing twice is not to be trusted.
func (r *Runtime) describe(ctx context.Context, c *compiled) (text []byte, warmUps int, err error) {
	first := &boot{runtime: r, warmUps: unknown}
	text, err = first.describe(ctx, c)
	if errors.Is(err, errColdOnly) {
		log := hostfuncs.NewLog(hostfuncs.LogOptions{Logger: r.opts.Logger, Module: c.digest, Leash: r.leash})
		log.Host(ctx, slog.LevelWarn, "the warm-up crashes, so the module is used without it")
		first = &boot{runtime: r}
		text, err = first.describe(ctx, c)
	}
	if err != nil {
		return nil, 0, err
	}
	last := &boot{runtime: r, warmUps: first.warmUps, capture: true}
	again, err := last.describe(ctx, c)
	if err != nil {
		return nil, 0, err
	}
	if !bytes.Equal(text, again) {
		return nil, 0, refused("the description must not depend on time, chance or the order of a map", "its spec changes from call to call")
	}
	return text, last.warmUps, nil
}

// boot is what happens to a new instance while a module is loaded.
type boot struct {
	runtime   *Runtime
	warmUps   int  // how often the instance is warmed up, or unknown
	capture   bool // what the instance is then becomes the module's snapshot
	described bool // the description is known
	instance  *instance
	clock     *clock
}

const (
	unknown    = -1
	maxWarmUps = 3
)

// errColdOnly says that a module's warm-up traps. It is then used without.
var errColdOnly = errors.New("the warm-up failed")

// describe initialises a new instance, warms it up, and asks it for the description.
func (b *boot) describe(ctx context.Context, c *compiled) ([]byte, error) {
	var err error
	var known *tool.Error
	switch b.instance, err = b.runtime.blankInstance(c); {
	case errors.As(err, &known):
		return nil, err
	case err != nil:
		return nil, refused("the module's author has to mend it", "cannot be instantiated").WithCause(err)
	}
	defer b.instance.destroy()
	b.clock = newClock(ctx, b.runtime.done)
	defer b.clock.release()
	b.clock.start(b.runtime.opts.Load.Time)
	return b.steps(ctx)
}

func (b *boot) steps(ctx context.Context) ([]byte, error) {
	r, inst, s := b.runtime, b.instance, &b.instance.state
	s.begin(initializing, r.loadInput(inst.compiled))
	defer s.log.close(b.clock)
	if mark, err := inst.call(b.clock, &guestFunction{}, rewrite.MarkExport, 0); err != nil || mark != 1 {
		return nil, errWrongCode
	}
	if err := inst.boot(b.clock); err != nil {
		return nil, bootError(ctx, b.clock, s, "initialisation", err)
	}
	if err := b.warmUp(); err != nil {
		if errors.Is(err, errColdOnly) {
			return nil, err
		}
		return nil, bootError(ctx, b.clock, s, "warm-up", err)
	}
	if b.capture {
		var err error
		if inst.compiled.image, err = inst.capture(r.snapshots); err != nil {
			return nil, err
		}
	}
	if b.described {
		return nil, nil
	}
	s.begin(describing, s.callInput)
	status, err := inst.call(b.clock, &guestFunction{}, abi.ExportSpec, 0)
	switch {
	case err != nil || b.clock.Err() != nil:
		return nil, bootError(ctx, b.clock, s, "spec", err)
	case status != 0:
		return nil, refused("the module's author has to mend it: see the documentation of the guest SDK", "its spec reports an error: %s", specError(s.output))
	}
	return bytes.Clone(s.output), nil
}

// warmUp warms the instance up. If it is unknown how often, it finds out: so often that once more would take the least fuel. A
// collector, for one, may be about to run after some number of times, and would then run in every call. Fuel is the measure,
// and not time, so that it is the same number everywhere.
func (b *boot) warmUp() error {
	if b.warmUps != unknown {
		for range b.warmUps {
			if _, err := b.warmOnce(); err != nil {
				return err
			}
		}
		return nil
	}
	least := int64(math.MaxInt64)
	for n := range maxWarmUps + 1 {
		fuel, err := b.warmOnce()
		switch {
		case b.clock.Err() != nil:
			return b.clock.Err()
		case err != nil:
			return errColdOnly
		case fuel < least-least/20: // not for next to nothing
			least, b.warmUps = fuel, n
		}
	}
	return nil
}

// warmOnce returns the fuel that it took.
func (b *boot) warmOnce() (int64, error) {
	s := &b.instance.state
	s.begin(initializing, s.callInput)
	err := b.instance.run(b.clock, abi.ExportWarmUp)
	return s.fuelUsed(), err
}

// loadInput is what an instance gets while the module is loaded.
func (r *Runtime) loadInput(c *compiled) callInput {
	in := callInput{limits: r.opts.Limits}
	in.limits.Time, in.limits.Output = r.opts.Load.Time, r.opts.Load.Spec
	in.log = &lazyLog{options: hostfuncs.LogOptions{Module: c.digest, Bytes: in.limits.LogBytes, Lines: in.limits.LogLines}}
	return in
}

func bootError(ctx context.Context, clk *clock, s *callState, doing string, err error) error {
	err = guestError(clk, s, err)
	var limit *tool.LimitError
	switch {
	case ctx.Err() != nil:
		return contextError(ctx)
	case errors.As(err, &limit) && limit.Name == tool.LimitTime:
		return refused("", "its %s did not end", doing).WithCause(limit)
	}
	return fmt.Errorf("its %s failed: %w", doing, err)
}

// specError makes the module's own words fit to be shown on one line.
func specError(output []byte) string {
	lines := strings.Join(strings.FieldsFunc(string(output), func(r rune) bool { return r == '\n' }), "; ")
	return printable.Escape(printable.Truncate(strings.ToValidUTF8(lines, "\ufffd"), maxChanges))
}

// maxSchemas is how much memory the schemas of a module may keep, in bytes, by their own estimate. A usual one takes 20 KiB.
const maxSchemas = 64 << 20

// readDescription decodes and checks what spec wrote. The time limit of the load bounds it too: a module may have a thousand
// tools, with schemas that take long to compile.
func (r *Runtime) readDescription(ctx context.Context, m *wasm.Module, text []byte) ([]compiledTool, error) {
	clk := newClock(ctx, r.done)
	defer clk.release()
	clk.start(r.opts.Load.Time)
	var desc abi.Module
	if len(text) == 0 {
		return nil, refused("see docs/abi.md, section 4", "its spec wrote nothing")
	}
	if err := strictjson.Decode(text, &strictjson.Options{MaxBytes: r.opts.Load.Spec}, &desc); err != nil {
		return nil, refused("see docs/abi.md, section 4", "its spec is not a description").WithCause(err)
	}
	switch n := int64(len(desc.Tools)); {
	case n == 0:
		return nil, refused("register a tool in an init function, or as a package variable", "its spec lists no tools")
	case tool.Exceeded(r.opts.Load.Tools, n):
		return nil, refused("", "its spec lists too many tools").
			WithCause(&tool.LimitError{Name: tool.LimitTools, Max: r.opts.Load.Tools, Actual: n})
	}
	tools := make([]compiledTool, len(desc.Tools))
	seen := map[string]bool{}
	size := int64(0)
	for i, t := range desc.Tools {
		var err error
		if clk.Err() != nil {
			return nil, late(clk)
		}
		if tools[i], err = r.readTool(m, t); err != nil {
			return nil, refused("the module's author has to mend it", "its spec is not acceptable").WithCause(err)
		}
		if seen[t.Name] {
			return nil, refused("the module's author has to rename one of them", "duplicate tool name: %q", t.Name)
		}
		seen[t.Name] = true
		if size += tools[i].schemaSize(); size > maxSchemas {
			return nil, refused("give the tools simpler schemas, or fewer tools to a module",
				"its schemas take %d bytes of memory or more, over the limit of %d", size, maxSchemas)
		}
	}
	return tools, nil
}

// late says why reading a description was given up.
func late(ctx context.Context) error {
	err := contextError(ctx)
	if limit, ok := errors.AsType[*tool.LimitError](err); ok {
		return refused("give the tools simpler schemas, or fewer tools to a module", "its schemas take too long to compile").WithCause(limit)
	}
	return err
}

// schemaSize is roughly the memory of the tool's schemas.
func (c *compiledTool) schemaSize() (size int64) {
	for _, s := range []*schema.Schema{c.input, c.output} {
		if s != nil {
			size += s.Size()
		}
	}
	return size
}

func (r *Runtime) readTool(m *wasm.Module, t abi.Tool) (c compiledTool, err error) {
	c.spec = specOf(t)
	if err := c.spec.Check(r.opts.Names); err != nil {
		return c, err
	}
	if err := checkInjection(m, c.spec); err != nil {
		return c, err
	}
	c.limits = r.opts.Limits.Tighten(c.spec.Limits)
	if err := checkMemory(m, c.limits); err != nil {
		return c, fmt.Errorf("spec %q: limits: %w", t.Name, err)
	}
	if c.spec.Input == tool.InputObject {
		if c.input, err = schema.CompileInput(c.spec.InputSchema, nil); err != nil {
			return c, fmt.Errorf("spec %q: inputSchema: %w", t.Name, err)
		}
	}
	if len(c.spec.OutputSchema) > 0 {
		if c.output, err = schema.Compile(c.spec.OutputSchema, nil); err != nil {
			return c, fmt.Errorf("spec %q: outputSchema: %w", t.Name, err)
		}
	}
	return c, nil
}

// emptyInput is the schema of a tool that gives none: it takes no arguments.
const emptyInput = `{"type":"object","properties":{},"required":[]}`

// specOf converts the wire form of a description.
func specOf(t abi.Tool) tool.Spec {
	s := tool.Spec{
		Name: t.Name, Title: t.Title, Description: t.Description, Version: t.Version,
		Input: tool.InputKind(t.Input), InputSchema: t.InputSchema, OutputSchema: t.OutputSchema,
		Return: tool.ReturnBehavior(t.Return), RequireApproval: t.RequireApproval, Inject: t.Inject, Metadata: t.Metadata,
	}
	switch {
	case s.Input == tool.InputText:
		s.InputSchema = json.RawMessage(tool.TextInputSchema)
	case len(s.InputSchema) == 0:
		s.InputSchema = json.RawMessage(emptyInput)
	}
	if a := t.Annotations; a != nil {
		s.Annotations = tool.Annotations(*a)
	}
	if l := t.Limits; l != nil {
		s.Limits = tool.Limits{
			Time: milliseconds(l.TimeMS), Fuel: l.Fuel, Memory: l.MemoryBytes, Input: l.InputBytes, Output: l.OutputBytes,
			LogBytes: l.LogBytes, LogLines: l.LogLines, HostCalls: l.HostCalls, Approvals: l.Approvals,
		}
	}
	return s
}

// milliseconds converts without overflow: what a module asks for may be any number.
func milliseconds(ms int64) time.Duration {
	const most = int64(1<<63-1) / int64(time.Millisecond)
	return time.Duration(max(0, min(ms, most))) * time.Millisecond
}
