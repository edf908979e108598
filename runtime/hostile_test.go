package runtime_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/testguest"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

func TestFunctionNamesAreEscaped(t *testing.T) {
	bin := bytes.ReplaceAll(hostile(t, "traps"), []byte("\x05crash"), []byte("\x05\x1b\r\u202e"))
	mod, err := newRuntime(t, nil).Load(t.Context(), "traps.wasm", bin)
	require.NoError(t, err)
	_, err = mod.Tools()[0].Call(t.Context(), args(""))
	require.ErrorIs(t, err, tool.Trap)
	require.ErrorContains(t, err, `unreachable in \x1b\r\u202e`)
}

// textTool is a tool of text that asks first.
const textTool = `{"name":"run","description":"Runs a command.","input":"text","requireApproval":true}`

func TestWhatWasApprovedIsWhatRuns(t *testing.T) {
	text := []byte("drop table tmp")
	o := &runtime.Options{Approval: runtime.Approval{Approver: tool.ApproverFunc(func(_ context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
		copy(text, "DROP EVERYTHING") // the caller reuses its buffer while a person thinks
		copy(req.Arguments, "xxxxxxxxxxxxxx")
		return tool.Decision{Verdict: tool.Continue}, nil
	})}}
	res, err := built(t, o, testguest.Guest{Spec: spec(textTool)}).Call(t.Context(), tool.Call{Arguments: text})
	require.NoError(t, err)
	require.Equal(t, "drop table tmp", res.Text())
}

func TestEditsOfTextAreChecked(t *testing.T) {
	for text, ok := range map[string]bool{"": true, strings.Repeat("x", 100): true, strings.Repeat("x", 101): false} {
		var asked []tool.ApprovalRequest
		o := decide(tool.Decision{Verdict: tool.Edit, Text: text}, nil, &asked)
		o.Limits.Input = 100
		res, err := built(t, o, testguest.Guest{Spec: spec(textTool)}).Call(t.Context(), args("ls"))
		if ok {
			require.NoError(t, err)
			require.Equal(t, text, res.Text())
			continue
		}
		require.ErrorIs(t, err, tool.LimitInput)
		require.Equal(t, tool.Denied, tool.CodeOf(err), "the model is not to blame for it")
	}
}

// TestExitEarly covers A17-132: a person's wish to stop everything is not turned into a rejection.
func TestExitEarly(t *testing.T) {
	var asked []tool.ApprovalRequest
	o := decide(tool.Decision{}, tool.Errorf(tool.ExitEarly, "enough"), &asked)
	_, err := built(t, o, testguest.Guest{Spec: spec(textTool)}).Call(t.Context(), args("ls"))
	require.ErrorIs(t, err, tool.ExitEarly)
	_, err = load(t, o, "hostile/attacks.wasm", "approval_flood").Call(t.Context(), args(""))
	require.ErrorIs(t, err, tool.ExitEarly)
}

func TestReasonsReachTheOperator(t *testing.T) {
	var logged bytes.Buffer
	o := &runtime.Options{
		Logger: slog.New(slog.NewTextHandler(&logged, nil)),
		Approval: runtime.Approval{Approver: tool.ApproverFunc(func(context.Context, tool.ApprovalRequest) (tool.Decision, error) {
			panic("database down\x1b[2J")
		})},
	}
	_, err := built(t, o, testguest.Guest{Spec: spec(textTool)}).Call(t.Context(), args("ls"))
	require.ErrorIs(t, err, tool.Denied)
	require.ErrorContains(t, err, "database down")
	require.NotContains(t, err.(*tool.Error).Message, "database", "but not the model")
	require.Contains(t, logged.String(), "database down")
	require.NotContains(t, logged.String(), "\x1b")
}

func TestWarningsAboutArgumentsAreBounded(t *testing.T) {
	var logged bytes.Buffer
	o := &runtime.Options{Logger: slog.New(slog.NewTextHandler(&logged, nil))}
	x := built(t, o, testguest.Guest{Status: 1, Spec: spec(`{"name":"x","inputSchema":{"type":"object","properties":{"a":{"type":"array","items":{"enum":["YES"]}}}}}`)})
	call := args(`{"a":["yes"` + strings.Repeat(`,"yes"`, 800) + `]}`)
	call.ID = "c1\nforged"
	_, err := x.Call(t.Context(), call)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(logged.String(), "\n"))
	require.Contains(t, logged.String(), "changes=801")
	require.Less(t, logged.Len(), 2000)
}

// panicking is an application's log handler with a defect.
type panicking struct{ slog.Handler }

func (panicking) Handle(context.Context, slog.Record) error { panic("handler") }

func TestHostPanicIsNotTheGuestsFault(t *testing.T) {
	o := &runtime.Options{Logger: slog.New(panicking{slog.NewTextHandler(&bytes.Buffer{}, nil)})}
	_, err := load(t, o, "hostile/attacks.wasm", "log_flood").Call(t.Context(), args(""))
	require.Equal(t, tool.Internal, tool.CodeOf(err))
	require.ErrorContains(t, err, "handler")
}

func TestMemoryIDsDoNotCollide(t *testing.T) {
	call := args("{}")
	call.Invocation.MemoryID = "a\xff" // would be "a\ufffd" in JSON, as would "a\xfe"
	_, err := built(t, nil, testguest.Guest{Spec: spec(`{"name":"x"}`)}).Call(t.Context(), call)
	require.ErrorIs(t, err, tool.Misconfigured)
}

func TestCloseDuringApproval(t *testing.T) {
	rt, err := runtime.New(t.Context(), &runtime.Options{Approval: runtime.Approval{Timeout: -1, Approver: tool.ApproverFunc(
		func(ctx context.Context, _ tool.ApprovalRequest) (tool.Decision, error) {
			<-ctx.Done()
			return tool.Decision{}, ctx.Err()
		})}})
	require.NoError(t, err)
	mod, err := rt.Load(t.Context(), "x", testguest.Guest{Spec: spec(textTool)}.Wasm())
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() {
		_, err := mod.Tools()[0].Call(context.Background(), args("ls"))
		ended <- err
	}()
	require.Eventually(t, func() bool { return runtime.Running(mod) == 1 }, 10*time.Second, time.Millisecond)
	require.NoError(t, rt.Close(context.Background()))
	require.ErrorIs(t, <-ended, tool.Closed)
}

// TestBlockedLogger: a call ends at its deadline although the application's logger does not return, and so does Close. What
// is left behind is counted.
func TestBlockedLogger(t *testing.T) {
	entered, release := make(chan struct{}, 5000), make(chan struct{})
	o := &runtime.Options{
		Logger: slog.New(slowHandler{entered, release}),
		Limits: tool.Limits{Time: 50 * time.Millisecond},
		Totals: runtime.TotalLimits{Abandoned: 1},
	}
	rt, err := runtime.New(t.Context(), o)
	require.NoError(t, err)
	mod, err := rt.Load(t.Context(), "attacks.wasm", hostile(t, "attacks"))
	require.NoError(t, err)
	flood, err := mod.Tool("log_flood")
	require.NoError(t, err)
	for n := range int64(2) {
		_, err = flood.Call(t.Context(), args(""))
		require.ErrorIs(t, err, tool.LimitTime)
		<-entered
		require.Equal(t, n+1, rt.Stats().Abandoned)
		require.Zero(t, rt.Stats().Instances)
	}
	_, err = flood.Call(t.Context(), args(""))
	require.Equal(t, tool.Unavailable, tool.CodeOf(err))
	require.ErrorIs(t, err, tool.LimitAbandoned)
	require.NoError(t, rt.Close(t.Context()))
	require.NoError(t, rt.Close(t.Context()))
	close(release)
	require.Eventually(t, func() bool { return rt.Stats().Late == 2 }, 10*time.Second, time.Millisecond)
	require.Zero(t, rt.Stats().Abandoned)
	require.Empty(t, entered, "what a call logs after its logger was left behind is dropped")
}

// slowHandler blocks until it is released.
type slowHandler struct{ entered, release chan struct{} }

func (slowHandler) Enabled(context.Context, slog.Level) bool { return true }
func (h slowHandler) Handle(context.Context, slog.Record) error {
	h.entered <- struct{}{}
	<-h.release
	return nil
}
func (h slowHandler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h slowHandler) WithGroup(string) slog.Handler      { return h }

func TestCachedLoadIgnoresAnEndedContext(t *testing.T) {
	rt := newRuntime(t, nil)
	bin := hostile(t, "attacks")
	_, err := rt.Load(t.Context(), "x", bin)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 50 {
		_, err := rt.Load(ctx, "x", bin)
		require.NoError(t, err, "what is there needs no waiting")
	}
}

// TestSilenceIsNotARejection covers T15: the model is told that nobody decided.
func TestSilenceIsNotARejection(t *testing.T) {
	o := &runtime.Options{Approval: runtime.Approval{Timeout: time.Millisecond, Approver: tool.ApproverFunc(
		func(ctx context.Context, _ tool.ApprovalRequest) (tool.Decision, error) {
			<-ctx.Done()
			return tool.Decision{}, ctx.Err()
		})}}
	_, err := built(t, o, testguest.Guest{Spec: spec(textTool)}).Call(t.Context(), args("ls"))
	require.Equal(t, tool.Denied, tool.CodeOf(err))
	require.Equal(t, "Approval timed out: ls", tool.MessageOf(err))
}

func TestNewRefusesLimitsThatCannotBe(t *testing.T) {
	for _, o := range []runtime.Options{
		{Limits: tool.Limits{Time: -5}}, {Limits: tool.Limits{Memory: 100}},
		{Load: runtime.LoadLimits{Module: -2}}, {Load: runtime.LoadLimits{Time: -2}},
	} {
		_, err := runtime.New(t.Context(), &o)
		require.ErrorIs(t, err, tool.Misconfigured)
	}
}
