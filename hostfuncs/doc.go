// Package hostfuncs holds the host functions that are more than copying bytes, as plain Go: bytes in, bytes out. It knows
// nothing of linear memory or of the engine that runs the guest.
//
// Start with two names:
//
//   - [Log] is the log of one call: what the guest logs and what it writes to its standard output and error, bounded,
//     attributed, and unable to pass for anything else.
//   - [Gate] stands between whoever asks for an approval and the [tool.Approver] that decides. [Auto], [Deny],
//     [NewConsole] and [tool.ApproverFunc] are approvers.
//
// Asking a person at the terminal, for one minute at most:
//
//	gate := hostfuncs.NewGate(&hostfuncs.ApprovalOptions{
//		Approver: hostfuncs.NewConsole(os.Stdin, os.Stderr, nil),
//		Timeout:  time.Minute,
//	})
//	decision, err := gate.Ask(ctx, tool.ApprovalRequest{Tool: "deploy", Description: "Deploy to production"})
//
// # Saying no
//
// Zero values deny. A log without limits drops everything, a gate without an approver lets nothing through, and neither
// does an approver that returns an error, panics, hangs, answers late, or answers what makes no sense.
//
// # Errors
//
// A rejection is a [tool.Decision], not an error. Errors are [*tool.Error] values and say that nobody could decide.
package hostfuncs
