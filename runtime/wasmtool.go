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

// Call checks the arguments, asks for approval where the spec requires it, and runs the tool in an instance that is as it
// was right after the module's initialisation.
func (t *wasmTool) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	if err := t.module.begin(); err != nil {
		return tool.Result{}, err
	}
	defer t.module.end()
	if err := t.module.runtime.stuck(); err != nil {
		return tool.Result{}, err
	}
	call.Tool = t.compiled().spec.Name
	c := newToolCall(ctx, t, call)
	defer c.clock.release()
	if err := c.checkHost(); err != nil {
		return tool.Result{}, err
	}
	if err := c.checkArguments(call.Arguments); err != nil {
		return tool.Result{}, err
	}
	if c.spec.RequireApproval {
		if err := c.approve(); err != nil {
			return tool.Result{Stats: tool.Stats{Waited: c.waited}}, err
		}
	}
	return c.execute()
}

// toolCall is one call on its way.
type toolCall struct {
	*compiledTool
	wasm    *wasmTool
	request tool.Call
	clock   clock // the context of all that the call does; it runs while the tool does
	log     lazyLog

	input  []byte        // the arguments as the guest gets them
	waited time.Duration // for approval before execution
}

func newToolCall(ctx context.Context, t *wasmTool, call tool.Call) *toolCall {
	r := t.module.runtime
	c := &toolCall{compiledTool: t.compiled(), wasm: t, request: call}
	c.clock.init(ctx, r.done)
	c.log.options = hostfuncs.LogOptions{
		Logger: r.opts.Logger,
		Tool:   call.Tool, CallID: call.ID, Module: t.module.compiled.digest,
		Bytes: c.limits.LogBytes, Lines: c.limits.LogLines, Leash: r.leash,
	}
	return c
}

// checkHost makes sure that the host provides what the tool cannot do without, and what can be passed on.
func (c *toolCall) checkHost() error {
	if err := checkInvocation(c.spec, c.request.Invocation); err != nil {
		return err
	}
	if !c.wasm.module.compiled.context {
		return nil
	}
	_, err := contextJSON(c.request)
	return err
}

// execute runs the guest. The arguments are checked and approved.
func (c *toolCall) execute() (tool.Result, error) {
	module := c.wasm.module
	inst, err := module.runtime.lend(&c.clock, module.compiled)
	if err != nil {
		return tool.Result{}, err
	}
	s := &inst.state
	s.begin(executing, callInput{limits: c.limits, log: &c.log, input: c.input, call: c})
	c.clock.start(c.limits.Time)
	status, err := inst.call(&c.clock, &inst.execute, abi.ExportExecute, c.wasm.index)
	if err == nil && c.clock.Err() != nil {
		err = c.clock.Err() // a guest that was asleep at its deadline wakes up and may get to its end
	}
	stats := tool.Stats{Fuel: s.fuelUsed(), HostCalls: s.hostCalls, Memory: inst.memory.peak}
	var res tool.Result
	if err == nil {
		if res, err = c.result(abi.Status(status), s.output); err != nil {
			err = trapped(s, err.Error(), "")
		}
	} else {
		err = guestError(&c.clock, s, err)
	}
	stats.LogDropped = c.log.close(&c.clock)
	s.doubt = s.doubt || c.log.stuck()
	stats.Duration, stats.Waited = c.clock.times()
	stats.Waited += c.waited
	module.runtime.giveBack(inst, err == nil || tool.CodeOf(err) != tool.Internal)
	if err != nil {
		return tool.Result{Stats: stats}, err
	}
	res.Return, res.Stats = c.spec.Return, stats
	return res, nil
}

// approveDescription asks about what the guest describes while it runs. That takes none of its time.
func (c *toolCall) approveDescription(ctx context.Context, description string) (tool.Decision, error) {
	defer c.clock.pause()()
	req := c.approvalRequest(tool.DuringExecution)
	req.Description, req.Input = description, description
	return c.ask(ctx, req)
}

// checkInvocation makes sure that the host provides what the tool cannot do without.
func checkInvocation(spec tool.Spec, inv tool.Invocation) error {
	if !utf8.ValidString(inv.MemoryID) {
		return tool.Errorf(tool.Misconfigured, "the memory ID is not UTF-8") // two of them must not become one
	}
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
func (c *toolCall) checkArguments(args json.RawMessage) error {
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
		c.log.get().Host(&c.clock, slog.LevelWarn, "arguments changed", slog.Int("changes", len(changes)), slog.String("first", printable.Escape(first)))
	}
	if invalid != nil {
		return invalid
	}
	c.input = input
	return nil
}

// maxChanges bounds what is logged about changed arguments, in characters.
const maxChanges = 1000

// setText sets the input of a tool that takes text. What is approved is what runs: then it keeps a copy.
func (c *toolCall) setText(text []byte) error {
	if err := c.checkSize(len(text)); err != nil {
		return err
	}
	if !utf8.Valid(text) {
		return badArguments("the input is not UTF-8")
	}
	c.input = text
	if c.spec.RequireApproval {
		c.input = bytes.Clone(text)
	}
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
