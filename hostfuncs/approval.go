package hostfuncs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/internal/printable"
	"github.com/wasmtools/wasmtools/tool"
)

// DefaultApprovalTimeout is how long an approval may take where nothing else is said.
const DefaultApprovalTimeout = 5 * time.Minute

const (
	// maxDescription is the size of the longest text that is put to an approver. A longer one is rejected and not cut: its
	// end might be what matters.
	maxDescription = 64 << 10

	maxRejectedInput = 500 // characters of the input in a rejection's message
)

// ApprovalOptions configure a [Gate].
type ApprovalOptions struct {
	// Approver decides. Nil means that nobody is there: nothing gets through.
	Approver tool.Approver

	// Timeout is how long an answer may take. Zero means [DefaultApprovalTimeout], a negative value for ever.
	Timeout time.Duration

	// OnTimeout is what happens after that. Zero rejects, and so does a value that is not known. With
	// [tool.OnTimeoutContinue] silence is consent, also where a role is required.
	OnTimeout tool.TimeoutAction

	// RequiredRole is the role that a decision to go ahead must have been made in. Empty means any. Anybody may reject.
	RequiredRole string

	// Leash counts the approvers that were left behind. Nil means one of the gate's own.
	Leash *Leash
}

// Gate puts requests to an approver and makes sure that nothing goes through by accident. It remembers nothing: every
// request is asked anew. It is safe for concurrent use and does not serialise requests.
type Gate struct {
	o ApprovalOptions
}

// NewGate returns a gate. Nil options mean that there is no approver.
func NewGate(o *ApprovalOptions) *Gate {
	g := &Gate{}
	if o != nil {
		g.o = *o
	}
	if g.o.Timeout == 0 {
		g.o.Timeout = DefaultApprovalTimeout
	}
	if g.o.Leash == nil {
		g.o.Leash = &Leash{}
	}
	return g
}

// HasApprover reports whether somebody is there to decide.
func (g *Gate) HasApprover() bool { return g.o.Approver != nil }

// Ask puts req to the approver and waits for the decision. It sets Timeout, OnTimeout and RequiredRole and escapes the
// description (and the input, if that is the guest's text too) before the approver sees them.
//
// The decision rejects if the approver returns another error, panics, answers with an unknown verdict, in another role than the
// required one or with a text that is not UTF-8 or larger than [abi.MaxStaged], or if the description is over 64 KiB. Its
// Reason says so. An edited text is otherwise what the approver wrote: check it as you check any input.
//
// Errors are [*tool.Error]:
//   - [tool.Denied]: a tool asks while it runs and no approver is configured.
//   - [tool.Misconfigured]: an approval is required before a tool runs and no approver is configured.
//   - [tool.Timeout]: nobody answered in time and OnTimeout is [tool.OnTimeoutFail], or ctx is over its deadline.
//   - [tool.Canceled]: ctx was cancelled.
//   - [tool.ExitEarly]: the approver returned such an error: a person asks to stop the whole run.
//
// Ask returns when the time is up or ctx ends, whatever the approver does. The approver runs in a goroutine of its own,
// which ends when the approver returns; its context is cancelled when Ask returns. What it answers then is dropped.
func (g *Gate) Ask(ctx context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
	switch {
	case !g.HasApprover():
		return tool.Decision{}, noApprover(req)
	case ctx.Err() != nil:
		return tool.Decision{}, ended(ctx)
	case len(req.Description) > maxDescription:
		return rejected(fmt.Sprintf("the description has %d bytes, at most %d are allowed", len(req.Description), maxDescription)), nil
	}

	asking, cancel := g.withTimeout(ctx)
	defer cancel()
	a := g.answer(asking, g.prepare(req))
	switch {
	case ctx.Err() != nil:
		return tool.Decision{}, ended(ctx)
	case asking.Err() != nil && !a.rejects():
		return g.timedOut()
	case errors.Is(a.err, tool.ExitEarly):
		return tool.Decision{}, a.err
	case a.err != nil:
		return rejected(fmt.Sprintf("the approver did not decide: %v", a.err)), nil
	}
	return g.check(a.decision), nil
}

func (g *Gate) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if g.o.Timeout < 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, g.o.Timeout)
}

// prepare returns the request as the approver gets it.
func (g *Gate) prepare(req tool.ApprovalRequest) tool.ApprovalRequest {
	req.Timeout, req.OnTimeout, req.RequiredRole = max(g.o.Timeout, 0), g.o.OnTimeout, g.o.RequiredRole
	req.Description = printable.Escape(req.Description)
	if req.Timing != tool.BeforeExecution {
		req.Input = printable.Escape(req.Input)
	}
	// What is approved is what runs: the approver gets a copy, also because it may outlive the call.
	req.Arguments = slices.Clone(req.Arguments)
	return req
}

// answer is what came back from an approver.
type answer struct {
	decision tool.Decision
	err      error
}

func (a answer) rejects() bool { return a.err == nil && a.decision.Verdict == tool.Reject }

// answer waits for the approver or the end of ctx.
func (g *Gate) answer(ctx context.Context, req tool.ApprovalRequest) answer {
	var decision tool.Decision
	err := g.o.Leash.Do(ctx, func(ctx context.Context) (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("panic: %v", r)
			}
		}()
		decision, err = g.o.Approver.Approve(ctx, req)
		return err
	})
	if errors.Is(err, ErrAbandoned) {
		return answer{err: ctx.Err()} // the decision may still be written to
	}
	return answer{decision, err}
}

// check returns d if it is a decision to act on, and a rejection otherwise.
func (g *Gate) check(d tool.Decision) tool.Decision {
	switch {
	case d.Verdict == tool.Reject:
		d.Text = ""
		return d
	case d.Verdict != tool.Continue && d.Verdict != tool.Edit:
		return rejected(fmt.Sprintf("the approver answered with an unknown verdict: %v", d.Verdict))
	case d.TimedOut:
		return rejected(fmt.Sprintf("the approver answered %v and that nobody decided in time", d.Verdict))
	case g.o.RequiredRole != "" && d.Role != g.o.RequiredRole:
		return rejected(fmt.Sprintf("role %q decided, role %q is required", d.Role, g.o.RequiredRole))
	case d.Verdict == tool.Continue:
		d.Text = ""
	case !utf8.ValidString(d.Text):
		return rejected("the edited text is not UTF-8")
	case len(d.Text) > abi.MaxStaged:
		return rejected(fmt.Sprintf("the edited text has %d bytes, at most %d are allowed", len(d.Text), abi.MaxStaged))
	}
	return d
}

func (g *Gate) timedOut() (tool.Decision, error) {
	reason := fmt.Sprintf("nobody decided within %s", g.o.Timeout)
	switch g.o.OnTimeout {
	case tool.OnTimeoutContinue:
		return tool.Decision{Verdict: tool.Continue, TimedOut: true, Reason: reason}, nil
	case tool.OnTimeoutFail:
		return tool.Decision{}, tool.Errorf(tool.Timeout, "approval timed out: %s", reason)
	}
	return tool.Decision{Verdict: tool.Reject, TimedOut: true, Reason: reason}, nil
}

// RejectedMessage is what a model is told about a rejection of input, which is cut at 500 characters.
func RejectedMessage(input string) string {
	return "Rejected by reviewer: " + printable.Truncate(strings.ToValidUTF8(input, "\ufffd"), maxRejectedInput)
}

// TimedOutMessage is what a model is told if nobody decided about input.
func TimedOutMessage(input string) string {
	return "Approval timed out: " + printable.Truncate(strings.ToValidUTF8(input, "\ufffd"), maxRejectedInput)
}

func rejected(reason string) tool.Decision {
	return tool.Decision{Verdict: tool.Reject, Reason: reason}
}

func noApprover(req tool.ApprovalRequest) error {
	if req.Timing == tool.BeforeExecution {
		return tool.Errorf(tool.Misconfigured, "tool %q requires approval, but no approver is configured", req.Tool)
	}
	return tool.Errorf(tool.Denied, "approval denied: no approver is configured")
}

func ended(ctx context.Context) error {
	code := tool.Canceled
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		code = tool.Timeout
	}
	return tool.Errorf(code, "the call ended before anybody decided").WithCause(context.Cause(ctx))
}
