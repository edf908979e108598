package runtime_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/internal/testguest"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

func fuzzRuntime(f *testing.F) *runtime.Runtime {
	return newRuntime(f, &runtime.Options{
		Limits: tool.Limits{Time: 2 * time.Second, Output: 1 << 16, LogLines: 10},
		Approval: runtime.Approval{Approver: tool.ApproverFunc(func(context.Context, tool.ApprovalRequest) (tool.Decision, error) {
			return tool.Decision{Verdict: tool.Edit, Text: "edited"}, nil
		})},
	})
}

// FuzzHostFunctionArguments passes any pointers, lengths and levels to every host function. The call may only succeed or end
// as a trap or a limit.
func FuzzHostFunctionArguments(f *testing.F) {
	for i := range abi.Functions() {
		for _, p := range [][5]int32{{}, {0, 65536, 1, 65535, 1}, {-1, -1, -1, -1, -1}, {65535, 2, 65536, 0, 0}, {8, -4, -8, 1 << 30, 1}, {1 << 30, 1 << 30, 0, 4, 4}} {
			f.Add(i, p[0], p[1], p[2], p[3], p[4])
		}
	}
	rt := fuzzRuntime(f)
	f.Fuzz(func(t *testing.T, function int, a, b, c, d, e int32) {
		fn := abi.Functions()[uint(function)%uint(len(abi.Functions()))]
		g := testguest.Guest{Spec: spec(`{"name":"x"}`), Calls: fn.Name, CallArgs: []int32{a, b, c, d, e}[:fn.Params]}
		switch fn.Name {
		case abi.ImportInput, abi.ImportRead, abi.ImportWrite:
		default:
			g.Imports = []testguest.Import{{Module: abi.ImportModule, Name: fn.Name, Params: fn.Params, Results: fn.Results}}
		}
		if fn.Name == abi.ImportRead {
			g.First = abi.ImportInput // so that there is something to be copied
		}
		mod, err := rt.Load(t.Context(), "x", g.Wasm())
		require.NoError(t, err)
		defer mod.Close(t.Context())
		_, err = mod.Tools()[0].Call(t.Context(), tool.Call{Arguments: []byte(`{"a":"some text"}`)})
		if err != nil && tool.CodeOf(err) != tool.LimitExceeded {
			require.ErrorIs(t, err, tool.Trap, "%s(%d, %d, %d, %d, %d)", fn.Name, a, b, c, d, e)
		}
	})
}

// FuzzSpec lets a module say anything of itself.
func FuzzSpec(f *testing.F) {
	f.Add(spec(`{"name":"x"}`), int32(0))
	f.Add(spec(`{"name":"x","inputSchema":{"type":"object","properties":{"a":{"$ref":"#"}}},"limits":{"timeMs":-9223372036854775808}}`), int32(0))
	f.Add(`{"tools":[{"name":"x","input":"text","annotations":{"readOnly":true},"inject":["memoryId"]}]}`, int32(0))
	f.Add("", int32(-1))
	rt := fuzzRuntime(f)
	f.Fuzz(func(t *testing.T, text string, status int32) {
		if len(text) > 1<<16 {
			return
		}
		mod, err := rt.Load(t.Context(), "x", testguest.Guest{Spec: text, SpecStatus: status}.Wasm())
		if err != nil {
			require.ErrorIs(t, err, tool.BadModule)
			return
		}
		defer mod.Close(t.Context())
		for _, x := range mod.Tools() {
			require.NoError(t, x.Spec().Check(tool.NativeNames))
		}
	})
}

// FuzzResult lets a tool answer anything.
func FuzzResult(f *testing.F) {
	f.Add("hi", int32(0))
	f.Add(`{"a":1}`, int32(1))
	f.Add(`{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}],"structured":[],"attributes":{"a":1}}`, int32(2))
	f.Add(`{"error":{"kind":"arguments","code":-1,"message":"m","cause":"c"}}`, int32(2))
	f.Add("boom", int32(503<<8|3))
	rt := fuzzRuntime(f)
	f.Fuzz(func(t *testing.T, output string, status int32) {
		if len(output) > 1<<16 {
			return
		}
		mod, err := rt.Load(t.Context(), "x", testguest.Guest{Spec: spec(`{"name":"x"}`), Output: output, Status: status}.Wasm())
		require.NoError(t, err)
		defer mod.Close(t.Context())
		res, err := mod.Tools()[0].Call(t.Context(), tool.Call{Arguments: []byte("{}")})
		switch {
		case err != nil:
			require.True(t, tool.CodeOf(err) == tool.Trap || tool.CodeOf(err) == tool.LimitExceeded, "%v", err)
		case res.Error != nil:
			require.NotEmpty(t, res.Error.Message)
			require.Empty(t, res.Content)
		}
	})
}
