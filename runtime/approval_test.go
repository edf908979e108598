package runtime_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/testguest"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// decide returns options with an approver that remembers what it was asked.
func decide(d tool.Decision, err error, asked *[]tool.ApprovalRequest) *runtime.Options {
	return &runtime.Options{Approval: runtime.Approval{
		Approver: tool.ApproverFunc(func(_ context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
			*asked = append(*asked, req)
			return d, err
		}),
	}}
}

// TestRequiredApproval covers A17-124 to A17-127 and T15 for a tool whose spec requires approval.
func TestRequiredApproval(t *testing.T) {
	guest := testguest.Guest{Status: 1, Spec: spec(
		`{"name":"rm","description":"Deletes a file","requireApproval":true,"inputSchema":{"type":"object","properties":{"path":{"type":"string","minLength":1}},"required":["path"]}}`)}
	const asked = `{"path":"a"}`
	tests := []struct {
		name     string
		decision tool.Decision
		err      error
		want     string    // the result's text: what the guest got
		code     tool.Code // of the error
		message  string
	}{
		{"continue", tool.Decision{Verdict: tool.Continue}, nil, asked, "", ""},
		{"edit", tool.Decision{Verdict: tool.Edit, Text: `{ "path": "b" }`}, nil, `{"path":"b"}`, "", ""},
		{"an edit is checked again", tool.Decision{Verdict: tool.Edit, Text: `{"path":""}`}, nil, "", tool.InvalidArguments, "path"},
		{"an empty edit is checked again", tool.Decision{Verdict: tool.Edit}, nil, "", tool.InvalidArguments, "path"},
		{"reject", tool.Decision{}, nil, "", tool.Denied, `Rejected by reviewer: {"path":"a"}`},
		{"A21-8 an error is a rejection", tool.Decision{Verdict: tool.Continue}, errors.New("terminal is gone"), "", tool.Denied, "Rejected by reviewer"},
		{"a verdict that does not exist", tool.Decision{Verdict: 77}, nil, "", tool.Denied, "Rejected by reviewer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var reqs []tool.ApprovalRequest
			rm := built(t, decide(tt.decision, tt.err, &reqs), guest)
			call := args(` {"path": "a"} `)
			call.Invocation.MemoryID = "u1"
			res, err := rm.Call(t.Context(), call)
			require.Len(t, reqs, 1)
			require.Equal(t, "rm", reqs[0].Tool)
			require.Equal(t, "Deletes a file", reqs[0].Description)
			require.Equal(t, asked, reqs[0].Input, "what is shown is what runs")
			require.JSONEq(t, asked, string(reqs[0].Arguments))
			require.Equal(t, tool.BeforeExecution, reqs[0].Timing)
			require.Equal(t, "u1", reqs[0].MemoryID)
			require.Equal(t, "call_1", reqs[0].CallID)
			require.Equal(t, runtime.Digest(guest.Wasm()), reqs[0].Module)
			require.Equal(t, 5*time.Minute, reqs[0].Timeout)
			if tt.code != "" {
				require.ErrorIs(t, err, tt.code)
				require.ErrorContains(t, err, tt.message)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, res.Text())
		})
	}

	_, err := built(t, nil, guest).Call(t.Context(), args(asked))
	require.ErrorIs(t, err, tool.Misconfigured, "A17-124: nobody to ask is a configuration error")
	require.ErrorContains(t, err, "Tool 'rm' requires approval but no approver is configured")

	var reqs []tool.ApprovalRequest
	rm := built(t, decide(tool.Decision{Verdict: tool.Continue}, nil, &reqs), guest)
	_, err = rm.Call(t.Context(), args(`{"path":5}`))
	require.ErrorIs(t, err, tool.InvalidArguments)
	require.Empty(t, reqs, "nobody is asked about arguments that are refused anyway")
}

// TestGuestAsks covers A17-121 to A17-123, A21-13 and T15 for a guest that asks while it runs. The hostile guest asks until
// a limit stops it.
func TestGuestAsks(t *testing.T) {
	var reqs []tool.ApprovalRequest
	o := decide(tool.Decision{Verdict: tool.Continue}, nil, &reqs)
	o.Limits.Approvals = 2
	_, err := load(t, o, "hostile/attacks.wasm", "approval_flood").Call(t.Context(), args(`{"a":1}`))
	require.ErrorIs(t, err, tool.LimitApprovals)
	require.Len(t, reqs, 2)
	require.Equal(t, "approve this", reqs[0].Description)
	require.Equal(t, "approve this", reqs[0].Input)
	require.Equal(t, tool.DuringExecution, reqs[0].Timing)
	require.JSONEq(t, `{"a":1}`, string(reqs[0].Arguments))
}

// TestGuestAsksNobody covers A17-123 and A21-13: the guest is told, and goes on.
func TestGuestAsksNobody(t *testing.T) {
	_, err := load(t, nil, "hostile/attacks.wasm", "approval_flood").Call(t.Context(), args(""))
	require.ErrorIs(t, err, tool.LimitApprovals, "every answer was that nobody is there")
}

// TestRequiredRole covers T15 through the runtime's options.
func TestRequiredRole(t *testing.T) {
	for role, ok := range map[string]bool{"": false, "dev": false, "lead": true} {
		var reqs []tool.ApprovalRequest
		o := decide(tool.Decision{Verdict: tool.Continue, Role: role}, nil, &reqs)
		o.Approval.RequiredRole = "lead"
		_, err := built(t, o, testguest.Guest{Spec: spec(`{"name":"x","requireApproval":true}`)}).Call(t.Context(), args("{}"))
		require.Equal(t, ok, err == nil, role)
		require.Equal(t, "lead", reqs[0].RequiredRole)
	}
}

// TestGuestAsksBadly: neither a text that is too long nor one that is not UTF-8 gets to a person.
func TestGuestAsksBadly(t *testing.T) {
	approve := []testguest.Import{{Module: "wasmtools_v1", Name: "approve", Params: 2, Results: 1}}
	for name, output := range map[string]string{"long": strings.Repeat("x", 16<<10+1), "not UTF-8": "\xff"} {
		var reqs []tool.ApprovalRequest
		description := spec(`{"name":"x"}`)
		x := built(t, decide(tool.Decision{Verdict: tool.Continue}, nil, &reqs), testguest.Guest{
			Spec: description, Output: output, Imports: approve,
			Calls: "approve", CallArgs: []int32{int32(len(description)), int32(len(output))},
		})
		_, err := x.Call(t.Context(), args(""))
		require.NoError(t, err)
		require.Empty(t, reqs, name)
	}
}

// TestWaitingIsNotCharged covers T15: the time limit stands still while a person thinks.
func TestWaitingIsNotCharged(t *testing.T) {
	o := &runtime.Options{
		Limits: tool.Limits{Time: 100 * time.Millisecond, Approvals: 3},
		Approval: runtime.Approval{Approver: tool.ApproverFunc(func(context.Context, tool.ApprovalRequest) (tool.Decision, error) {
			time.Sleep(80 * time.Millisecond) // three of them are longer than the limit
			return tool.Decision{Verdict: tool.Continue}, nil
		})},
	}
	res, err := load(t, o, "hostile/attacks.wasm", "approval_flood").Call(t.Context(), args(""))
	require.ErrorIs(t, err, tool.LimitApprovals, "and not the time limit")
	require.GreaterOrEqual(t, res.Stats.Waited, 3*80*time.Millisecond)
	require.Less(t, res.Stats.Duration, 100*time.Millisecond)
}

// TestApproverThatHangs covers T15 and A17-129: the caller can always leave.
func TestApproverThatHangs(t *testing.T) {
	o := &runtime.Options{Approval: runtime.Approval{Timeout: -1, Approver: tool.ApproverFunc(
		func(ctx context.Context, _ tool.ApprovalRequest) (tool.Decision, error) {
			<-ctx.Done()
			return tool.Decision{Verdict: tool.Continue}, nil // too late
		})}}
	flood := load(t, o, "hostile/attacks.wasm", "approval_flood")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := flood.Call(ctx, args(""))
	require.ErrorIs(t, err, tool.Timeout)

	o.Approval.Timeout, o.Approval.OnTimeout = 20*time.Millisecond, tool.OnTimeoutFail
	_, err = load(t, o, "hostile/attacks.wasm", "approval_flood").Call(t.Context(), args(""))
	require.ErrorIs(t, err, tool.Timeout)
}
