package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/internal/printable"
	"github.com/wasmtools/wasmtools/internal/schema"
	"github.com/wasmtools/wasmtools/tool"
)

// wasmTool is one tool of a module.
type wasmTool struct {
	module *Module
	index  int
}

var _ tool.Tool = (*wasmTool)(nil)

func (t *wasmTool) compiled() *compiledTool { return &t.module.compiled.tools[t.index] }

// Spec returns the tool's spec.
func (t *wasmTool) Spec() tool.Spec { return t.compiled().spec }

// Call checks the arguments, asks for approval where the spec requires it, and runs the tool in a fresh instance.
func (t *wasmTool) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	end, err := t.module.begin()
	if err != nil {
		return tool.Result{}, err
	}
	defer end()
	if err := t.module.runtime.totals.stuck(); err != nil {
		return tool.Result{}, err
	}
	ctx, stop := t.module.runtime.bound(ctx)
	defer stop()

	call.Tool = t.compiled().spec.Name
	c, err := t.newCall(call)
	if err != nil {
		return tool.Result{}, err
	}
	if err := c.checkArguments(ctx, call.Arguments); err != nil {
		return tool.Result{}, err
	}
	if t.compiled().spec.RequireApproval {
		if err := c.approve(ctx); err != nil {
			return tool.Result{Stats: tool.Stats{Waited: c.waited}}, err
		}
	}
	return c.execute(ctx)
}

// toolCall is one call on its way.
type toolCall struct {
	*compiledTool
	wasm    *wasmTool
	request tool.Call
	log     *hostfuncs.Log

	context []byte        // what the guest may know about the invocation
	input   []byte        // the arguments as the guest gets them
	waited  time.Duration // for approval before execution
}

// newCall makes sure that the host provides what the tool cannot do without.
func (t *wasmTool) newCall(call tool.Call) (*toolCall, error) {
	c := &toolCall{compiledTool: t.compiled(), wasm: t, request: call}
	if err := checkInvocation(c.spec, call.Invocation); err != nil {
		return nil, err
	}
	var err error
	if c.context, err = contextJSON(call); err != nil {
		return nil, err
	}
	c.log = hostfuncs.NewLog(hostfuncs.LogOptions{
		Logger: t.module.runtime.opts.Logger,
		Tool:   call.Tool, CallID: call.ID, Module: t.module.compiled.digest,
		Bytes: c.limits.LogBytes, Lines: c.limits.LogLines, Leash: &t.module.runtime.totals.leash,
	})
	return c, nil
}

// execute runs the guest. The arguments are checked and approved.
func (c *toolCall) execute(ctx context.Context) (tool.Result, error) {
	s := c.wasm.module.runtime.newState(c.limits, c.log)
	s.input, s.context = c.input, c.context
	s.approve = func(ctx context.Context, description string) (tool.Decision, error) {
		defer s.clock.pause()()
		req := c.approvalRequest(tool.DuringExecution)
		req.Description, req.Input = description, description
		return c.ask(ctx, req)
	}
	module := c.wasm.module
	status, stats, err := module.runtime.run(ctx, module.compiled, s, func(ctx context.Context, inst *instance) (int32, error) {
		s.phase = executing
		inst.startFuel()
		return inst.call(ctx, abi.ExportExecute, uint64(c.wasm.index))
	})
	stats.Waited += c.waited
	if err != nil {
		return tool.Result{Stats: stats}, err
	}
	res, err := c.result(abi.Status(status), s.output)
	if err != nil {
		return tool.Result{Stats: stats}, trapped(s, err.Error(), "")
	}
	res.Return, res.Stats = c.spec.Return, stats
	return res, nil
}

// checkInvocation makes sure that the host provides what the tool cannot do without.
func checkInvocation(spec tool.Spec, inv tool.Invocation) error {
	for _, name := range spec.Inject {
		param, isParam := strings.CutPrefix(name, tool.InjectParamPrefix)
		_, given := inv.Params[param]
		switch {
		case name == tool.InjectMemoryID && inv.MemoryID == "":
			return tool.Errorf(tool.Misconfigured, "tool %q needs a memory ID, and the call has none", spec.Name).
				WithHint("set Invocation.MemoryID")
		case isParam && !given:
			return tool.Errorf(tool.Misconfigured, "tool %q needs the parameter %q, and the call has none", spec.Name, param).
				WithHint("set Invocation.Params[%q]", param)
		}
	}
	return nil
}

// checkArguments sets the input: the arguments as the guest gets them.
func (c *toolCall) checkArguments(ctx context.Context, args json.RawMessage) error {
	if c.spec.Input == tool.InputText {
		return c.setText(schema.TextInput(args))
	}
	if err := c.checkSize(len(args)); err != nil {
		return err
	}
	input, changes, invalid := c.compiledTool.input.Arguments(args, &schema.ArgumentsOptions{
		MaxBytes: tool.Unlimited, Drop: c.spec.InjectedArguments(),
	})
	if len(changes) > 0 {
		first := printable.Truncate(strings.Join(changes[:min(len(changes), 5)], "; "), maxChanges)
		c.log.Host(ctx, slog.LevelWarn, "arguments changed", slog.Int("changes", len(changes)), slog.String("first", printable.Escape(first)))
	}
	if invalid != nil {
		return invalid
	}
	c.input = input
	return nil
}

// maxChanges bounds what is logged about changed arguments, in characters.
const maxChanges = 1000

// setText sets the input of a tool that takes text. It keeps a copy: what is approved is what runs.
func (c *toolCall) setText(text []byte) error {
	if err := c.checkSize(len(text)); err != nil {
		return err
	}
	if !utf8.Valid(text) {
		return badArguments("the input is not UTF-8")
	}
	c.input = bytes.Clone(text)
	return nil
}

func (c *toolCall) checkSize(size int) error {
	if tool.Exceeded(c.limits.Input, int64(size)) {
		return badArguments("the arguments are too large").
			WithCause(&tool.LimitError{Name: tool.LimitInput, Max: c.limits.Input, Actual: int64(size)})
	}
	return nil
}

func badArguments(text string) *tool.Error {
	status := int32(400)
	return &tool.Error{Code: tool.InvalidArguments, Status: &status, Message: text}
}
