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
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/wasmtools/wasmtools/internal/rewrite"
)

// real are large modules that others publish as parts of Go modules, with a call of an export that says whether they work.
// Any version of the Go module will do; one that is not in the module cache is skipped.
func real() map[string]struct {
	glob, call string
	args       []uint64
} {
	return map[string]struct {
		glob, call string
		args       []uint64
	}{
		"sqlite":              {"github.com/ncruces/go-sqlite3@*/embed/sqlite3.wasm", "sqlite3_malloc64", []uint64{100}},
		"QuickJS":             {"github.com/fastschema/qjs@*/qjs.wasm", "malloc", []uint64{100}},
		"Open Policy Agent":   {"github.com/open-policy-agent/opa@*/internal/compiler/wasm/opa/opa.wasm", "opa_malloc", []uint64{16}},
		"Extism, TinyGo":      {"github.com/extism/go-sdk@*/wasm/count_vowels.wasm", "", nil},
		"Extism, Go":          {"github.com/extism/go-sdk@*/wasm/count_vowels_std.wasm", "", nil},
		"Extism, Haskell":     {"github.com/extism/go-sdk@*/wasm/hello_haskell.wasm", "", nil},
		"Extism, C":           {"github.com/extism/go-sdk@*/wasm/nested.c.instr.wasm", "", nil},
		"http-wasm, TinyGo":   {"github.com/http-wasm/http-wasm-host-go@*/tck/tck.wasm", "", nil},
		"wazero's benchmarks": {"github.com/tetratelabs/wazero@*/internal/integration_test/bench/testdata/case.wasm", "fibonacci", []uint64{15}},
	}
}

// TestReal rewrites, compiles and instantiates modules, with imports that do nothing, and compares a call.
func TestReal(t *testing.T) {
	for name, module := range real() {
		t.Run(name, func(t *testing.T) {
			bin := cached(t, module.glob)
			out, report, err := rewrite.Rewrite(bin, nil)
			require.NoError(t, err)
			t.Logf("%d bytes, %d rewritten, %d checks, toolchain %q, obstacles %q",
				len(bin), len(out), report.Checks, report.Module.Toolchain(), report.Obstacles())
			want, got := use(t, bin, module.call, module.args), use(t, out, module.call, module.args)
			require.Equal(t, want, got)
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

// use instantiates a module and calls an export of it, if one is named.
func use(t *testing.T, bin []byte, call string, args []uint64) []uint64 {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCoreFeatures(allFeatures))
	defer func() { require.NoError(t, r.Close(ctx)) }()
	(&fuel{quantum: 1_000_000}).provide(t, ctx, r)
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	compiled, err := r.CompileModule(ctx, bin)
	require.NoError(t, err)
	if call == "" {
		return nil
	}
	idle(t, ctx, r, compiled)
	m, err := r.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithStartFunctions())
	require.NoError(t, err)
	results, err := m.ExportedFunction(call).Call(ctx, args...)
	require.NoError(t, err)
	require.NotEmpty(t, results)
	return results
}

// idle provides the imports of a module, with functions that return zeros.
func idle(t *testing.T, ctx context.Context, r wazero.Runtime, compiled wazero.CompiledModule) {
	hosts := map[string]wazero.HostModuleBuilder{}
	for _, f := range compiled.ImportedFunctions() {
		module, name, _ := f.Import()
		if module == rewrite.FuelModule || module == wasi_snapshot_preview1.ModuleName {
			continue
		}
		if hosts[module] == nil {
			hosts[module] = r.NewHostModuleBuilder(module)
		}
		hosts[module].NewFunctionBuilder().WithGoFunction(api.GoFunc(func(_ context.Context, stack []uint64) { clear(stack) }),
			f.ParamTypes(), f.ResultTypes()).Export(name)
	}
	for _, host := range hosts {
		_, err := host.Instantiate(ctx)
		require.NoError(t, err)
	}
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
