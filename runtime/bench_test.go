package runtime_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wasmtools/wasmtools/internal/testguest"
	"github.com/wasmtools/wasmtools/tool"
)

// BenchmarkCall measures a call of the smallest guest, and beside it what the engine takes for the same: a new instance of
// the module and one call, without limits, checks or a deadline. The metric x-engine is the ratio of the two.
func BenchmarkCall(b *testing.B) {
	bin, err := os.ReadFile(filepath.Join("..", "testdata", "guests", "echo.wasm"))
	require.NoError(b, err)
	rt := newRuntime(b, nil)
	mod, err := rt.Load(b.Context(), "echo.wasm", bin)
	require.NoError(b, err)
	echo := mod.Tools()[0]
	call := tool.Call{Arguments: []byte(`{"city":"Paris","days":3}`)}
	engine := newBareEngine(b, bin)

	began := time.Now()
	now := func() time.Duration { return time.Since(began) }
	var ours, theirs time.Duration
	for b.Loop() {
		start := now()
		_, err := echo.Call(b.Context(), call)
		ours += now() - start
		require.NoError(b, err)

		start = now()
		engine.call(b)
		theirs += now() - start
	}
	b.ReportMetric(float64(ours)/float64(b.N), "ns/call")
	b.ReportMetric(float64(theirs)/float64(b.N), "ns/engine")
	b.ReportMetric(float64(ours)/float64(theirs), "x-engine")
}

// bareEngine runs the echo guest on wazero alone.
type bareEngine struct {
	rt   wazero.Runtime
	code wazero.CompiledModule
}

func newBareEngine(b *testing.B, bin []byte) bareEngine {
	ctx := context.Background()
	rt := wazero.NewRuntime(ctx)
	b.Cleanup(func() { require.NoError(b, rt.Close(ctx)) })
	input := []byte(`{"city":"Paris","days":3}`)
	_, err := rt.NewHostModuleBuilder("wasmtools_v1").
		NewFunctionBuilder().WithFunc(func() int32 { return int32(len(input)) }).Export("input").
		NewFunctionBuilder().WithFunc(func(_ context.Context, m api.Module, ptr, _ uint32) int32 {
		m.Memory().Write(ptr, input)
		return int32(len(input))
	}).Export("read").
		NewFunctionBuilder().WithFunc(func(_ context.Context, m api.Module, ptr, n uint32) {
		m.Memory().Read(ptr, n)
	}).Export("write").
		Instantiate(ctx)
	require.NoError(b, err)
	code, err := rt.CompileModule(ctx, bin)
	require.NoError(b, err)
	return bareEngine{rt, code}
}

func (e bareEngine) call(b *testing.B) {
	m, err := e.rt.InstantiateModule(b.Context(), e.code, wazero.NewModuleConfig().WithName(""))
	require.NoError(b, err)
	_, err = m.ExportedFunction("execute").Call(b.Context(), 0)
	require.NoError(b, err)
	require.NoError(b, m.Close(b.Context()))
}

// BenchmarkTrivialCall measures a call that does next to nothing: a tool of text, which returns what it gets.
func BenchmarkTrivialCall(b *testing.B) {
	mod, err := newRuntime(b, nil).Load(b.Context(), "trivial", testguest.Guest{Spec: spec(`{"name":"x","input":"text"}`)}.Wasm())
	require.NoError(b, err)
	trivial := mod.Tools()[0]
	call := tool.Call{Arguments: []byte("hello")}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := trivial.Call(b.Context(), call); err != nil {
			b.Fatal(err)
		}
	}
}
