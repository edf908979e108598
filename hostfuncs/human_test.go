package hostfuncs_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/tool"
)

// A17-131, A17-132 and the last row of T15: the tool that asks a person.
func TestHumanInput(t *testing.T) {
	for _, tt := range []struct {
		name     string
		approver tool.Approver
		want     string
		err      error
	}{
		{"T15 human input: ExitEarly", hostfuncs.Deny(), "", tool.ExitEarly},
		{"T15 human input: Continue", hostfuncs.Auto(), "Understood. Please continue.", nil},
		{"T15 human input: Edit", answer(tool.Decision{Verdict: tool.Edit, Text: "Paris"}, nil), "Paris", nil},
		{"T15 human input: Edit of nothing", answer(tool.Decision{Verdict: tool.Edit}, nil), "", nil},
		{"T15 human input: no handler", nil, "No reviewer is available. Please proceed with your best judgment.", nil},
		{"approver without sense", answer(tool.Decision{Verdict: 9}, nil), "", tool.ExitEarly},
	} {
		t.Run(tt.name, func(t *testing.T) {
			human := hostfuncs.NewHumanInput(&hostfuncs.ApprovalOptions{Approver: tt.approver})
			res, err := human.Call(t.Context(), tool.Call{Arguments: json.RawMessage(`{"input":"Which city?"}`)})
			require.ErrorIs(t, err, tt.err)
			require.Equal(t, tt.want, res.Text())
			require.Nil(t, res.Error)
		})
	}
}

func TestHumanInputTimeout(t *testing.T) {
	for action, want := range map[tool.TimeoutAction]error{
		tool.OnTimeoutReject: tool.ExitEarly, tool.OnTimeoutFail: tool.Timeout, tool.OnTimeoutContinue: nil,
	} {
		t.Run("on timeout "+string(action), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hang := tool.ApproverFunc(func(ctx context.Context, _ tool.ApprovalRequest) (tool.Decision, error) {
					<-ctx.Done()
					return tool.Decision{}, ctx.Err()
				})
				human := hostfuncs.NewHumanInput(&hostfuncs.ApprovalOptions{Approver: hang, OnTimeout: action})
				res, err := human.Call(t.Context(), tool.Call{})
				require.ErrorIs(t, err, want)
				if want == nil { // T15 time spent waiting
					require.Equal(t, tool.Stats{Waited: 5 * time.Minute}, res.Stats)
				}
			})
		})
	}
}

func TestHumanInputQuestion(t *testing.T) { // T3, single-input rows
	for _, tt := range []struct{ args, want string }{
		{`{"input":"a\u001bb"}`, `a\x1bb`},
		{`{"input":5}`, `5`},
		{`{"input": { "k": 1 }}`, `{"k":1}`},
		{`{"input":"x","input":"y"}`, `{"input":"x","input":"y"}`},
		{`{"input":null}`, `{"input":null}`},
		{`{"Input":"x"}`, `{"Input":"x"}`},
		{`{"other":1}`, `{"other":1}`},
		{`which city`, `which city`},
		{``, ``},
	} {
		t.Run(tt.args, func(t *testing.T) {
			var got tool.ApprovalRequest
			human := hostfuncs.NewHumanInput(&hostfuncs.ApprovalOptions{Approver: tool.ApproverFunc(func(_ context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
				got = req
				return tool.Decision{Verdict: tool.Continue}, nil
			})})
			_, err := human.Call(t.Context(), tool.Call{ID: "7", Arguments: json.RawMessage(tt.args), Invocation: tool.Invocation{MemoryID: "u1"}})
			require.NoError(t, err)
			require.Equal(t, tt.want, got.Input)
			require.Equal(t, tt.want, got.Description)
			require.Equal(t, []string{"human_input", "7", "u1"}, []string{got.Tool, got.CallID, got.MemoryID})
		})
	}

	human := hostfuncs.NewHumanInput(&hostfuncs.ApprovalOptions{Approver: hostfuncs.Auto()})
	_, err := human.Call(t.Context(), tool.Call{Arguments: json.RawMessage(strings.Repeat("x", 64<<10+1))})
	require.ErrorIs(t, err, tool.InvalidArguments)
}

func TestHumanInputSpec(t *testing.T) {
	spec := hostfuncs.NewHumanInput(nil).Spec()
	require.Equal(t, "human_input", spec.Name)
	require.Equal(t, tool.InputText, spec.Input)
	require.JSONEq(t, tool.TextInputSchema, string(spec.InputSchema))
	require.ErrorContains(t, spec.Check(tool.NativeNames), "reserved", "no guest may take the name")
}
