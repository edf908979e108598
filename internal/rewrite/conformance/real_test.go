package conformance_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/wasmtools/wasmtools/internal/rewrite"
)

// real are large modules that others publish as parts of Go modules. Any version of the Go module will do; one that is not in
// the module cache is skipped.
func real() map[string]realModule {
	const extism = "github.com/extism/go-sdk@*/wasm/"
	return map[string]realModule{
		"sqlite":              {"github.com/ncruces/go-sqlite3@*/embed/sqlite3.wasm", useSQLite},
		"QuickJS":             {"github.com/fastschema/qjs@*/qjs.wasm", useQuickJS},
		"Open Policy Agent":   {"github.com/open-policy-agent/opa@*/internal/compiler/wasm/opa/opa.wasm", usePolicyAgent},
		"Extism, Rust":        {extism + "count_vowels.wasm", useExtism},
		"Extism, Go":          {extism + "count_vowels_std.wasm", useExtism},
		"Extism, Haskell":     {extism + "hello_haskell.wasm", nil},
		"Extism, C":           {extism + "nested.c.instr.wasm", nil},
		"http-wasm, TinyGo":   {"github.com/http-wasm/http-wasm-host-go@*/tck/tck.wasm", nil},
		"wazero's benchmarks": {"github.com/tetratelabs/wazero@*/internal/integration_test/bench/testdata/case.wasm", useFibonacci},
	}
}

// realModule is a module, by its place in the module cache, and the smallest use of it, if it can be used here.
type realModule struct {
	glob string
	use  func(h *realHost) string
}

// TestReal uses modules as they are and rewritten, and compares the results. Their complexity is far below the ceilings.
func TestReal(t *testing.T) {
	for name, module := range real() {
		t.Run(name, func(t *testing.T) {
			bin := cached(t, module.glob)
			out, report, err := rewrite.Rewrite(bin, nil)
			require.NoError(t, err)
			t.Logf("%d bytes, %d rewritten, %d checks, complexity %d, effort %d, toolchain %q, obstacles %q", len(bin), len(out),
				report.Checks, report.Complexity, report.Effort, report.Module.Toolchain(), report.Obstacles())
			require.Less(t, report.Complexity, 2_500_000/5)
			require.Less(t, report.Effort, 100_000_000/10)

			plain, rewritten := newRealHost(t), newRealHost(t)
			rewritten.rewritten = true
			plain.compiled, rewritten.compiled = plain.compile(bin), rewritten.compile(bin)
			if module.use == nil {
				return
			}
			want := module.use(plain)
			require.Equal(t, want, module.use(rewritten))
			t.Log(want)
			require.Zero(t, plain.fuel.refills)
			require.Positive(t, rewritten.fuel.refills)
		})
	}
}

// cached reads a file of the module cache.
func cached(t *testing.T, glob string) []byte {
	t.Helper()
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	paths, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(cache)), filepath.FromSlash(glob)))
	require.NoError(t, err)
	if len(paths) == 0 {
		t.Skipf("%s is not in the module cache: go mod download gets it", glob)
	}
	bin, err := os.ReadFile(slices.Max(paths))
	require.NoError(t, err)
	return bin
}

// TestCommands runs commands of several toolchains that print a file, and compares what they print and how they exit.
func TestCommands(t *testing.T) {
	dirs := filepath.Join(moduleDir(t, "github.com/tetratelabs/wazero"), "imports", "wasi_snapshot_preview1", "example", "testdata")
	paths, err := filepath.Glob(filepath.Join(dirs, "*", "cat.wasm"))
	require.NoError(t, err)
	printed := 0
	for _, path := range paths {
		bin, err := os.ReadFile(path)
		require.NoError(t, err)
		out, _, err := rewrite.Rewrite(bin, nil)
		require.NoError(t, err)
		want, exit, refills := runCommand(t, bin)
		require.Zero(t, refills)
		got, gotExit, refills := runCommand(t, out)
		require.Equal(t, want, got, path)
		require.Equal(t, exit, gotExit, path)
		require.Positive(t, refills, path)
		printed += strings.Count(got, fileText)

		global, _, err := rewrite.Rewrite(bin, &rewrite.Options{NoLocal: true})
		require.NoError(t, err)
		_, _, wantRefills := runCommand(t, global)
		require.Equal(t, wantRefills, refills, "%s uses as much without a local", path)
	}
	require.GreaterOrEqual(t, printed, 3)
}

const fileText = "a file\n"

// runCommand runs a command that is to print a file. It returns what it prints, how it exits and how often it asks for fuel.
func runCommand(t *testing.T, bin []byte) (string, string, int) {
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer func() { require.NoError(t, r.Close(ctx)) }()
	f := fuel{quantum: 100}
	f.provide(t, ctx, r)
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	var stdout bytes.Buffer
	_, err := r.InstantiateWithConfig(ctx, bin, wazero.NewModuleConfig().WithStdout(&stdout).
		WithArgs("cat", "/test.txt").WithFS(fstest.MapFS{"test.txt": {Data: []byte(fileText)}}))
	return stdout.String(), failure(err).text, f.refills
}
