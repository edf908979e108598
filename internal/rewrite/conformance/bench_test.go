package conformance_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/wasmtools/wasmtools/internal/rewrite"
)

// guests build the same kind of tool, JSON to JSON, by several toolchains. One that is missing is skipped.
func guests() map[string]func(b *testing.B, out string) *exec.Cmd {
	return map[string]func(b *testing.B, out string) *exec.Cmd{
		"Go": func(_ *testing.B, out string) *exec.Cmd {
			cmd := exec.Command("go", "build", "-buildmode=c-shared", "-o", out, "./testdata/json")
			cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
			return cmd
		},
		"C": func(b *testing.B, out string) *exec.Cmd {
			clang, err := exec.LookPath("clang-19")
			if err != nil {
				b.Skip("clang-19 is not on PATH")
			}
			return exec.Command(clang, "--target=wasm32-wasi", "-O2", "-mexec-model=reactor", "-o", out, "testdata/json.c")
		},
	}
}

func build(b *testing.B, name string) []byte {
	b.Helper()
	out := filepath.Join(b.TempDir(), "guest.wasm")
	if text, err := guests()[name](b, out).CombinedOutput(); err != nil {
		b.Skipf("this guest cannot be built here: %v: %s", err, text)
	}
	bin, err := os.ReadFile(out)
	require.NoError(b, err)
	return bin
}

// BenchmarkRewrite compares rewriting with the engine's compiling of the same module.
func BenchmarkRewrite(b *testing.B) {
	bin := build(b, "Go")
	ctx := context.Background()
	var rewriting, compiling []float64
	for b.Loop() {
		start := time.Now()
		_, _, err := rewrite.Rewrite(bin, nil)
		require.NoError(b, err)
		rewriting = append(rewriting, time.Since(start).Seconds())

		r := wazero.NewRuntime(ctx)
		start = time.Now()
		_, err = r.CompileModule(ctx, bin)
		require.NoError(b, err)
		compiling = append(compiling, time.Since(start).Seconds())
		require.NoError(b, r.Close(ctx))
	}
	b.ReportMetric(median(rewriting)*1000, "rewrite_ms")
	b.ReportMetric(median(compiling)*1000, "compile_ms")
	b.ReportMetric(median(rewriting)/median(compiling), "rewrite_vs_compile")
}

// BenchmarkFuel compares a call of 1 KB of JSON with fuel, a refill and a look at the clock every quantum included, to one
// without.
func BenchmarkFuel(b *testing.B) {
	for name := range guests() {
		b.Run(name, func(b *testing.B) {
			bin := build(b, name)
			out, report, err := rewrite.Rewrite(bin, nil)
			require.NoError(b, err)
			plain, fueled := newTool(b, bin), newTool(b, out)
			var without, with []float64
			for b.Loop() {
				without = append(without, plain.sample(b))
				with = append(with, fueled.sample(b))
			}
			b.ReportMetric(median(without)*1e6, "plain_us")
			b.ReportMetric(median(with)*1e6, "fuel_us")
			b.ReportMetric(median(with)/median(without), "fuel_overhead")
			b.ReportMetric(float64(fueled.fuel.given)/float64(fueled.calls), "fuel/call")
			b.ReportMetric(float64(report.Checks), "checks")
		})
	}
}

// tool is an instance of a guest.
type tool struct {
	api.Module
	fuel           fuel
	calls          int
	alloc, execute api.Function
	input          []byte
}

func newTool(b *testing.B, bin []byte) *tool {
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	b.Cleanup(func() { require.NoError(b, r.Close(ctx)) })
	g := &tool{fuel: fuel{quantum: 1_000_000, deadline: time.Now().Add(time.Hour)}, input: document(1024)}
	g.fuel.provide(b, ctx, r)
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	var err error
	g.Module, err = r.InstantiateWithConfig(ctx, bin, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	require.NoError(b, err)
	g.alloc, g.execute = g.ExportedFunction("alloc"), g.ExportedFunction("execute")
	g.sample(b) // a guest's first calls are slower
	return g
}

// sample is the time of a call, over some ten milliseconds.
func (g *tool) sample(b *testing.B) float64 {
	start, n := time.Now(), 0
	for ; time.Since(start) < 10*time.Millisecond; n++ {
		ctx := context.Background()
		at, err := g.alloc.Call(ctx, uint64(len(g.input)))
		require.NoError(b, err)
		require.True(b, g.Memory().Write(uint32(at[0]), g.input))
		length, err := g.execute.Call(ctx, at[0], uint64(len(g.input)))
		require.NoError(b, err)
		require.Greater(b, uint32(length[0]), uint32(500))
	}
	g.calls += n
	return time.Since(start).Seconds() / float64(n)
}

// document is JSON of about a size.
func document(size int) []byte {
	var s strings.Builder
	s.WriteString(`{"query":"the quick brown fox jumps over the lazy dog","limit":10,"opts":{"deep":true,"lang":"en","depth":3},"items":[`)
	for i := 0; s.Len() < size-80; i++ {
		if i > 0 {
			s.WriteByte(',')
		}
		fmt.Fprintf(&s, `{"id":%d,"name":"item number %d","score":%d.25,"tags":["a%d","b","c"]}`, i, i, i*7919%1000, i%17)
	}
	s.WriteString(`]}`)
	return []byte(s.String())
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
