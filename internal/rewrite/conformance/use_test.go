package conformance_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/wasmtools/wasmtools/internal/rewrite"
)

// realHost is an engine for a real module.
type realHost struct {
	*testing.T
	wazero.Runtime
	rewritten bool
	fuel      fuel
	compiled  wazero.CompiledModule
	module    api.Module
}

func newRealHost(t *testing.T) *realHost {
	ctx := context.Background()
	h := &realHost{T: t, fuel: fuel{quantum: 10_000}}
	h.Runtime = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCoreFeatures(allFeatures))
	t.Cleanup(func() { require.NoError(t, h.Close(ctx)) })
	h.fuel.provide(t, ctx, h)
	wasi_snapshot_preview1.MustInstantiate(ctx, h)
	return h
}

// compile rewrites a module, if it is to be, and compiles it.
func (h *realHost) compile(bin []byte) wazero.CompiledModule {
	if h.rewritten {
		var err error
		bin, _, err = rewrite.Rewrite(bin, nil)
		require.NoError(h, err)
	}
	compiled, err := h.CompileModule(context.Background(), bin)
	require.NoError(h, err)
	return compiled
}

// start instantiates a module, calling a function first, if it is named.
func (h *realHost) start(compiled wazero.CompiledModule, name, first string) api.Module {
	config := wazero.NewModuleConfig().WithName(name).WithStartFunctions().WithSysWalltime()
	if first != "" {
		config = config.WithStartFunctions(first)
	}
	m, err := h.InstantiateModule(context.Background(), compiled, config)
	if exit := (*sys.ExitError)(nil); errors.As(err, &exit) {
		require.Zero(h, exit.ExitCode())
		return nil
	}
	require.NoError(h, err)
	return m
}

// provide makes the imports of the module from a host module, of functions that return zeros unless a kernel exports them.
func (h *realHost) provide(host string, kernel api.Module) {
	b := h.NewHostModuleBuilder(host)
	for _, f := range h.compiled.ImportedFunctions() {
		module, name, _ := f.Import()
		if module != host {
			continue
		}
		function := func(_ context.Context, stack []uint64) { clear(stack) }
		if kernel != nil && kernel.ExportedFunction(name) != nil {
			n := len(f.ParamTypes())
			function = func(ctx context.Context, stack []uint64) {
				results, err := kernel.ExportedFunction(name).Call(ctx, stack[:n]...)
				require.NoError(h, err)
				copy(stack, results)
			}
		}
		b.NewFunctionBuilder().WithGoFunction(api.GoFunc(function), f.ParamTypes(), f.ResultTypes()).Export(name)
	}
	_, err := b.Instantiate(context.Background())
	require.NoError(h, err)
}

// call calls an export of the module.
func (h *realHost) call(name string, args ...uint64) uint64 { return h.callOf(h.module, name, args...) }

func (h *realHost) callOf(m api.Module, name string, args ...uint64) uint64 {
	results, err := m.ExportedFunction(name).Call(context.Background(), args...)
	require.NoError(h, err, name)
	if len(results) == 0 {
		return 0
	}
	return results[0]
}

// put copies a text to memory, with a zero behind it.
func (h *realHost) put(alloc, text string) uint64 {
	at := h.call(alloc, uint64(len(text)+1))
	require.NotZero(h, at)
	require.True(h, h.module.Memory().Write(uint32(at), append([]byte(text), 0)))
	return at
}

// text reads a text up to the zero behind it.
func (h *realHost) text(at uint64) string {
	all, ok := h.module.Memory().Read(uint32(at), min(1000, h.module.Memory().Size()-uint32(at)))
	require.True(h, ok)
	text, _, _ := bytes.Cut(all, []byte{0})
	return string(text)
}

func (h *realHost) pointer(at uint64) uint64 {
	p, ok := h.module.Memory().ReadUint32Le(uint32(at))
	require.True(h, ok)
	return uint64(p)
}

func useFibonacci(h *realHost) string {
	h.provide("env", nil)
	h.module = h.start(h.compiled, "", "")
	n := h.call("fibonacci", 15)
	require.Equal(h, uint64(610), n)
	return number(n, "")
}

// useSQLite opens a database in memory and evaluates an expression.
func useSQLite(h *realHost) string {
	const readWriteCreate, row = 6, 100
	h.provide("env", nil)
	h.module = h.start(h.compiled, "", "")
	out := h.put("sqlite3_malloc64", "0123456789")
	require.Zero(h, h.call("sqlite3_open_v2", h.put("sqlite3_malloc64", ":memory:"), out, readWriteCreate, 0))
	db := h.pointer(out)
	query := "select (1+1) || ' ' || upper('ok') || ' ' || count(*) from (select 1 union select 2 union select 3)"
	sql := h.put("sqlite3_malloc64", query)
	if code := h.call("sqlite3_prepare_v3", db, sql, uint64(len(query)+1), 0, out, out+4); code != 0 {
		h.Fatal(h.text(h.call("sqlite3_errmsg", db)))
	}
	statement := h.pointer(out)
	require.Equal(h, uint64(row), h.call("sqlite3_step", statement))
	text := h.text(h.call("sqlite3_column_text", statement, 0))
	require.Equal(h, "2 OK 3", text)
	return text
}

// useQuickJS evaluates an expression.
func useQuickJS(h *realHost) string {
	h.provide("env", nil)
	h.module = h.start(h.compiled, "", "initialize")
	context := h.call("QJS_GetContext", h.call("New_QJS", 0, 0, 0, 0))
	code := h.put("malloc", `[1+1, "ok".toUpperCase(), JSON.parse("[3]")[0]].join(" ")`)
	options := h.call("QJS_CreateEvalOption", code, 0, 0, h.put("malloc", "test.js"), 0)
	pair := h.call("QJS_ToCString", context, h.call("QJS_Eval", context, options)) // of a length and an address
	text := h.text(h.pointer(pair + 4))
	require.Equal(h, "2 OK 3", text)
	return text
}

// usePolicyAgent parses and writes a JSON value.
func usePolicyAgent(h *realHost) string {
	h.provide("env", nil)
	h.module = h.start(h.compiled, "", "")
	h.call("opa_heap_ptr_set", h.module.ExportedGlobal("__heap_base").Get()) // as a policy would do first
	const value = `{"a":["x",1,2.5,null,true,{"b":[]}]}`
	text := h.text(h.call("opa_json_dump", h.call("opa_json_parse", h.put("opa_malloc", value), uint64(len(value)))))
	require.Equal(h, value, text)
	return text
}

// useExtism counts vowels with a plugin, whose calls the other module of this system answers.
func useExtism(h *realHost) string {
	const host = "extism:host/env"
	kernel := h.start(h.compile(cached(h.T, "github.com/extism/go-sdk@*/extism-runtime.wasm")), "kernel", "")
	h.provide(host, kernel)
	h.callOf(kernel, "reset")
	input := h.callOf(kernel, "alloc", 5)
	require.True(h, kernel.Memory().WriteString(uint32(input), "hello"))
	h.callOf(kernel, "input_set", input, 5)
	if _, library := h.compiled.ExportedFunctions()["count_vowels"]; library {
		h.module = h.start(h.compiled, "", "")
		require.Zero(h, h.call("count_vowels"))
	} else { // a command
		h.start(h.compiled, "", "_start")
	}
	at, length := h.callOf(kernel, "output_offset"), h.callOf(kernel, "output_length")
	output, ok := kernel.Memory().Read(uint32(at), uint32(length))
	require.True(h, ok)
	require.Contains(h, strings.ReplaceAll(string(output), " ", ""), `"count":2`)
	return string(output)
}
