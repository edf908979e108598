package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Approver decides whether something may be done. It may be called from several goroutines at once. An error, or a
// context that ends first, means no.
type Approver interface {
	Approve(ctx context.Context, req ApprovalRequest) (Decision, error)
}

// ApproverFunc makes a function an [Approver].
type ApproverFunc func(ctx context.Context, req ApprovalRequest) (Decision, error)

// Approve calls f.
func (f ApproverFunc) Approve(ctx context.Context, req ApprovalRequest) (Decision, error) {
	return f(ctx, req)
}

// ApprovalRequest is what an [Approver] is asked. Description is the only field that a guest writes; control characters
// and other means of disguise are replaced in it before an approver sees it. All others are facts known to the host.
type ApprovalRequest struct {
	Tool     string // name of the tool
	Module   string // digest of the module that the tool is from
	CallID   string
	MemoryID string

	// Arguments are those of the call, as the tool gets them.
	Arguments json.RawMessage

	// Timing says whether the tool has started.
	Timing ApprovalTiming

	// Description says what is about to be done. Before execution it is the tool's description; during execution it is
	// what the tool says.
	Description string

	// Input is the text that the decision [Edit] replaces: the arguments before execution, the description during it.
	Input string

	// Timeout is how long the answer may take; it has begun already. Zero means for ever.
	Timeout time.Duration

	// OnTimeout is what happens after that.
	OnTimeout TimeoutAction

	// RequiredRole, if not empty, is the role that Decision.Role must have.
	RequiredRole string
}

// ApprovalTiming says when an approval is asked for.
type ApprovalTiming string

const (
	BeforeExecution ApprovalTiming = "before_execution"
	DuringExecution ApprovalTiming = "during_execution"
)

// TimeoutAction is what happens when nobody answers in time.
type TimeoutAction string

const (
	// OnTimeoutReject treats silence as a rejection. It is the default.
	OnTimeoutReject TimeoutAction = ""
	// OnTimeoutContinue treats silence as consent.
	OnTimeoutContinue TimeoutAction = "continue"
	// OnTimeoutFail ends the call with a [Timeout] error.
	OnTimeoutFail TimeoutAction = "fail"
)

// Verdict is the kind of a [Decision]. The zero value rejects.
type Verdict int

const (
	Reject   Verdict = iota // do not do it
	Continue                // do it as asked
	Edit                    // do it with Decision.Text in place of the input
)

// String returns the verdict's name.
func (v Verdict) String() string {
	switch v {
	case Reject:
		return "reject"
	case Continue:
		return "continue"
	case Edit:
		return "edit"
	}
	return fmt.Sprintf("verdict(%d)", int(v))
}

// Decision is an approver's answer. The zero value rejects.
type Decision struct {
	Verdict Verdict

	// Text replaces the request's Input if the verdict is [Edit]. It may be empty.
	Text string

	// Reason is told to the operator's log, never to the model.
	Reason string

	// Role is the role in which the decision was made, if the approver knows one.
	Role string

	// TimedOut says that nobody decided in time.
	TimedOut bool
}
