package hostfuncs

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/wasmtools/wasmtools/internal/schema"
	"github.com/wasmtools/wasmtools/tool"
)

// humanInput lets a model ask a person.
type humanInput struct {
	gate *Gate
}

// NewHumanInput returns the tool human_input, by which a model asks a person something. It has nothing to do with the
// approval of other tools and has an approver of its own.
//
// The answer is the text of an edit. A person who merely continues gives the fixed text "Understood. Please continue.";
// without an approver the model is told to proceed on its own. A rejection, a timeout that rejects included, is a Go
// error with the code [tool.ExitEarly].
func NewHumanInput(o *ApprovalOptions) tool.Tool {
	return &humanInput{gate: NewGate(o)}
}

// Spec describes the tool.
func (*humanInput) Spec() tool.Spec {
	return tool.Spec{
		Name:        "human_input",
		Description: "Asks a person a question and returns the answer.",
		Input:       tool.InputText,
		InputSchema: json.RawMessage(tool.TextInputSchema),
	}
}

// Call asks.
func (h *humanInput) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	if !h.gate.HasApprover() {
		return tool.TextResult("No reviewer is available. Please proceed with your best judgment."), nil
	}
	question := string(schema.TextInput(call.Arguments))
	if len(question) > maxDescription {
		return tool.Result{}, tool.Errorf(tool.InvalidArguments, "the question has %d bytes, at most %d are allowed", len(question), maxDescription)
	}
	start := time.Now()
	decision, err := h.gate.Ask(ctx, tool.ApprovalRequest{
		Tool:        "human_input",
		CallID:      call.ID,
		MemoryID:    call.Invocation.MemoryID,
		Arguments:   call.Arguments,
		Timing:      tool.DuringExecution,
		Description: question,
		Input:       question,
	})
	switch {
	case err != nil:
		return tool.Result{}, err
	case decision.Verdict == tool.Reject:
		return tool.Result{}, exitEarly(decision)
	}
	res := tool.TextResult("Understood. Please continue.")
	if decision.Verdict == tool.Edit {
		res = tool.TextResult(decision.Text)
	}
	res.Stats.Waited = time.Since(start)
	return res, nil
}

func exitEarly(d tool.Decision) error {
	err := tool.Errorf(tool.ExitEarly, "the reviewer ended the run")
	if d.TimedOut {
		err = tool.Errorf(tool.ExitEarly, "the run ended: no reviewer answered in time")
	}
	if d.Reason != "" {
		err.Cause = errors.New(d.Reason)
	}
	return err
}
