package runtime_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// goWorld is what a guest in Go finds.
const goWorld = `arguments: 0, environment: 0
slept: true, year: true
file: false, new file: false, folder: false
read: 0, end: true
written: 26, <nil>
`

// cWorld is what a guest with the C library finds.
const cWorld = `HOME: 0
nanosleep: 0, slept: 1, until: 0, year: 1
resolution: 1
random: 0 0 1
fopen: 0
terminal: 1 0
lseek: -1 1
fstat: 0 1
flags: 67108864 1 0
poll: 2 1 1
getchar: -1, yield: 0
close: 0 -1 1
`

// TestWASIGuests runs guests that ask for everything that WASI has.
func TestWASIGuests(t *testing.T) {
	for name, guest := range map[string]struct {
		build func(t *testing.T) string
		world string
		logs  []string
	}{
		"TinyGo": {
			func(*testing.T) string { return wasiGuest() },
			goWorld, []string{`"to standard output" tool=world from=guest stream=stdout`, `"and on"`, `"to standard error" tool=world from=guest stream=stderr`},
		},
		"Go": {
			func(t *testing.T) string { return buildWithGo(t, filepath.Dir(wasiGuest())) },
			goWorld, []string{`"to standard output" tool=world from=guest stream=stdout`, `"and on"`, `"to standard error" tool=world from=guest stream=stderr`},
		},
		"C": {
			func(t *testing.T) string { return buildWithLibc(t) }, cWorld,
			[]string{`"a line that nobody flushes" tool=world from=guest stream=stdout`, `"an error" tool=world from=guest stream=stderr`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if raceDetector && name == "Go" {
				t.Skip("compiling a large guest takes minutes under the race detector; the other run covers it")
			}
			var logged bytes.Buffer
			replace := func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == "module" {
					return slog.Attr{}
				}
				return a
			}
			mod, err := newRuntime(t, &runtime.Options{
				Logger: slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: replace})),
			}).LoadFile(t.Context(), guest.build(t))
			require.NoError(t, err)
			world, err := mod.Tool("world")
			require.NoError(t, err)
			for range 2 { // what the first call has closed is open in the second
				res, err := world.Call(t.Context(), tool.Call{})
				require.NoError(t, err)
				require.Equal(t, guest.world, res.Text())
				for _, line := range guest.logs {
					require.Contains(t, logged.String(), line)
				}
				logged.Reset()
			}
			exit, err := mod.Tool("exit")
			require.NoError(t, err)
			_, err = exit.Call(t.Context(), tool.Call{})
			require.ErrorIs(t, err, tool.Trap)
			require.ErrorContains(t, err, "exit with code 7")
		})
	}
}

// buildWithLibc compiles the guest in testdata with the C library. It skips the test where there is none.
func buildWithLibc(t *testing.T, flags ...string) string {
	clang := func(source string, args ...string) ([]byte, error) {
		cmd := exec.Command("clang-19", append([]string{"--target=wasm32-wasi", "-mexec-model=reactor", "-O2", "-x", "c"}, args...)...)
		cmd.Stdin = strings.NewReader(source)
		return cmd.CombinedOutput()
	}
	path := filepath.Join(t.TempDir(), "libc.wasm")
	if output, err := clang("#include <stdio.h>\nint f(void) { return puts(\"\"); }", "-o", path, "-"); err != nil {
		t.Skipf("there is no clang-19 with wasi-libc: %v %s", err, output)
	}
	output, err := clang("", append(flags, "-o", path, filepath.Join("testdata", "libc.c"))...)
	require.NoError(t, err, string(output))
	return path
}

func TestWASICallsAreNoHostCalls(t *testing.T) {
	res, err := load(t, nil, "guests/wasi_calls.wasm", "clock").Call(t.Context(), tool.Call{})
	require.NoError(t, err)
	require.Zero(t, res.Stats.HostCalls)
}

// BenchmarkWASI measures functions of WASI as a guest sees them: the loop, the way to the host and back, and a ten-thousandth of a
// new instance included. Beside each is what it takes with wazero's WASI on wazero alone, where standard output is discarded.
func BenchmarkWASI(b *testing.B) {
	const calls = 10_000 // in one call of the guest's tool
	bin, err := os.ReadFile(filepath.Join("..", "testdata", "guests", "wasi_calls.wasm"))
	require.NoError(b, err)
	engine := newWASIEngine(b, bin)
	for i, name := range strings.Fields("nothing clock write random poll") {
		b.Run(name, func(b *testing.B) {
			guest := load(b, nil, "guests/wasi_calls.wasm", name)
			began := time.Now()
			now := func() time.Duration { return time.Since(began) }
			var ours, theirs time.Duration
			for b.Loop() {
				start := now()
				_, err := guest.Call(b.Context(), tool.Call{})
				ours += now() - start
				require.NoError(b, err)

				start = now()
				engine.call(b, uint64(i))
				theirs += now() - start
			}
			b.ReportMetric(float64(ours)/float64(b.N)/calls, "ns/function")
			b.ReportMetric(float64(theirs)/float64(b.N)/calls, "ns/wazero")
			b.ReportMetric(float64(ours)/float64(theirs), "x-wazero")
		})
	}
}

// wasiEngine runs a guest on wazero alone, with its WASI.
type wasiEngine struct {
	rt   wazero.Runtime
	code wazero.CompiledModule
}

func newWASIEngine(b *testing.B, bin []byte) wasiEngine {
	ctx := context.Background()
	rt := wazero.NewRuntime(ctx)
	b.Cleanup(func() { require.NoError(b, rt.Close(ctx)) })
	_, err := wasi_snapshot_preview1.Instantiate(ctx, rt)
	require.NoError(b, err)
	_, err = rt.NewHostModuleBuilder("wasmtools_v1").
		NewFunctionBuilder().WithFunc(func(uint32, uint32) {}).Export("write").Instantiate(ctx)
	require.NoError(b, err)
	code, err := rt.CompileModule(ctx, bin)
	require.NoError(b, err)
	return wasiEngine{rt, code}
}

func (e wasiEngine) call(b *testing.B, index uint64) {
	config := wazero.NewModuleConfig().WithName("").WithStdout(io.Discard).WithSysWalltime().WithSysNanotime().WithSysNanosleep().
		WithRandSource(rand.Reader)
	m, err := e.rt.InstantiateModule(b.Context(), e.code, config)
	require.NoError(b, err)
	_, err = m.ExportedFunction("execute").Call(b.Context(), index)
	require.NoError(b, err)
	require.NoError(b, m.Close(b.Context()))
}
