package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/tool"
)

// TestCheckName covers A1-3 to A1-5, A9-82 and T1.
func TestCheckName(t *testing.T) {
	for _, tt := range []struct {
		name        string
		native, mcp bool
		warnings    int
	}{
		{"", false, false, 0},
		{"   ", false, false, 0},
		{"web_search", true, true, 0},
		{"Get", true, true, 0},
		{"get-weather", false, true, 0},
		{"admin.tools.list", false, true, 0},
		{"-x", false, true, 1},
		{"9lives", true, true, 1},
		{"has space", false, false, 0},
		{"a,b", false, false, 0},
		{"é", false, false, 0},
		{"☂", false, false, 0},
		{"a/b", false, false, 0},
		{"a\x00b", false, false, 0},
		{"a\n", false, false, 0},
		{"\xff", false, false, 0},
		{strings.Repeat("x", 64), true, true, 0},
		{strings.Repeat("x", 65), true, true, 1},
		{strings.Repeat("x", 128), true, true, 1},
		{strings.Repeat("x", 129), false, false, 0},
		{"tool_search", false, false, 0},
		{"human_input", false, false, 0},
	} {
		require.Equal(t, tt.native, tool.CheckName(tt.name, tool.NativeNames) == nil, "native %q", tt.name)
		err := tool.CheckName(tt.name, tool.MCPNames)
		require.Equal(t, tt.mcp, err == nil, "mcp %q", tt.name)
		if err == nil {
			require.Len(t, tool.LintName(tt.name), tt.warnings, "%q", tt.name)
		}
	}
}

func goodSpec() tool.Spec {
	return tool.Spec{Name: "x", InputSchema: []byte(`{"type":"object","properties":{"a":{}}}`)}
}

func TestSpecCheck(t *testing.T) {
	require.NoError(t, goodSpec().Check(tool.NativeNames))
	for want, spoil := range map[string]func(*tool.Spec){
		"tool name is empty":           func(s *tool.Spec) { s.Name = "" }, // A2-18
		"input \"xml\"":                func(s *tool.Spec) { s.Input = "xml" },
		"description has 32769":        func(s *tool.Spec) { s.Description = strings.Repeat("x", 32769) },
		"return \"later\"":             func(s *tool.Spec) { s.Return = "later" },
		"inputSchema is not":           func(s *tool.Spec) { s.InputSchema = nil },
		"inputSchema is not a":         func(s *tool.Spec) { s.InputSchema = []byte(`{"a"`) },
		"outputSchema is not":          func(s *tool.Spec) { s.OutputSchema = []byte(`true`) },
		"metadata is not":              func(s *tool.Spec) { s.Metadata = []byte(`"x"`) }, // A4-39
		"inject \"secret\" is not":     func(s *tool.Spec) { s.Inject = []string{"secret"} },
		"inject \"params.\" is not":    func(s *tool.Spec) { s.Inject = []string{"params."} },
		"inject \"memoryId\" is liste": func(s *tool.Spec) { s.Inject = []string{"memoryId", "memoryId"} },
		"argument \"a\" has the name":  func(s *tool.Spec) { s.Inject = []string{"params.a"} }, // A21-11
		"argument \"memory_id\" has the name": func(s *tool.Spec) {
			s.Inject = []string{"memoryId"}
			s.InputSchema = []byte(`{"type":"object","properties":{"memory_id":{"type":"string"}}}`)
		},
	} {
		s := goodSpec()
		spoil(&s)
		require.ErrorContains(t, s.Check(tool.NativeNames), want)
	}
}

// TestSpecEqual covers A2-17.
func TestSpecEqual(t *testing.T) {
	a, b := goodSpec(), goodSpec()
	b.InputSchema = []byte(`{ "properties": {"a": {}}, "type": "object" }`)
	require.True(t, a.Equal(b))

	yes := true
	for i, change := range []func(*tool.Spec){
		func(s *tool.Spec) { s.Name = "y" },
		func(s *tool.Spec) { s.Title = "y" },
		func(s *tool.Spec) { s.Description = "y" },
		func(s *tool.Spec) { s.Version = "y" },
		func(s *tool.Spec) { s.Input = tool.InputText },
		func(s *tool.Spec) { s.InputSchema = []byte(`{}`) },
		func(s *tool.Spec) { s.OutputSchema = []byte(`{}`) },
		func(s *tool.Spec) { s.Annotations.ReadOnly = &yes },
		func(s *tool.Spec) { s.Return = tool.Immediate },
		func(s *tool.Spec) { s.RequireApproval = true },
		func(s *tool.Spec) { s.Inject = []string{"memoryId"} },
		func(s *tool.Spec) { s.Metadata = []byte(`{"n":9007199254740993}`) },
		func(s *tool.Spec) { s.Limits.Time = time.Second },
	} {
		c := goodSpec()
		change(&c)
		require.False(t, a.Equal(c), "change %d", i)
		require.True(t, c.Equal(c))
	}
	exact, other := goodSpec(), goodSpec()
	exact.Metadata, other.Metadata = []byte(`{"n":9007199254740993}`), []byte(`{"n":9007199254740992}`)
	require.False(t, exact.Equal(other), "numbers are exact")
}

func TestErrors(t *testing.T) {
	limit := &tool.LimitError{Name: tool.LimitTime, Max: int64(time.Second)}
	err := fmt.Errorf("call: %w", tool.Errorf(tool.Timeout, "too slow").WithCause(limit).WithHint("wait %d s", 2))
	require.ErrorIs(t, err, tool.Timeout)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, err, tool.LimitTime)
	require.NotErrorIs(t, err, tool.Canceled)
	require.NotErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, tool.LimitMemory)
	require.EqualError(t, err, "call: too slow: time limit of 1s reached")
	require.Equal(t, "wait 2 s", tool.HintOf(err))
	require.Equal(t, tool.Timeout, tool.CodeOf(err))

	require.ErrorIs(t, tool.Errorf(tool.Canceled, "x"), context.Canceled)
	require.Equal(t, tool.Code(""), tool.CodeOf(nil))
	require.Equal(t, tool.Internal, tool.CodeOf(io.EOF))
	require.Empty(t, tool.HintOf(io.EOF))

	outer := tool.Errorf(tool.BadModule, "load").WithCause(fmt.Errorf("step: %w", tool.Errorf(tool.Trap, "crash").WithHint("inner")))
	require.Equal(t, "inner", tool.HintOf(outer), "the first hint in the chain")
	require.Equal(t, tool.BadModule, tool.CodeOf(outer))
	require.EqualError(t, &tool.Error{Cause: io.EOF}, "EOF")
	require.EqualError(t, &tool.TrapError{Kind: "unreachable", Function: "main.f", LastWords: "a\x1b"}, `unreachable in main.f: "a\x1b"`)
	require.EqualError(t, &tool.LimitError{Name: tool.LimitOutput, Max: 5, Actual: 6}, "output limit of 5 bytes reached: 6")
	require.True(t, errors.Is(&tool.LimitError{Name: tool.LimitLog}, tool.LimitLog))
}

func TestMessageOf(t *testing.T) {
	err := fmt.Errorf("while: %w", tool.Errorf(tool.Trap, "the tool crashed (error 1)").WithCause(errors.New("in /secret")))
	require.Equal(t, "the tool crashed (error 1)", tool.MessageOf(err))
	require.Equal(t, "the tool could not be run", tool.MessageOf(io.EOF))
	require.Empty(t, tool.MessageOf(nil))
}

func TestTrapErrorNamesThePanic(t *testing.T) {
	for words, want := range map[string]string{
		"working\npanic: boom\n\ngoroutine 1:\n\t/src/main.go:6": `exit: "panic: boom"`,
		"one\ntwo\n": `exit: "two"`,
		"\n":         "exit",
	} {
		require.EqualError(t, &tool.TrapError{Kind: "exit", LastWords: words}, want)
	}
}

func TestLimitsCheck(t *testing.T) {
	require.NoError(t, tool.Limits{}.Check())
	require.NoError(t, tool.Limits{Time: tool.Unlimited, Memory: tool.Unlimited, Output: 1}.Check())
	for _, l := range []tool.Limits{{Time: -5}, {Fuel: -2}, {Memory: -7}, {Memory: 100}, {Input: -2}, {Output: -9}, {LogBytes: -3}, {LogLines: -2}, {HostCalls: -2}, {Approvals: -2}} {
		require.Error(t, l.Check(), "%+v", l)
	}
}

func TestLimits(t *testing.T) {
	have := tool.Limits{Output: 100, Memory: tool.Unlimited}.WithDefaults()
	require.Equal(t, int64(100), have.Output)
	require.Equal(t, int64(tool.Unlimited), have.Memory)
	require.Equal(t, tool.DefaultLimits().Time, have.Time)

	got := have.Tighten(tool.Limits{Output: 200, Memory: 50, Time: -1, HostCalls: 1})
	require.Equal(t, int64(100), got.Output, "a request cannot raise a limit")
	require.Equal(t, int64(50), got.Memory)
	require.Equal(t, have.Time, got.Time, "nor take it away")
	require.Equal(t, int64(1), got.HostCalls)
	require.Equal(t, have.LogLines, got.LogLines)

	require.True(t, tool.Exceeded(0, 1))
	require.False(t, tool.Exceeded(tool.Unlimited, math.MaxInt64))
	text, err := json.Marshal(tool.Limits{Time: 1500 * time.Millisecond, Memory: 5})
	require.NoError(t, err)
	require.JSONEq(t, `{"timeMs":1500,"memoryBytes":5}`, string(text))
}

func TestResultText(t *testing.T) {
	r := tool.Result{Content: []tool.Part{{Type: tool.Text, Text: "a"}, {Type: tool.Image, Data: []byte{1}}, {Type: tool.Text, Text: "b"}}}
	require.Equal(t, "a\nb", r.Text())
	require.Empty(t, tool.Result{}.Text())
	require.Equal(t, `{"a":1}`, tool.Result{Structured: []byte(`{"a":1}`)}.Text())
	require.Equal(t, "boom", tool.Result{Error: tool.Errorf(tool.ToolFailed, "boom").WithCause(io.EOF)}.Text(), "the cause is not for the model")
}

func TestZeroValuesDeny(t *testing.T) {
	require.Equal(t, tool.Reject, tool.Decision{}.Verdict)
	require.Equal(t, "reject", tool.Verdict(0).String())
	require.Equal(t, "verdict(9)", tool.Verdict(9).String())
}

// shout is a Tool in Go.
type shout struct{}

func (shout) Spec() tool.Spec {
	return tool.Spec{Name: "shout", Input: tool.InputText, InputSchema: []byte(tool.TextInputSchema)}
}

func (shout) Call(_ context.Context, call tool.Call) (tool.Result, error) {
	return tool.TextResult(strings.ToUpper(string(call.Arguments))), nil
}

func ExampleTool() {
	var t tool.Tool = shout{}
	res, err := t.Call(context.Background(), tool.Call{Arguments: []byte(`"hi"`)})
	fmt.Println(res.Text(), err)
	// Output: "HI" <nil>
}
