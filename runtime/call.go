package runtime

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/internal/wasi"
	"github.com/wasmtools/wasmtools/tool"
)

// phase says what an instance is doing, and so which host functions it may use.
type phase int

const (
	initializing phase = iota // nothing
	describing                // write
	executing                 // everything
)

// callState is all that host functions know about one call. It belongs to the goroutine that runs the guest.
type callState struct {
	phase  phase
	limits tool.Limits
	log    *hostfuncs.Log
	memory *memoryLimit
	wasi   wasi.State

	input   []byte // the arguments as the guest gets them
	context []byte // the abi.Context as JSON
	staged  []byte // what read returns next
	output  []byte

	// approve asks a person about what the guest describes. It is nil outside of execution.
	approve func(ctx context.Context, description string) (tool.Decision, error)

	clock *clock
	stack stackGauge // of the function that runs
	given int64      // fuel, what was used included

	hostCalls int64
	approvals int64

	// fault is the error that ended the call from inside a host function.
	fault error
}

type stateKey struct{}

// withState puts the state where wazero hands it to host functions. Nothing outside this package can get at it.
func withState(ctx context.Context, s *callState) context.Context {
	return context.WithValue(ctx, stateKey{}, s)
}

func stateOf(ctx context.Context) *callState { return ctx.Value(stateKey{}).(*callState) }

// stop ends the call with err: it unwinds the guest, which does not get to see it.
func (s *callState) stop(err error) {
	s.fault = err
	panic(err)
}

// exceed ends the call because a limit was reached.
func (s *callState) exceed(name tool.LimitName, limit, actual int64) {
	message := map[tool.LimitName]string{
		tool.LimitFuel:      "the tool has more work to do than it may",
		tool.LimitOutput:    "the tool's output is too large",
		tool.LimitSpec:      "the description is too large",
		tool.LimitHostCalls: "the tool called the host too often",
		tool.LimitApprovals: "the tool asked for approval too often",
	}[name]
	field := "Options.Limits"
	if name == tool.LimitSpec {
		field = "Options.Load"
	}
	s.stop(tool.Errorf(tool.LimitExceeded, "%s", message).
		WithCause(&tool.LimitError{Name: name, Max: limit, Actual: actual}).
		WithHint("if the tool is to be trusted with more, raise this limit in %s", field))
}

// enter is called first in every host function.
func (s *callState) enter(function string) {
	s.hostCalls++
	if tool.Exceeded(s.limits.HostCalls, s.hostCalls) {
		s.exceed(tool.LimitHostCalls, s.limits.HostCalls, s.hostCalls)
	}
	if s.phase == executing || (s.phase == describing && function == abi.ImportWrite) {
		return
	}
	s.stop(abiViolation("calls %q before it is executed", function))
}

// room makes sure that n bytes more of output are allowed.
func (s *callState) room(n uint32) {
	if size := int64(len(s.output)) + int64(n); tool.Exceeded(s.limits.Output, size) {
		name := tool.LimitOutput
		if s.phase == describing {
			name = tool.LimitSpec
		}
		s.exceed(name, s.limits.Output, size)
	}
}

// stage puts data aside for read and returns its size.
func (s *callState) stage(data []byte) int32 {
	s.staged = data
	return int32(len(data))
}

// ask asks for approval and returns what the guest is told.
func (s *callState) ask(ctx context.Context, description string) int32 {
	s.approvals++
	if tool.Exceeded(s.limits.Approvals, s.approvals) {
		s.exceed(tool.LimitApprovals, s.limits.Approvals, s.approvals)
	}
	decision, err := s.approve(ctx, description)
	switch {
	case ctx.Err() != nil:
		s.stop(contextError(ctx))
	case tool.CodeOf(err) == tool.Denied:
		return abi.ErrDenied
	case err != nil:
		s.stop(err)
	}
	switch decision.Verdict {
	case tool.Continue:
		s.staged = nil
		return int32(abi.NewDecision(abi.DecisionContinue, 0))
	case tool.Edit:
		size := s.stage([]byte(decision.Text)) // the gate lets no larger one through than fits
		return int32(abi.NewDecision(abi.DecisionEdit, int(size)))
	}
	s.staged = nil
	return int32(abi.NewDecision(abi.DecisionReject, 0))
}

// contextJSON encodes what the guest may know about the invocation.
func contextJSON(call tool.Call) ([]byte, error) {
	if !utf8.ValidString(call.Invocation.MemoryID) {
		return nil, tool.Errorf(tool.Misconfigured, "the memory ID is not UTF-8") // two of them must not become one
	}
	c := abi.Context{CallID: call.ID, MemoryID: call.Invocation.MemoryID}
	if len(call.Invocation.Params) > 0 {
		c.Params = make(map[string]json.RawMessage, len(call.Invocation.Params))
	}
	for name, value := range call.Invocation.Params {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, tool.Errorf(tool.Misconfigured, "parameter %q of the invocation is not JSON", name).WithCause(err)
		}
		c.Params[name] = text
	}
	return json.Marshal(c)
}
