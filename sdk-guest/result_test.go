package guest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/abi"
	guest "github.com/wasmtools/wasmtools/sdk-guest"
)

// returns makes a tool that returns v.
func returns[Out any](v Out) func(guest.Context, guest.None) (Out, error) {
	return func(guest.Context, guest.None) (Out, error) { return v, nil }
}

func text[Out any](t *testing.T, v Out) string {
	t.Helper()
	res := call(t, returns(v), "", nil)
	require.Nil(t, res.Error)
	return res.Text
}

type object struct {
	Name string `json:"name"`
	Age  *int   `json:"age"`
	Hide *int   `json:"hide,omitempty"`
}

func TestResults(t *testing.T) {
	require.Equal(t, "Success", text(t, guest.None{})) // A7-61
	for _, s := range []string{"x", "", " x\n", `"q"`, "a\x00b", "日本 <b>", `{"a":1}`} {
		res := call(t, returns(s), "", nil)
		require.Equal(t, s, res.Text) // A7-62
		require.Nil(t, res.Structured)
		require.Nil(t, describe(t).OutputSchema)
		require.Equal(t, s, text(t, &s))
	}
	require.Equal(t, `null`, text(t, (*string)(nil))) // A21-6
	require.Equal(t, `null`, text(t, (*int)(nil)))    // T7
	require.Equal(t, `1`, text(t, 1.0))
	require.Equal(t, `true`, text(t, true))
	require.Equal(t, `"RED"`, text(t, colored("RED")))
	require.Equal(t, `["a","<b>"]`, text(t, []string{"a", "<b>"}))
	require.Equal(t, `["<a>"]`, text(t, guest.Set[string]{"<a>"}))
	require.Equal(t, `[]`, text(t, guest.Set[string](nil)))
	require.Equal(t, `{"name":"n","age":null}`, text(t, object{Name: "n"}))
	require.Equal(t, `[1,null,null]`, text(t, []guest.Optional[int]{guest.Some(1), guest.Null[int](), {}}))
	require.Equal(t, `{"any":[1,"two"]}`, text(t, map[string]any{"any": []any{1, "two"}}))

	res := call(t, returns(object{}), "", nil)
	require.JSONEq(t, `{"name":"","age":null}`, string(res.Structured)) // A7-63
	require.Contains(t, string(describe(t).OutputSchema), `"name":{"type":"string"}`)
}

func TestResultsThatJSONCannotCarry(t *testing.T) { // T7
	refused := func(res string, want string) {
		t.Helper()
		require.Contains(t, res, want)
	}
	failed := func(v any) string {
		res := call(t, returns(v), "", nil)
		require.NotNil(t, res.Error)
		require.Equal(t, abi.ErrorExecution, res.Error.Kind)
		return res.Text
	}
	type cycle struct{ Next *cycle }
	endless := &cycle{}
	endless.Next = endless
	refused(failed(math.NaN()), "NaN is not a number in JSON")
	refused(failed([]any{map[string]float32{"a": float32(math.Inf(1))}}), "+Inf is not a number in JSON")
	refused(failed(struct{ F float64 }{math.Inf(-1)}), "F: -Inf")
	refused(failed(guest.Some(math.NaN())), "NaN")
	refused(failed(struct{ C any }{make(chan int)}), "C: a chan int has no JSON form")
	refused(failed(endless), "nested deeper than 100 levels")
	refused(failed(guest.Result{Structured: math.NaN()}), "NaN")
	refused(failed(guest.Result{Attributes: map[string]any{"a": math.NaN()}}), "NaN")
	require.Equal(t, `{"F":1}`, text(t, any(struct {
		F    float64
		hide chan int
		Skip func() `json:"-"`
	}{F: 1})))
}

func TestResultObjects(t *testing.T) {
	require.Equal(t, "done", text(t, guest.Success("done"))) // A7-64
	require.Empty(t, text(t, guest.Success("")))
	require.Empty(t, text(t, guest.Result{}))
	require.Empty(t, text(t, (*guest.Result)(nil))) // T7: the whole result is null

	for message, want := range map[string]string{"m": "m", "": "Tool execution failed with no message", "  ": "Tool execution failed with no message"} {
		failure := guest.Failure(message)
		res := call(t, returns(&failure), "", nil)
		require.Equal(t, &abi.Error{Kind: abi.ErrorExecution, Message: want}, res.Error)
	}

	res := call(t, returns(guest.Result{
		Content:    []guest.Part{guest.Text("a"), guest.Audio("audio/wav", []byte("RIFF")), guest.Text("b")},
		Structured: object{Name: "<n>"},
		Attributes: map[string]any{"cost": 2},
	}), "", nil)
	require.Equal(t, "a\nb", res.Text)
	require.Len(t, res.Content, 3)
	require.JSONEq(t, `{"name":"<n>","age":null}`, string(res.Structured))
	require.Equal(t, map[string]json.RawMessage{"cost": json.RawMessage("2")}, res.Attributes)
}

func TestParts(t *testing.T) { // T7 image/content list
	parts := []guest.Part{
		guest.Image("image/png", []byte{1, 2}), guest.Audio("audio/wav", []byte{3}), guest.Text("t"),
		guest.Resource("file:a", "application/pdf", []byte{4}), guest.TextResource("file:b", "text/plain", "b"),
		guest.ResourceLink("file:c", "c", "text/html"),
	}
	require.Equal(t, parts, call(t, returns(parts), "", nil).Content)
	res := call(t, returns(parts[0]), "", nil)
	require.Equal(t, parts[:1], res.Content)
	require.Nil(t, describe(t).OutputSchema)
}

type blankError struct{}

func (*blankError) Error() string { return " \n" }

func TestErrors(t *testing.T) {
	cause := errors.New("disk full")
	code := func(c int32) *int32 { return &c }
	tests := map[string]struct {
		err  error
		want abi.Error
	}{
		"A8-70 failed message":    {guest.Failed("m"), abi.Error{Kind: "execution", Message: "m"}},
		"A8-70 failed cause":      {guest.Failed("m").WithCause(cause), abi.Error{Kind: "execution", Message: "m", Cause: "disk full"}},
		"A8-70 failed code":       {guest.Failed("m").WithCode(503), abi.Error{Kind: "execution", Message: "m", Code: code(503)}},
		"A8-70 failed cause code": {guest.Failed("").WithCause(cause).WithCode(503), abi.Error{Kind: "execution", Message: "disk full", Cause: "disk full", Code: code(503)}},
		"A8-70 arguments message": {guest.BadArguments("m"), abi.Error{Kind: "arguments", Message: "m"}},
		"A8-70 arguments cause":   {guest.BadArguments("m").WithCause(cause), abi.Error{Kind: "arguments", Message: "m", Cause: "disk full"}},
		"A8-70 arguments code":    {guest.BadArguments("m").WithCode(422), abi.Error{Kind: "arguments", Message: "m", Code: code(422)}},
		"A8-70 arguments both":    {guest.BadArguments("").WithCode(422).WithCause(cause), abi.Error{Kind: "arguments", Message: "disk full", Cause: "disk full", Code: code(422)}},
		"A8-69 code of zero":      {guest.Failed("m").WithCode(0), abi.Error{Kind: "execution", Message: "m", Code: code(0)}},
		"T9 negative code":        {guest.Failed("m").WithCode(-5), abi.Error{Kind: "execution", Message: "m", Code: code(-5)}},
		"T9 large code":           {guest.Failed("m").WithCode(math.MinInt32), abi.Error{Kind: "execution", Message: "m", Code: code(math.MinInt32)}},
		"T8 plain":                {errors.New("boom"), abi.Error{Kind: "execution", Message: "boom"}},
		"T8 wrapped":              {fmt.Errorf("while saving: %w", guest.BadArguments("m").WithCode(422).WithCause(cause)), abi.Error{Kind: "arguments", Message: "while saving: m", Code: code(422), Cause: "disk full"}},
		"T8 blank":                {&blankError{}, abi.Error{Kind: "execution", Message: "blankError"}},
		"T8 no message":           {guest.Failed(""), abi.Error{Kind: "execution", Message: "Error"}},
		"T8 blank cause":          {guest.BadArguments("").WithCause(&blankError{}), abi.Error{Kind: "arguments", Message: "blankError", Cause: " \n"}},
		"rejected":                {fmt.Errorf("no: %w", guest.ErrRejected), abi.Error{Kind: "rejected", Message: "no: rejected by reviewer"}},
		"denied":                  {guest.ErrDenied, abi.Error{Kind: "rejected", Message: "approval denied"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			res := call(t, func(guest.Context, guest.None) (string, error) { return "ignored", test.err }, "", nil)
			require.Equal(t, &test.want, res.Error)
			require.Equal(t, test.want.Message, res.Text)
			require.Empty(t, res.Content)
			res = call(t, returns(guest.Result{Content: []guest.Part{guest.Text("ignored")}, Error: test.err}), "", nil)
			require.Equal(t, &test.want, res.Error)
		})
	}
	e := guest.Failed("m")
	require.NotSame(t, e, e.WithCode(1))
	_, ok := e.Code()
	require.False(t, ok, "WithCode must not change its receiver")
	require.ErrorIs(t, e.WithCause(cause), cause)
	n, ok := e.WithCode(7).Code()
	require.True(t, ok)
	require.Equal(t, int32(7), n)
	require.False(t, strings.Contains(e.Error(), "disk"))
}
