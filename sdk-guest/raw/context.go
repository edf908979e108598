package raw

import (
	"errors"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/host"
)

// Context is what a tool can ask its host for during one call. It is of no use after the call.
type Context struct{ host host.Host }

// NewContext returns the context of a call in h. It is for package guest, which builds on this one.
func NewContext(h host.Host) Context { return Context{h} }

// JSON returns what the application says about the call, as an abi.Context in JSON: the call's and the memory's ID and
// the parameters.
func (c Context) JSON() []byte { return c.host.Context() }

// Levels of [Context.LogText], those of log/slog.
const (
	LevelTrace = abi.LevelTrace
	LevelDebug = abi.LevelDebug
	LevelInfo  = abi.LevelInfo
	LevelWarn  = abi.LevelWarn
	LevelError = abi.LevelError
)

// LogText logs a message without attributes. Whether it is kept is the host's business: a tool cannot tell.
func (c Context) LogText(level int32, message string) { c.host.Log(level, message, "") }

// Decision is a person's consent. There is no decision that says no: that is an error.
type Decision struct {
	// Text says what may be done: the text that was asked about, or what the person made of it. It may be empty.
	Text string

	// Edited says that Text is the person's. Act on Text then, not on what was asked.
	Edited bool
}

// Errors of [Context.RequestApproval].
var (
	// ErrRejected: a person said no.
	ErrRejected = errors.New("rejected by reviewer")

	// ErrDenied: nobody was there to say yes, or the tool may not ask.
	ErrDenied = errors.New("approval denied")
)

// RequestApproval asks a person whether to do what the text says, and waits; the time does not count against the tool's.
// An error matches [ErrRejected] or [ErrDenied]: the action must then not be done, and the error is what the tool
// should return.
func (c Context) RequestApproval(text string) (Decision, error) {
	decision, edited := c.host.Approve(text)
	switch {
	case decision < 0:
		return Decision{}, refusal{ErrDenied, "Approval denied (no approver is configured, or none may be asked): " + text}
	case decision.Verdict() == abi.DecisionContinue:
		return Decision{Text: text}, nil
	case decision.Verdict() == abi.DecisionEdit:
		return Decision{Text: edited, Edited: true}, nil
	}
	return Decision{}, refusal{ErrRejected, "Rejected by reviewer: " + text}
}

// refusal is an error with a text for the model. It starts with a capital because that text is sent as it is.
type refusal struct {
	reason error
	text   string
}

func (r refusal) Error() string { return r.text }
func (r refusal) Unwrap() error { return r.reason }
