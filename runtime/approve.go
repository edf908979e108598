package runtime

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/internal/printable"
	"github.com/wasmtools/wasmtools/tool"
)

// approve asks for the decision that the spec requires before the tool runs. An edit becomes the input, once it is checked.
func (c *toolCall) approve() error {
	if !c.wasm.module.runtime.gate.HasApprover() {
		return tool.Errorf(tool.Misconfigured, "Tool '%s' requires approval but no approver is configured", c.spec.Name).
			WithHint("set Options.Approval.Approver")
	}
	req := c.approvalRequest(tool.BeforeExecution)
	req.Description, req.Input = c.spec.Description, string(c.input)
	began := time.Now()
	decision, err := c.ask(&c.clock, req)
	c.waited = time.Since(began)
	if cause := c.clock.cause(); err != nil && cause != nil {
		return tool.Errorf(cause.Code, "%s", tool.MessageOf(err)).WithCause(cause) // the gate knows only that the call has ended
	}
	switch {
	case err != nil:
		return err
	case decision.Verdict == tool.Continue:
		return nil
	case decision.Verdict != tool.Edit:
		return rejection(req.Input, decision)
	}
	return c.acceptEdit(decision.Text)
}

// acceptEdit holds the reviewer's text to what arguments are held to.
func (c *toolCall) acceptEdit(text string) error {
	var err error
	if c.spec.Input == tool.InputText {
		err = c.setText([]byte(text))
	} else {
		err = c.checkArguments([]byte(text))
	}
	if err != nil {
		return tool.Errorf(tool.Denied, "nothing was done: the reviewer's edit is not acceptable").WithCause(err)
	}
	return nil
}

// ask passes req to the approver. Why it said what it did is for the operator.
func (c *toolCall) ask(ctx context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
	decision, err := c.wasm.module.runtime.gate.Ask(ctx, req)
	if err == nil && decision.Reason != "" {
		level := slog.LevelInfo
		if decision.Verdict == tool.Reject {
			level = slog.LevelWarn
		}
		reason := printable.Escape(printable.Truncate(decision.Reason, maxChanges))
		c.log.get().Host(ctx, level, "approval", slog.String("decision", decision.Verdict.String()), slog.String("reason", reason))
	}
	return decision, err
}

// rejection is the error of a call that was not agreed to. The model is told whether anybody decided; the reason is for
// the operator.
func rejection(input string, d tool.Decision) error {
	message := hostfuncs.RejectedMessage(input)
	if d.TimedOut {
		message = hostfuncs.TimedOutMessage(input)
	}
	err := tool.Errorf(tool.Denied, "%s", message)
	if d.Reason != "" {
		err = err.WithCause(errors.New(d.Reason))
	}
	return err
}

func (c *toolCall) approvalRequest(timing tool.ApprovalTiming) tool.ApprovalRequest {
	return tool.ApprovalRequest{
		Tool: c.spec.Name, Module: c.wasm.module.compiled.digest,
		CallID: c.request.ID, MemoryID: c.request.Invocation.MemoryID,
		Arguments: c.input, Timing: timing,
	}
}
