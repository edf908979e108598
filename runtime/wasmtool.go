package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/hostfuncs"
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

	c := t.compiled()
	if err := checkInvocation(c.spec, call.Invocation); err != nil {
		return tool.Result{}, err
	}
	call.Tool = c.spec.Name
	input, err := t.checkArguments(ctx, call, call.Arguments)
	if err != nil {
		return tool.Result{}, err
	}
	if c.spec.RequireApproval {
		if input, err = t.approveCall(ctx, call, input); err != nil {
			return tool.Result{}, err
		}
	}
	return t.execute(ctx, call, input)
}

func (t *wasmTool) log(call tool.Call) *hostfuncs.Log {
	limits := t.compiled().limits
	return hostfuncs.NewLog(hostfuncs.LogOptions{
		Logger: t.module.runtime.opts.Logger,
		Tool:   call.Tool, CallID: call.ID, Module: t.module.compiled.digest,
		Bytes: limits.LogBytes, Lines: limits.LogLines,
	})
}

// execute runs the guest. The arguments are checked and approved.
func (t *wasmTool) execute(ctx context.Context, call tool.Call, input []byte) (tool.Result, error) {
	c, r := t.compiled(), t.module.runtime
	s := newState(c.limits, t.log(call))
	s.input = input
	var err error
	if s.context, err = contextJSON(call); err != nil {
		return tool.Result{}, err
	}
	s.approve = func(ctx context.Context, description string) (tool.Decision, error) {
		defer s.pause()()
		req := t.approvalRequest(call, input)
		req.Timing, req.Description, req.Input = tool.DuringExecution, description, description
		return r.gate.Ask(ctx, req)
	}
	status, stats, err := r.run(ctx, t.module.compiled, s, func(ctx context.Context, inst *instance) (int32, error) {
		s.phase = executing
		return inst.call(ctx, abi.ExportExecute, uint64(t.index))
	})
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
				WithHint("set Invocation.MemoryID, or --memory-id on the command line")
		case isParam && !given:
			return tool.Errorf(tool.Misconfigured, "tool %q needs the parameter %q, and the call has none", spec.Name, param).
				WithHint("set Invocation.Params, or --param %s=... on the command line", param)
		}
	}
	return nil
}

// checkArguments returns the arguments as the guest gets them.
func (t *wasmTool) checkArguments(ctx context.Context, call tool.Call, args json.RawMessage) ([]byte, error) {
	c := t.compiled()
	if size := int64(len(args)); tool.Exceeded(c.limits.Input, size) {
		return nil, tool.Errorf(tool.InvalidArguments, "the arguments are too large").
			WithCause(&tool.LimitError{Name: tool.LimitInput, Max: c.limits.Input, Actual: size})
	}
	if c.spec.Input == tool.InputText {
		text := schema.TextInput(args)
		if !utf8.Valid(text) {
			return nil, tool.Errorf(tool.InvalidArguments, "the input is not UTF-8")
		}
		return text, nil
	}
	canonical, warnings, invalid := c.input.Arguments(args, &schema.ArgumentsOptions{
		MaxBytes: c.limits.Input, Drop: c.spec.InjectedArguments(),
	})
	if invalid != nil {
		return nil, invalid
	}
	for _, w := range warnings {
		t.module.runtime.opts.Logger.WarnContext(ctx, w, "tool", call.Tool, "call", call.ID)
	}
	return canonical, nil
}

// approveCall asks for the decision that the spec requires, and returns the arguments to run with.
func (t *wasmTool) approveCall(ctx context.Context, call tool.Call, input []byte) ([]byte, error) {
	c, gate := t.compiled(), t.module.runtime.gate
	if !gate.HasApprover() {
		return nil, tool.Errorf(tool.Misconfigured, "Tool '%s' requires approval but no approver is configured", call.Tool).
			WithHint("configure an approver, or choose one with --approve on the command line")
	}
	req := t.approvalRequest(call, input)
	req.Timing, req.Description, req.Input = tool.BeforeExecution, c.spec.Description, string(input)
	decision, err := gate.Ask(ctx, req)
	switch {
	case err != nil:
		return nil, err
	case decision.Verdict == tool.Continue:
		return input, nil
	case decision.Verdict != tool.Edit:
		return nil, tool.Errorf(tool.Denied, "%s", hostfuncs.RejectedMessage(req.Input))
	case c.spec.Input == tool.InputText:
		return []byte(decision.Text), nil
	}
	edited, err := t.checkArguments(ctx, call, json.RawMessage(decision.Text))
	if err != nil {
		return nil, fmt.Errorf("the reviewer's edit is not acceptable: %w", err)
	}
	return edited, nil
}

func (t *wasmTool) approvalRequest(call tool.Call, input []byte) tool.ApprovalRequest {
	return tool.ApprovalRequest{
		Tool: call.Tool, Module: t.module.compiled.digest,
		CallID: call.ID, MemoryID: call.Invocation.MemoryID, Arguments: input,
	}
}
