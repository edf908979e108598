package runtime_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/testguest"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// newRuntime returns a Runtime that is closed at the end of the test.
func newRuntime(t testing.TB, o *runtime.Options) *runtime.Runtime {
	t.Helper()
	rt, err := runtime.New(context.Background(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, rt.Close(context.Background())) })
	return rt
}

// spec wraps the description of one tool.
func spec(toolJSON string) string { return `{"tools":[` + toolJSON + `]}` }

func TestLoadRefusesWhatIsNoModuleOfTools(t *testing.T) {
	host := func(name string, params, results int) []testguest.Import {
		return []testguest.Import{{Module: "wasmtools_v1", Name: name, Params: params, Results: results}}
	}
	good := spec(`{"name":"x"}`)
	tests := []struct {
		name string
		bin  []byte
		want string
		hint string
	}{
		{"empty", nil, "not a WebAssembly module", "TinyGo"},
		{"text", []byte("package main\n\nfunc main() {}"), "not a WebAssembly module", "TinyGo"},
		{"component", []byte("\x00asm\x0d\x00\x01\x00"), "component, not a core module", "-buildmode=c-shared"},
		{"future version", []byte("\x00asm\x02\x00\x00\x00"), "version", ""},
		{"truncated", testguest.Guest{Spec: good}.Wasm()[:60], "malformed", "damaged"},
		{"no sections", []byte("\x00asm\x01\x00\x00\x00"), `does not export its memory as "memory"`, "docs/abi.md"},
		{"command", testguest.Guest{Spec: good, Extra: []string{"_start"}}.Wasm(), "WASI command", "c-shared"},
		{"reserved export", testguest.Guest{Spec: good, Extra: []string{"wasmtools_x"}}.Wasm(), "reserved", ""},
		{"export of what is injected", testguest.Guest{Spec: good, Extra: []string{"wasmtools:fuel"}}.Wasm(), "reserved", "rename"},
		{"import of what is injected", testguest.Guest{Spec: good, Imports: []testguest.Import{{Module: "wasmtools:fuel", Name: "out"}}}.Wasm(), `unknown func "out"`, ""},
		{"unknown import", testguest.Guest{Spec: good, Imports: []testguest.Import{{Module: "env", Name: "puts", Params: 1, Results: 1}}}.Wasm(), `unknown func "puts" from "env"`, "undefined symbol"},
		{"extism import", testguest.Guest{Spec: good, Imports: []testguest.Import{{Module: "extism:host/env", Name: "alloc", Params: 1, Results: 1}}}.Wasm(), "extism:host/env", "Extism plugin"},
		{"unknown host function", testguest.Guest{Spec: good, Imports: host("format_disk", 0, 0)}.Wasm(), `unknown func "format_disk"`, "docs/abi.md"},
		{"mistyped host function", testguest.Guest{Spec: good, Imports: host("log", 2, 0)}.Wasm(), `imports "log" from "wasmtools_v1" as (i32, i32) -> (); it is (i32, i32, i32, i32, i32) -> (i32)`, ""},
		{"unknown WASI function", testguest.Guest{Spec: good, Imports: []testguest.Import{{Module: "wasi_snapshot_preview1", Name: "fork"}}}.Wasm(), `unknown func "fork"`, "preview 1"},
		{"mistyped WASI function", testguest.Guest{Spec: good, Imports: []testguest.Import{{Module: "wasi_snapshot_preview1", Name: "fd_write"}}}.Wasm(), `imports "fd_write"`, ""},
		{"another ABI version", testguest.Guest{Spec: good, Imports: []testguest.Import{{Module: "wasmtools_v2", Name: "input", Results: 1}}}.Wasm(), `another version of the ABI: it imports from "wasmtools_v2"`, "SDK"},
		{"no memory export", testguest.Guest{Spec: good, Omit: "memory"}.Wasm(), `does not export its memory as "memory"`, "docs/abi.md"},
		{"no spec", testguest.Guest{Spec: good, Omit: "spec"}.Wasm(), `does not export a function "spec"`, "-target=wasip1"},
		{"no execute", testguest.Guest{Spec: good, Omit: "execute"}.Wasm(), `does not export a function "execute"`, "docs/abi.md"},
		{"mistyped exports", testguest.Guest{Spec: good, Swap: true}.Wasm(), `exports "spec" as (i32) -> (i32); want () -> (i32)`, "docs/abi.md"},
		{"_initialize with a parameter", testguest.Guest{Spec: good, Extra: []string{"_initialize"}}.Wasm(), `exports "_initialize" as (i32) -> (i32); want () -> ()`, ""},
		{"an import as execute", hostile(t, "import_as_export"), `exports an import as "execute"`, "define"},
		{"shared memory", testguest.Guest{Spec: good, Memories: [][]byte{{3, 1, 1}}}.Wasm(), "shared", "without threads"},
		{"64-bit memory", testguest.Guest{Spec: good, Memories: [][]byte{{4, 1}}}.Wasm(), "64-bit", "wasm32"},
		{"several memories", testguest.Guest{Spec: good, Memories: [][]byte{{0, 1}, {0, 1}}}.Wasm(), "defines 2 memories", ""},
		{"memory beyond what there can be", testguest.Guest{Spec: good, Memories: [][]byte{{0, 0x81, 0x80, 0x04}}}.Wasm(), "65536 pages", ""},
		{"a browser's module", testguest.Guest{Spec: good, Extra: []string{"_start"}, Imports: []testguest.Import{{Module: "gojs", Name: "x"}}}.Wasm(), `from "gojs"`, "wasip1"},
		{"memory over the limit", testguest.Guest{Spec: good, Pages: 3000}.Wasm(), "memory limit of 134217728 bytes reached: 196608000", "raise"},
	}
	rt := newRuntime(t, nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := rt.Load(t.Context(), "x.wasm", tt.bin)
			require.ErrorIs(t, err, tool.BadModule)
			require.ErrorContains(t, err, `load "x.wasm": `)
			require.ErrorContains(t, err, tt.want)
			require.Contains(t, tool.HintOf(err), tt.hint)
		})
	}
}

// TestLoadRefusesBadSpecs covers T20 and T1, T2 as they concern one module.
func TestLoadRefusesBadSpecs(t *testing.T) {
	bomb := `{"type":"object","$defs":{"a0":{"type":"string"}`
	for i := 1; i <= 25; i++ {
		bomb += fmt.Sprintf(`,"a%d":{"anyOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]}`, i, i-1, i-1)
	}
	bomb += `},"properties":{"x":{"$ref":"#/$defs/a25"}}}`
	schema := func(s string) string { return spec(`{"name":"x","inputSchema":` + s + `}`) }
	tests := []struct {
		name, spec, want string
	}{
		{"T20 invalid JSON", `{"tools":[`, "not a description"},
		{"T20 not UTF-8", "{\"tools\":[{\"name\":\"\xff\"}]}", "not a description"},
		{"duplicate member", `{"tools":[{"name":"x","name":"y"}]}`, "not a description"},
		{"nothing", ``, "its spec wrote nothing"},
		{"trailing text", spec(`{"name":"x"}`) + `x`, "not a description"},
		{"no tools", `{"tools":[]}`, "lists no tools"},
		{"an unknown member is no typing error to be ignored", spec(`{"name":"x","requireAproval":true}`), "requireAproval"},
		{"A1-3 empty name", spec(`{"name":"  "}`), "tool name is empty"},
		{"A1-4 illegal name", spec(`{"name":"has space"}`), "not allowed"},
		{"T1 hyphen", spec(`{"name":"get-weather"}`), "not allowed"},
		{"T1 emoji", spec(`{"name":"☂"}`), "not allowed"},
		{"T1 129 characters", spec(`{"name":"` + strings.Repeat("x", 129) + `"}`), "at most 128"},
		{"T1 reserved", spec(`{"name":"tool_search"}`), "reserved"},
		{"T2 listed twice", spec(`{"name":"x"},{"name":"x"}`), `duplicate tool name: "x"`},
		{"A2-20 not an object schema", schema(`{"type":"string"}`), "object"},
		{"T20 schema over 64 KiB", schema(`{"type":"object","enum":[` + strings.Repeat("1,", 40_000) + `1]}`), "inputSchema"},
		{"T20 schema too deep", schema(strings.Repeat(`{"type":"object","properties":{"a":`, 3000) + `{}` + strings.Repeat(`}}`, 3000)), "deep"},
		{"T20 $ref bomb", schema(bomb), "expands too far"},
		{"T20 $ref to a file", schema(`{"type":"object","properties":{"a":{"$ref":"file:///etc/passwd"}}}`), "ref"},
		{"T20 $ref to the network", schema(`{"type":"object","properties":{"a":{"$ref":"https://example.com/s"}}}`), "ref"},
		{"A4-39 metadata", spec(`{"name":"x","metadata":[1]}`), "metadata"},
		{"return behaviour", spec(`{"name":"x","return":"maybe"}`), "return"},
		{"injection without import", spec(`{"name":"x","inject":["memoryId"]}`), "does not import"},
		{"T13 injected name is an argument", spec(`{"name":"x","inject":["params.id"],"inputSchema":{"type":"object","properties":{"id":{}}}}`), "host injects"},
		{"output schema", spec(`{"name":"x","outputSchema":{"type":"nonsense"}}`), "outputSchema"},
		{"limit below its own minimum", spec(`{"name":"x","limits":{"memoryBytes":65536}}`), "memory"},
	}
	rt := newRuntime(t, nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := rt.Load(t.Context(), "x.wasm", testguest.Guest{Spec: tt.spec}.Wasm())
			require.ErrorIs(t, err, tool.BadModule)
			require.ErrorContains(t, err, tt.want)
			require.Less(t, len(err.Error()), 2000, "an error is for a person to read")
		})
	}
}

// hostile returns the binary of a hand-written guest.
func hostile(t testing.TB, name string) []byte {
	t.Helper()
	bin, err := os.ReadFile(filepath.Join("..", "testdata", "hostile", name+".wasm"))
	require.NoError(t, err)
	return bin
}

// TestLoadBoundsSchemas has schemas each of which is within its own limits.
func TestLoadBoundsSchemas(t *testing.T) {
	tools := func(n int, schema string) []byte {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"name":"t%d","inputSchema":%s}`, i, schema))
		}
		return testguest.Guest{Spec: spec(strings.Join(list, ","))}.Wasm()
	}
	load := func(limit time.Duration, bin []byte) error {
		rt := newRuntime(t, &runtime.Options{Load: runtime.LoadLimits{Time: limit}})
		_, err := rt.Load(t.Context(), "x.wasm", bin)
		return err
	}
	slow := tools(1000, `{"type":"object","title":"(?i:[`+strings.Repeat(`B-\\x{10fffe}`, 7)+`])","patternProperties":{"(?i:[`+
		strings.Repeat(`B-\\x{10fffe}`, 7)+`])":{}}}`)
	err := load(200*time.Millisecond, slow)
	require.ErrorIs(t, err, tool.BadModule)
	require.ErrorContains(t, err, "its schemas take too long to compile: time limit of 200ms reached")

	large := tools(25, `{"type":"object",`+strings.Repeat(`"properties":{"`+strings.Repeat("n", 60)+`":{`, 14)+
		`"anyOf":[`+strings.Repeat("{},", 1000)+`{}]`+strings.Repeat(`}}`, 14)+`}`)
	err = load(tool.Unlimited, large)
	require.ErrorIs(t, err, tool.BadModule)
	require.ErrorContains(t, err, "over the limit of 67108864")

	require.NoError(t, load(tool.Unlimited, tools(1000, `{"type":"object","properties":{"city":{"type":"string","pattern":"^[A-Z]"}},"required":["city"]}`)))
}

// TestLoadSurvivesHostileSpecFunctions covers T20 where the guest's code is the attack; see TestHostileSuite for more.
func TestLoadSurvivesHostileSpecFunctions(t *testing.T) {
	approve := []testguest.Import{{Module: "wasmtools_v1", Name: "context", Results: 1}}
	good := spec(`{"name":"x"}`)
	tests := []struct {
		name string
		bin  []byte
		want string
	}{
		{"T20 spec calls a host function", testguest.Guest{Spec: good, SpecCalls: "context", Imports: approve}.Wasm(), `calls "context" before it is executed`},
		{"initialisation calls a host function", testguest.Guest{Spec: good, StartCalls: "input"}.Wasm(), `calls "input" before it is executed`},
		{"spec reports an error", testguest.Guest{Spec: "tool \"x\": no name\x1b[2J\nsecond\n", SpecStatus: 3}.Wasm(), `its spec reports an error: tool "x": no name\x1b[2J; second`},
	}
	rt := newRuntime(t, &runtime.Options{Load: runtime.LoadLimits{Time: 200 * time.Millisecond}})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := rt.Load(t.Context(), "x.wasm", tt.bin)
			require.ErrorIs(t, err, tool.BadModule)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestLoadLimits(t *testing.T) {
	bin := testguest.Guest{Spec: spec(`{"name":"a"},{"name":"b"}`)}.Wasm()
	for _, tt := range []struct {
		limits runtime.LoadLimits
		want   tool.LimitName
	}{
		{runtime.LoadLimits{Module: 10}, tool.LimitModule},
		{runtime.LoadLimits{Spec: 10}, tool.LimitSpec},
		{runtime.LoadLimits{Tools: 1}, tool.LimitTools},
	} {
		_, err := newRuntime(t, &runtime.Options{Load: tt.limits}).Load(t.Context(), "x.wasm", bin)
		require.ErrorIs(t, err, tool.BadModule)
		require.ErrorIs(t, err, tt.want)
	}
}

func TestLoadFile(t *testing.T) {
	rt := newRuntime(t, &runtime.Options{Load: runtime.LoadLimits{Module: 1000}})
	big := filepath.Join(t.TempDir(), "big.wasm")
	require.NoError(t, os.WriteFile(big, make([]byte, 1001), 0o600))
	for path, want := range map[string]string{
		filepath.Join(t.TempDir(), "none.wasm"): "no such file",
		t.TempDir():                             "not a regular file",
		big:                                     "module size limit of 1000 bytes reached: 1001",
	} {
		_, err := rt.LoadFile(t.Context(), path)
		require.ErrorIs(t, err, tool.BadModule)
		require.ErrorContains(t, err, want)
	}
	mod, err := rt.LoadFile(t.Context(), filepath.Join("..", "testdata", "guests", "echo.wasm"))
	require.NoError(t, err)
	require.Equal(t, "echo.wasm", mod.Name())
	require.Len(t, mod.Tools(), 1)
	require.Equal(t, "echo", mod.Tools()[0].Spec().Name)
}

// TestNames covers A1-4 and T1 where a profile widens them.
func TestNames(t *testing.T) {
	bin := testguest.Guest{Spec: spec(`{"name":"admin.tools-list"}`)}.Wasm()
	_, err := newRuntime(t, nil).Load(t.Context(), "x", bin)
	require.ErrorIs(t, err, tool.BadModule)
	mod, err := newRuntime(t, &runtime.Options{Names: tool.MCPNames}).Load(t.Context(), "x", bin)
	require.NoError(t, err)
	require.Equal(t, "admin.tools-list", mod.Tools()[0].Spec().Name)
}

// TestSpec covers A2-16, A2-21, A3-37 and T11 as far as a host has a part in them.
func TestSpec(t *testing.T) {
	mod, err := newRuntime(t, nil).Load(t.Context(), "x", testguest.Guest{Spec: spec(
		`{"name":"full","title":"T","description":"a\n<b>","version":"1","outputSchema":{"type":"object"},"annotations":{"readOnly":true},` +
			`"return":"immediate_if_last","requireApproval":true,"metadata":{"k":9007199254740993},"limits":{"timeMs":5,"memoryBytes":-1,"fuel":9}},` +
			`{"name":"text","input":"text","inputSchema":{"type":"object","properties":{"ignored":{}}}},{"name":"bare"}`)}.Wasm())
	require.NoError(t, err)
	yes := true
	full := mod.Tools()[0].Spec()
	require.True(t, full.Equal(tool.Spec{
		Name: "full", Title: "T", Description: "a\n<b>", Version: "1",
		InputSchema: []byte(`{"required":[],"properties":{},"type":"object"}`), OutputSchema: []byte(`{"type":"object"}`),
		Annotations: tool.Annotations{ReadOnly: &yes}, Return: tool.ImmediateIfLast, RequireApproval: true,
		Metadata: []byte(`{ "k": 9007199254740993 }`),
		Limits:   tool.Limits{Time: 5 * time.Millisecond, Memory: -1, Fuel: 9},
	}), "%+v", full)
	require.JSONEq(t, tool.TextInputSchema, string(mod.Tools()[1].Spec().InputSchema))
	require.JSONEq(t, `{"type":"object","properties":{},"required":[]}`, string(mod.Tools()[2].Spec().InputSchema))
}
