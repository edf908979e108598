package guest

import "github.com/wasmtools/wasmtools/sdk-guest/raw"

// Decision is a person's consent, to the text that was asked about or to what the person made of it. There is no decision
// that says no: that is an error.
type Decision = raw.Decision

// Errors of [Context.RequestApproval]. A tool that returns one of them, wrapped or not, reports that it did nothing.
var (
	// ErrRejected: a person said no.
	ErrRejected = raw.ErrRejected

	// ErrDenied: nobody was there to say yes, or the tool may not ask.
	ErrDenied = raw.ErrDenied
)

// RequestApproval asks a person whether to do what the text says, and waits; the time does not count against the tool's.
// An error matches [ErrRejected] or [ErrDenied]: the action must then not be done, and the error is what the tool
// should return. Without an error, act on Decision.Text if it is Edited.
func (c Context) RequestApproval(text string) (Decision, error) {
	return raw.NewContext(c.host()).RequestApproval(text)
}
