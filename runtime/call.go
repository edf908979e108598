package runtime

import (
	"context"
	"encoding/json"
	"time"

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

// callState is all that host functions know about one call. It belongs to an instance, and is used by the goroutine that runs
// the guest.
type callState struct {
	instance *instance
	wasi     wasi.State
	streams  [2]logWriter

	callInput
	phase  phase
	clock  *clock
	stack  stackGauge    // of the function that runs
	given  int64         // fuel, what was used included
	core   bool          // the call holds a core in the pool
	paced  time.Duration // what the clock said when others last got their turn
	staged []byte        // what read returns next
	output []byte

	hostCalls int64
	approvals int64

	fault error // the error that ended the call from inside a host function
	doubt bool  // a host function was left behind: the instance is not used again
}

// callInput is what a call brings along.
type callInput struct {
	limits tool.Limits
	log    *lazyLog
	input  []byte    // the arguments as the guest gets them
	call   *toolCall // nil outside of execution
}

// init prepares the state of a new instance.
func (s *callState) init(inst *instance, e *engine) {
	s.instance = inst
	s.streams = [2]logWriter{{s, "stdout"}, {s, "stderr"}}
	s.wasi = e.wasiState(s)
	s.reset()
}

// reset forgets the last call.
func (s *callState) reset() {
	output := s.output[:0]
	if cap(output) > keptOutput {
		output = nil
	}
	*s = callState{instance: s.instance, wasi: s.wasi, streams: s.streams, output: output}
	s.wasi.Reset()
}

// keptOutput is the size of an output whose memory is used again, in bytes.
const keptOutput = 64 << 10

// begin starts a call, or another thing that an instance is to do.
func (s *callState) begin(p phase, in callInput) {
	s.phase, s.callInput = p, in
	s.instance.memory.begin(in.limits.Memory)
	s.startFuel()
}

// block says that the call is about to wait in a host function.
func (s *callState) block() {
	if s.core {
		s.core = false
		s.instance.pool.yield()
	}
}

// stateOf returns the state of the call that ctx is the clock of, or is made from that.
func stateOf(ctx context.Context) *callState {
	if c, ok := ctx.(*clock); ok {
		return c.state
	}
	return ctx.Value(stateKey{}).(*callState)
}

type stateKey struct{}

// lazyLog makes a log when it is needed.
type lazyLog struct {
	options hostfuncs.LogOptions
	log     *hostfuncs.Log
}

func (l *lazyLog) get() *hostfuncs.Log {
	if l.log == nil {
		l.log = hostfuncs.NewLog(l.options)
	}
	return l.log
}

// tail returns the guest's last words.
func (l *lazyLog) tail() string {
	if l.log == nil {
		return ""
	}
	return l.log.Tail()
}

// stuck tells whether the logger was left behind.
func (l *lazyLog) stuck() bool { return l.log != nil && l.log.Stuck() }

// lastWords is how long a logger may take for a guest's last lines when the call has no time left.
const lastWords = 2 * time.Millisecond

// close logs what the guest left unfinished, and returns how many records were dropped.
func (l *lazyLog) close(ctx context.Context) int64 {
	if l.log == nil {
		return 0
	}
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), lastWords)
		defer cancel()
	}
	l.log.Close(ctx)
	return l.log.Dropped()
}

// logWriter is a guest's standard output or error.
type logWriter struct {
	state *callState
	name  string
}

func (w *logWriter) Write(p []byte) (int, error) {
	w.state.block()
	return w.state.log.get().Stream(w.state.clock, w.name).Write(p)
}

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
	if s.hostCalls%16 == 0 { // each may take some microseconds
		s.checkTime(s.clock)
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
	s.block()
	decision, err := s.call.approveDescription(ctx, description)
	switch {
	case ctx.Err() != nil:
		s.doubt = true
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
