package hostfuncs_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/tool"
)

// answer returns an approver that always answers the same.
func answer(d tool.Decision, err error) tool.Approver {
	return tool.ApproverFunc(func(context.Context, tool.ApprovalRequest) (tool.Decision, error) { return d, err })
}

func ask(t *testing.T, o hostfuncs.ApprovalOptions, req tool.ApprovalRequest) tool.Decision {
	t.Helper()
	d, err := hostfuncs.NewGate(&o).Ask(t.Context(), req)
	require.NoError(t, err)
	return d
}

func TestApproversThatDecideNothing(t *testing.T) {
	type approverFunc = tool.ApproverFunc
	for _, tt := range []struct {
		name     string
		approver tool.Approver
		reason   string
	}{
		{"zero decision", answer(tool.Decision{}, nil), ""},
		{"error", answer(tool.Decision{Verdict: tool.Continue}, errors.New("no route")), "no route"},
		{"panic", approverFunc(func(context.Context, tool.ApprovalRequest) (tool.Decision, error) { panic("boom") }), "panic: boom"},
		{"nil function", approverFunc(nil), "panic"},
		{"end of the goroutine", approverFunc(func(context.Context, tool.ApprovalRequest) (tool.Decision, error) {
			runtime.Goexit()
			return tool.Decision{Verdict: tool.Continue}, nil
		}), "goroutine"},
		{"unknown verdict", answer(tool.Decision{Verdict: 7}, nil), "verdict(7)"},
		{"negative verdict", answer(tool.Decision{Verdict: -1}, nil), "verdict(-1)"},
		{"consent because nobody decided", answer(tool.Decision{Verdict: tool.Continue, TimedOut: true}, nil), "nobody decided"},
		{"edit that is not UTF-8 (T15 Edit(null))", answer(tool.Decision{Verdict: tool.Edit, Text: "\xff"}, nil), "UTF-8"},
		{"edit that cannot be staged", answer(tool.Decision{Verdict: tool.Edit, Text: strings.Repeat("x", abi.MaxStaged+1)}, nil), "8388608 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := ask(t, hostfuncs.ApprovalOptions{Approver: tt.approver}, tool.ApprovalRequest{})
			require.Equal(t, tool.Reject, d.Verdict)
			require.Contains(t, d.Reason, tt.reason)
			require.Empty(t, d.Text)
		})
	}

	t.Run("description that nobody could read", func(t *testing.T) {
		d := ask(t, hostfuncs.ApprovalOptions{Approver: hostfuncs.Auto()}, tool.ApprovalRequest{Description: strings.Repeat("x", 64<<10+1)})
		require.Equal(t, tool.Reject, d.Verdict)
		require.Contains(t, d.Reason, "65537 bytes, at most 65536")
	})
}

// T15: Continue, Edit, ExitEarly, and A17-122.
func TestDecisions(t *testing.T) {
	for _, tt := range []struct {
		name     string
		in, want tool.Decision
	}{
		{"T15 Continue", tool.Decision{Verdict: tool.Continue, Text: "ignored"}, tool.Decision{Verdict: tool.Continue}},
		{"T15 Edit(x)", tool.Decision{Verdict: tool.Edit, Text: "x\n\x1b"}, tool.Decision{Verdict: tool.Edit, Text: "x\n\x1b"}},
		{"T15 Edit of nothing", tool.Decision{Verdict: tool.Edit}, tool.Decision{Verdict: tool.Edit}},
		{"T15 ExitEarly", tool.Decision{Reason: "too risky", Text: "ignored"}, tool.Decision{Reason: "too risky"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, ask(t, hostfuncs.ApprovalOptions{Approver: answer(tt.in, nil)}, tool.ApprovalRequest{}))
		})
	}

	t.Run("T15 handler of wrong type: does not compile", func(t *testing.T) {
		require.Equal(t, tool.Continue, ask(t, hostfuncs.ApprovalOptions{Approver: hostfuncs.Auto()}, tool.ApprovalRequest{}).Verdict)
		require.Equal(t, tool.Reject, ask(t, hostfuncs.ApprovalOptions{Approver: hostfuncs.Deny()}, tool.ApprovalRequest{}).Verdict)
	})
}

func TestNoApprover(t *testing.T) {
	for _, tt := range []struct {
		name string
		req  tool.ApprovalRequest
		code tool.Code
		text string
	}{
		{"A21-13, T15 no handler, tool asks", tool.ApprovalRequest{Tool: "deploy", Timing: tool.DuringExecution},
			tool.Denied, "approval denied: no approver is configured"},
		{"A17-124, T15 no handler, requireApproval", tool.ApprovalRequest{Tool: "deploy", Timing: tool.BeforeExecution},
			tool.Misconfigured, `tool "deploy" requires approval, but no approver is configured`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, g := range []*hostfuncs.Gate{hostfuncs.NewGate(nil), hostfuncs.NewGate(&hostfuncs.ApprovalOptions{OnTimeout: tool.OnTimeoutContinue})} {
				require.False(t, g.HasApprover())
				d, err := g.Ask(t.Context(), tt.req)
				require.Equal(t, tool.Decision{}, d)
				require.ErrorIs(t, err, tt.code)
				require.EqualError(t, err, tt.text)
			}
		})
	}

	t.Run("T15 no handler, tool asks under approve=auto", func(t *testing.T) {
		require.Equal(t, tool.Continue, ask(t, hostfuncs.ApprovalOptions{Approver: hostfuncs.Auto()}, tool.ApprovalRequest{}).Verdict)
	})
}

// T15: timeout fires. The approver hangs and does not look at its context; what it answers at last is dropped.
func TestTimeout(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options hostfuncs.ApprovalOptions
		after   time.Duration
		want    tool.Decision
		err     error
	}{
		{"A17-125, T15 default: 5 min, EXIT_EARLY", hostfuncs.ApprovalOptions{}, 5 * time.Minute,
			tool.Decision{TimedOut: true, Reason: "nobody decided within 5m0s"}, nil},
		{"T15 EXIT_EARLY", hostfuncs.ApprovalOptions{Timeout: time.Second}, time.Second,
			tool.Decision{TimedOut: true, Reason: "nobody decided within 1s"}, nil},
		{"T15 CONTINUE", hostfuncs.ApprovalOptions{Timeout: time.Second, OnTimeout: tool.OnTimeoutContinue}, time.Second,
			tool.Decision{Verdict: tool.Continue, TimedOut: true, Reason: "nobody decided within 1s"}, nil},
		{"T15 FAIL", hostfuncs.ApprovalOptions{Timeout: time.Second, OnTimeout: tool.OnTimeoutFail}, time.Second,
			tool.Decision{}, tool.Timeout},
		{"unknown action", hostfuncs.ApprovalOptions{Timeout: time.Second, OnTimeout: "perhaps"}, time.Second,
			tool.Decision{TimedOut: true, Reason: "nobody decided within 1s"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				tt.options.Approver = tool.ApproverFunc(func(context.Context, tool.ApprovalRequest) (tool.Decision, error) {
					<-release
					return tool.Decision{Verdict: tool.Continue}, nil
				})
				start := time.Now()
				d, err := hostfuncs.NewGate(&tt.options).Ask(t.Context(), tool.ApprovalRequest{})
				require.Equal(t, tt.after, time.Since(start))
				require.Equal(t, tt.want, d)
				require.ErrorIs(t, err, tt.err)
				close(release) // the bubble fails if the approver's goroutine does not end
			})
		})
	}
}

func TestLateConsentIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := ask(t, hostfuncs.ApprovalOptions{Approver: tool.ApproverFunc(func(ctx context.Context, _ tool.ApprovalRequest) (tool.Decision, error) {
			<-ctx.Done()
			return tool.Decision{Verdict: tool.Edit, Text: "late"}, nil
		})}, tool.ApprovalRequest{})
		require.Equal(t, tool.Reject, d.Verdict)
		require.True(t, d.TimedOut)
		require.Empty(t, d.Text)
	})
}

func TestNoTimeout(t *testing.T) { // T15 timeout null/0/negative: here zero is the default and negative is for ever
	synctest.Test(t, func(t *testing.T) {
		o := hostfuncs.ApprovalOptions{Timeout: -1, Approver: tool.ApproverFunc(func(ctx context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
			require.Zero(t, req.Timeout)
			time.Sleep(1000 * time.Hour)
			return tool.Decision{Verdict: tool.Continue}, ctx.Err()
		})}
		require.Equal(t, tool.Decision{Verdict: tool.Continue}, ask(t, o, tool.ApprovalRequest{}))
	})
}

func TestCallerGivesUp(t *testing.T) {
	hang := tool.ApproverFunc(func(ctx context.Context, _ tool.ApprovalRequest) (tool.Decision, error) {
		<-ctx.Done()
		return tool.Decision{Verdict: tool.Continue}, nil
	})
	gate := hostfuncs.NewGate(&hostfuncs.ApprovalOptions{Approver: hang, OnTimeout: tool.OnTimeoutContinue})

	t.Run("cancels", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			d, err := gate.Ask(ctx, tool.ApprovalRequest{})
			require.Equal(t, tool.Decision{}, d)
			require.ErrorIs(t, err, tool.Canceled)
			require.ErrorIs(t, err, context.Canceled)
		})
	})
	t.Run("has a deadline of its own", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := gate.Ask(ctx, tool.ApprovalRequest{})
			require.ErrorIs(t, err, tool.Timeout)
			require.ErrorIs(t, err, context.DeadlineExceeded)
		})
	})
	t.Run("had given up before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		asked := false
		_, err := hostfuncs.NewGate(&hostfuncs.ApprovalOptions{Approver: tool.ApproverFunc(func(context.Context, tool.ApprovalRequest) (tool.Decision, error) {
			asked = true
			return tool.Decision{Verdict: tool.Continue}, nil
		})}).Ask(ctx, tool.ApprovalRequest{})
		require.ErrorIs(t, err, tool.Canceled)
		require.False(t, asked)
	})
}

func TestRequiredRole(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   tool.Decision
		want tool.Verdict
	}{
		{"T15 requiredRole set, another decides", tool.Decision{Verdict: tool.Continue, Role: "intern"}, tool.Reject},
		{"T15 requiredRole set, nobody in particular decides", tool.Decision{Verdict: tool.Edit, Text: "x"}, tool.Reject},
		{"T15 requiredRole set, it differs by case", tool.Decision{Verdict: tool.Continue, Role: "Admin"}, tool.Reject},
		{"T15 requiredRole set, it decides", tool.Decision{Verdict: tool.Continue, Role: "admin"}, tool.Continue},
		{"anybody may reject", tool.Decision{Role: "intern"}, tool.Reject},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := hostfuncs.ApprovalOptions{Approver: answer(tt.in, nil), RequiredRole: "admin"}
			require.Equal(t, tt.want, ask(t, o, tool.ApprovalRequest{}).Verdict)
		})
	}
	require.Equal(t, tool.Reject, ask(t, hostfuncs.ApprovalOptions{Approver: hostfuncs.Auto(), RequiredRole: "admin"}, tool.ApprovalRequest{}).Verdict)
}

// A17-125, A17-127 and T15 control characters/ANSI: what an approver is shown.
func TestRequest(t *testing.T) {
	const raw = "rm\x1b[2J\u202e\n\xff"
	const escaped = `rm\x1b[2J\u202e\n\xff`
	args := json.RawMessage(`{"a":1}`)
	for _, tt := range []struct {
		timing tool.ApprovalTiming
		input  string
	}{
		{tool.DuringExecution, escaped},
		{"", escaped},
		{tool.BeforeExecution, raw},
	} {
		t.Run("asked "+string(tt.timing), func(t *testing.T) {
			var got tool.ApprovalRequest
			ask(t, hostfuncs.ApprovalOptions{
				Approver: tool.ApproverFunc(func(_ context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
					got = req
					req.Arguments[1] = 'X'
					return tool.Decision{}, nil
				}),
				Timeout: time.Hour, OnTimeout: tool.OnTimeoutFail, RequiredRole: "admin",
			}, tool.ApprovalRequest{
				Tool: "sh", CallID: "1", Arguments: args, Timing: tt.timing, Description: raw, Input: raw,
				Timeout: 1, OnTimeout: tool.OnTimeoutContinue, RequiredRole: "none",
			})
			require.JSONEq(t, `{"a":1}`, string(args), "the approver changed what runs")
			got.Arguments = nil
			require.Equal(t, tool.ApprovalRequest{
				Tool: "sh", CallID: "1", Timing: tt.timing, Description: escaped, Input: tt.input,
				Timeout: time.Hour, OnTimeout: tool.OnTimeoutFail, RequiredRole: "admin",
			}, got)
		})
	}
}

func TestEveryRequestIsAskedAnew(t *testing.T) { // T15 guest asks twice; approval result caching
	reviews := 0
	gate := hostfuncs.NewGate(&hostfuncs.ApprovalOptions{Approver: tool.ApproverFunc(func(context.Context, tool.ApprovalRequest) (tool.Decision, error) {
		reviews++
		return tool.Decision{Verdict: tool.Continue}, nil
	})})
	for range 2 {
		_, err := gate.Ask(t.Context(), tool.ApprovalRequest{CallID: "same", Description: "same"})
		require.NoError(t, err)
	}
	require.Equal(t, 2, reviews)
}

func TestOtherApproversAreNotSerialised(t *testing.T) { // A17-128, T15 two tools at once, webhook/auto
	synctest.Test(t, func(t *testing.T) {
		both := make(chan struct{})
		gate := hostfuncs.NewGate(&hostfuncs.ApprovalOptions{Approver: tool.ApproverFunc(func(_ context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
			if req.Tool == "first" {
				<-both
			} else {
				close(both)
			}
			return tool.Decision{Verdict: tool.Continue}, nil
		})})
		verdicts := make(chan tool.Decision, 2)
		for _, name := range []string{"first", "second"} {
			go func() {
				d, _ := gate.Ask(t.Context(), tool.ApprovalRequest{Tool: name})
				verdicts <- d
			}()
		}
		require.Equal(t, tool.Decision{Verdict: tool.Continue}, <-verdicts)
		require.Equal(t, tool.Decision{Verdict: tool.Continue}, <-verdicts)
	})
}

func TestRejectedMessage(t *testing.T) { // A17-126, T15 ExitEarly
	require.Equal(t, "Rejected by reviewer: rm -rf /", hostfuncs.RejectedMessage("rm -rf /"))
	require.Equal(t, "Rejected by reviewer: \ufffd", hostfuncs.RejectedMessage("\xff"))
	long := hostfuncs.RejectedMessage(strings.Repeat("é", 501))
	require.Equal(t, "Rejected by reviewer: "+strings.Repeat("é", 500)+"... [truncated, full length: 501 chars]", long)
}
