package raw_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/abi"
	guest "github.com/wasmtools/wasmtools/sdk-guest"
	"github.com/wasmtools/wasmtools/sdk-guest/guesttest"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/module"
	"github.com/wasmtools/wasmtools/sdk-guest/raw"
)

func shout(_ raw.Context, input []byte) raw.Result {
	return raw.Text(string(bytes.ToUpper(input)))
}

func Example() {
	raw.Register(`{"name": "shout", "description": "Returns the text in capitals.", "input": "text"}`, shout)

	res, err := guesttest.Call("shout", `{"input":"hello"}`, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Text)
	// Output:
	// HELLO
}

func register(t *testing.T, spec string, fn func(raw.Context, []byte) raw.Result) {
	t.Helper()
	tools := module.Registered()
	saved := *tools
	*tools = module.Tools{}
	t.Cleanup(func() { *tools = saved })
	raw.Register(spec, fn)
}

func TestRegisterRefuses(t *testing.T) {
	register(t, `{}`, nil)
	_, err := guesttest.Module()
	require.EqualError(t, err, "register raw tool: the function is nil")

	register(t, `{"name":`, shout)
	_, err = guesttest.Module()
	require.ErrorContains(t, err, "spec: ")
}

func TestSpecIsUnchanged(t *testing.T) { // A2-23
	register(t, `{"name": "a",  "description": "<b>"}`, shout)
	text, ok := module.Registered().Spec()
	require.True(t, ok)
	require.Equal(t, `{"tools":[{"name": "a",  "description": "<b>"}]}`, text)
}

func TestResults(t *testing.T) {
	code := int32(422)
	tests := map[string]struct {
		result raw.Result
		want   guesttest.Result
	}{
		"zero":       {raw.Result{}, guesttest.Result{Content: []abi.Part{{Type: "text"}}}},
		"json":       {raw.JSON(`{"a":1}`), guesttest.Result{Text: `{"a":1}`, Structured: []byte(`{"a":1}`), Content: []abi.Part{{Type: "text", Text: `{"a":1}`}}}},
		"failed":     {raw.Failed(0, "m"), guesttest.Result{Text: "m", Error: &abi.Error{Kind: "execution", Message: "m"}}},
		"arguments":  {raw.BadArguments(422, "m"), guesttest.Result{Text: "m", Error: &abi.Error{Kind: "arguments", Code: &code, Message: "m"}}},
		"large code": {raw.Failed(1<<23, "m"), guesttest.Result{Text: "m", Error: &abi.Error{Kind: "execution", Message: "m"}}},
		"rejected":   {raw.Rejected(raw.ErrRejected), guesttest.Result{Text: "rejected by reviewer", Error: &abi.Error{Kind: "rejected", Message: "rejected by reviewer"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			register(t, `{"name":"a","inputSchema":{"type":"object"}}`, func(raw.Context, []byte) raw.Result { return test.result })
			res, err := guesttest.Call("a", "", nil)
			require.NoError(t, err)
			require.Equal(t, &test.want, res)
		})
	}
}

func TestContext(t *testing.T) {
	register(t, `{"name":"a","inputSchema":{"type":"object"},"inject":["memoryId"]}`, func(c raw.Context, input []byte) raw.Result {
		c.LogText(raw.LevelWarn, "careful")
		d, err := c.RequestApproval("go on")
		if err != nil {
			return raw.Rejected(err)
		}
		return raw.Text(string(c.JSON()) + string(input) + d.Text)
	})
	o := &guesttest.Options{MemoryID: "m", Approve: func(string) (guest.Decision, error) {
		return guest.Decision{Text: "stop", Edited: true}, nil
	}}
	res, err := guesttest.Call("a", `{"x":1}`, o)
	require.NoError(t, err)
	require.Equal(t, `{"memoryId":"m"}{"x":1}stop`, res.Text)
	require.Equal(t, []guesttest.Record{{Level: 4, Message: "careful"}}, res.Logs)

	o.Approve = nil
	res, err = guesttest.Call("a", `{}`, o)
	require.NoError(t, err)
	require.Equal(t, "Approval denied (no approver is configured, or none may be asked): go on", res.Error.Message)
}
