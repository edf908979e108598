package runtime

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero/sys"

	"github.com/wasmtools/wasmtools/internal/printable"
	"github.com/wasmtools/wasmtools/tool"
)

// abiError is a guest's breach of the contract. It becomes a trap.
type abiError struct{ text string }

func (e *abiError) Error() string { return "abi violation: " + e.text }

func abiViolation(format string, args ...any) error { return &abiError{fmt.Sprintf(format, args...)} }

func badPointer(function string) error {
	return abiViolation("%q was given memory that is not the guest's", function)
}

// guestError turns what ended a guest into the error that the caller gets. The order of the cases matters: a cut-off shows
// up as an exit or a trap as well, and a guest that was refused memory goes on to do anything.
func guestError(ctx context.Context, s *callState, err error) *tool.Error {
	var known *tool.Error
	var exit *sys.ExitError
	switch {
	case errors.As(s.fault, &known), s.fault == nil && errors.As(err, &known):
		return known
	case s.fault == nil && ctx.Err() != nil:
		return contextError(ctx)
	case s.instance.memory.refused != nil:
		return outOfMemory(s.instance.memory.refused)
	case s.fault != nil:
		return trapped(s, s.fault.Error(), "")
	case errors.As(err, &exit):
		return trapped(s, fmt.Sprintf("exit with code %d", exit.ExitCode()), "")
	}
	kind, function, ofHost := parseTrap(err)
	if kind == overflowKind {
		return stackOverflow(s.limits.Stack, 0)
	}
	if ofHost {
		return tool.Errorf(tool.Internal, "the host failed").WithCause(errors.New(kind))
	}
	return trapped(s, kind, function)
}

func outOfMemory(limit *tool.LimitError) *tool.Error {
	hint := "raise the memory limit, or give the tool less to do"
	if limit.Name == tool.LimitTotalMemory {
		hint = "call less at a time, or raise the limit in Options.Totals"
	}
	return tool.Errorf(tool.LimitExceeded, "the tool ran out of memory").WithCause(limit).WithHint("%s", hint)
}

// trapped returns the error of a crash. A model learns no more than an ID; everything else is for the operator.
func trapped(s *callState, kind, function string) *tool.Error {
	id := errorID()
	return tool.Errorf(tool.Trap, "the tool crashed (error %s)", id).
		WithCause(&tool.TrapError{Kind: kind, Function: function, LastWords: s.log.tail(), ID: id}).
		WithHint("%s", trapHint(kind, s.log.tail()))
}

// trapHint says whose turn it is after a crash.
func trapHint(kind, lastWords string) string {
	switch {
	case strings.Contains(lastWords, "panic: "), strings.Contains(lastWords, "fatal error: "):
	case strings.HasPrefix(kind, "abi violation"):
		return "the module does not keep to docs/abi.md: this is for its author to mend"
	case strings.HasPrefix(kind, "exit with code"):
		return "a tool returns its result and does not exit: this is for its author to mend"
	}
	return "this is a defect of the tool, for its author to mend"
}

// overflowKind is what the engine says when its own stack is used up.
const overflowKind = "stack overflow"

// hostPanic marks the error of a panic in Go code: a logger's, or a defect of ours.
const hostPanic = " (recovered by wazero)"

// maxTrapText bounds what is kept of a kind and of a function's name, which the guest chose.
const maxTrapText = 200

// parseTrap reads wazero's error text, because its error type is not exported. The first line is such as "wasm error:
// unreachable". A stack trace follows, innermost first.
func parseTrap(err error) (kind, function string, ofHost bool) {
	text, trace, _ := strings.Cut(err.Error(), "\nwasm stack trace:\n")
	text, _, _ = strings.Cut(text, "\n")
	text, ofHost = strings.CutSuffix(text, hostPanic)
	frame, _, _ := strings.Cut(strings.TrimSpace(trace), "\n")
	function, _, _ = strings.Cut(frame, "(")
	return trapText(strings.TrimPrefix(text, "wasm error: ")), trapText(strings.TrimPrefix(function, ".")), ofHost
}

func trapText(s string) string { return printable.Escape(printable.Truncate(s, maxTrapText)) }

func errorID() string {
	var b [4]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
