package runtime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/testguest"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// load loads a hand-written guest from testdata and returns one of its tools.
func load(t testing.TB, o *runtime.Options, path, name string) tool.Tool {
	t.Helper()
	mod, err := newRuntime(t, o).LoadFile(context.Background(), filepath.Join("..", "testdata", path))
	require.NoError(t, err)
	got, err := mod.Tool(name)
	require.NoError(t, err)
	return got
}

// built loads a guest made for the test and returns its first tool.
func built(t testing.TB, o *runtime.Options, g testguest.Guest) tool.Tool {
	t.Helper()
	mod, err := newRuntime(t, o).Load(context.Background(), "test.wasm", g.Wasm())
	require.NoError(t, err)
	return mod.Tools()[0]
}

func args(text string) tool.Call { return tool.Call{ID: "call_1", Arguments: json.RawMessage(text)} }

// requireOpaque checks that the model learns nothing of a crash but its ID (A8-76, A21-4), and the operator all of it.
func requireOpaque(t *testing.T, err error) {
	t.Helper()
	var e *tool.Error
	var trap *tool.TrapError
	require.ErrorAs(t, err, &e)
	require.ErrorAs(t, err, &trap)
	require.Equal(t, "the tool crashed (error "+trap.ID+")", e.Message)
	require.Len(t, trap.ID, 8)
}

// TestHandWrittenGuests proves that the ABI needs no SDK.
func TestHandWrittenGuests(t *testing.T) {
	echo := load(t, nil, "guests/echo.wasm", "")
	res, err := echo.Call(t.Context(), args(`{"text": "hi", "n": 1e2}`))
	require.NoError(t, err)
	require.Equal(t, `{"text":"hi","n":100}`, res.Text())
	require.JSONEq(t, `{"text":"hi","n":100}`, string(res.Structured))
	require.Positive(t, res.Stats.Duration)
	require.Equal(t, int64(2*65536), res.Stats.Memory)

	big := `{"text":"` + strings.Repeat("x", 900_000) + `"}`
	res, err = echo.Call(t.Context(), args(big))
	require.NoError(t, err)
	require.Equal(t, big, res.Text())

	upper := load(t, nil, "guests/upper.wasm", "upper")
	for in, want := range map[string]string{ // A6-60 and T3, single-input
		`{"input":"grüße, World"}`: "GRüßE, WORLD",
		`{"input":5}`:              "5",
		`{"input":{"k":1}}`:        `{"K":1}`,
		`{"input":null}`:           `{"INPUT":NULL}`,
		`{"other":1}`:              `{"OTHER":1}`,
		`not JSON at all`:          "NOT JSON AT ALL",
	} {
		res, err := upper.Call(t.Context(), args(in))
		require.NoError(t, err)
		require.Equal(t, want, res.Text())
	}
	_, err = upper.Call(t.Context(), args("not UTF-8: \xff")) // T3
	require.ErrorIs(t, err, tool.InvalidArguments)
	res, err = upper.Call(t.Context(), args(`{"input":""}`))
	require.NoError(t, err)
	require.ErrorIs(t, res.Error, tool.InvalidArguments)
	require.Equal(t, int32(422), *res.Error.Status)
	require.Equal(t, "the text must not be empty", res.Text())
}

// TestResults covers T7, T8, T9 and A8-69 to A8-73 from the host's side.
func TestResults(t *testing.T) {
	const text, jsonKind, rich, failed, badArgs, rejected = 0, 1, 2, 3, 4, 5
	code := func(c int32) *int32 { return &c }
	tests := []struct {
		name   string
		status int32
		output string
		want   tool.Result
	}{
		{"T7 text", text, "  x\x00<b>", tool.TextResult("  x\x00<b>")},
		{"T7 number", jsonKind, "9007199254740993", tool.Result{Content: []tool.Part{{Type: tool.Text, Text: "9007199254740993"}}, Structured: []byte("9007199254740993")}},
		{"T7 null field", jsonKind, `{"name":"n","age":null}`, tool.Result{Content: []tool.Part{{Type: tool.Text, Text: `{"name":"n","age":null}`}}, Structured: []byte(`{"name":"n","age":null}`)}},
		{"A7-66 nothing", rich, `{}`, tool.Result{}},
		{"T7 audio and resources", rich, `{"content":[{"type":"audio","data":"aGk=","mimeType":"audio/wav"},{"type":"resource","uri":"file:a","text":"hi"},{"type":"resource_link","uri":"file:b","name":"b"}]}`,
			tool.Result{Content: []tool.Part{
				{Type: tool.Audio, Data: []byte("hi"), MIMEType: "audio/wav"}, {Type: tool.Resource, URI: "file:a", Text: "hi"}, {Type: tool.ResourceLink, URI: "file:b", Name: "b"},
			}}},
		{"T7 image", rich, `{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"},{"type":"text","text":"t"}],"structured":{"a":1},"attributes":{"k":2}}`,
			tool.Result{
				Content:    []tool.Part{{Type: tool.Image, Data: []byte("hi"), MIMEType: "image/png"}, {Type: tool.Text, Text: "t"}},
				Structured: []byte(`{"a":1}`), Attributes: map[string]json.RawMessage{"k": []byte("2")},
			}},
		{"T8 failure", failed, "boom", tool.Result{Error: &tool.Error{Code: tool.ToolFailed, Message: "boom"}}},
		{"T9 failure with code", failed | 503<<8, "boom", tool.Result{Error: &tool.Error{Code: tool.ToolFailed, Message: "boom", Status: code(503)}}},
		{"T9 negative code", failed | -7<<8, "boom", tool.Result{Error: &tool.Error{Code: tool.ToolFailed, Message: "boom", Status: code(-7)}}},
		{"T8 arguments", badArgs | 422<<8, "city", tool.Result{Error: &tool.Error{Code: tool.InvalidArguments, Message: "city", Status: code(422)}}},
		{"T15 rejected", rejected, "Rejected by reviewer: x", tool.Result{Error: &tool.Error{Code: tool.Denied, Message: "Rejected by reviewer: x"}}},
		{"T7 failure without message", failed, " ", tool.Result{Error: &tool.Error{Code: tool.ToolFailed, Message: "Tool execution failed with no message"}}},
		{"A8-70 code and cause", rich, `{"error":{"kind":"execution","code":2147483647,"message":"m","cause":"c"}}`,
			tool.Result{Error: &tool.Error{Code: tool.ToolFailed, Message: "m", Status: code(2147483647), Cause: errors.New("c")}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := built(t, nil, testguest.Guest{Spec: spec(`{"name":"x","return":"immediate"}`), Status: tt.status, Output: tt.output})
			res, err := x.Call(t.Context(), args("{}"))
			require.NoError(t, err)
			require.Positive(t, res.Stats.Duration)
			require.Equal(t, tool.Immediate, res.Return)
			res.Stats, res.Return = tool.Stats{}, ""
			require.Equal(t, tt.want, res)
		})
	}
}

func TestDishonestResults(t *testing.T) {
	const rich = 2
	withSchema := `{"name":"x","outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}`
	manyValues := `[` + strings.Repeat("1,", 199_999) + `1]`
	tests := []struct {
		name, spec string
		status     int32
		output     string
		want       string
	}{
		{"breaks its schema", withSchema, 1, `{"n":"x"}`, "outputSchema"},
		{"breaks its schema in a result", withSchema, rich, `{"structured":{}}`, "outputSchema"},
		{"promises and does not give", withSchema, 0, `hi`, "no structured result"},
		{"error and content", `{"name":"x"}`, rich, `{"content":[{"type":"text"}],"error":{"kind":"execution","message":"m"}}`, "an error and content"},
		{"unknown error kind", `{"name":"x"}`, rich, `{"error":{"kind":"odd","message":"m"}}`, "unknown kind"},
		{"unknown part", `{"name":"x"}`, rich, `{"content":[{"type":"script"}]}`, "unknown type"},
		{"resource without uri", `{"name":"x"}`, rich, `{"content":[{"type":"resource","text":"t"}]}`, "without uri"},
		{"link without name", `{"name":"x"}`, rich, `{"content":[{"type":"resource_link","uri":"u"}]}`, "without uri or name"},
		{"image without data", `{"name":"x"}`, rich, `{"content":[{"type":"image"}]}`, "without data"},
		{"unknown member", `{"name":"x"}`, rich, `{"stats":{"fuel":0}}`, "stats"},
		{"duplicate member in JSON", `{"name":"x"}`, 1, `{"a":1,"a":2}`, "not JSON"},
		{"many values, with a schema", withSchema, 1, manyValues, "text of 200001 values is over the limit of 100000"},
		{"many values in a result", `{"name":"x"}`, rich, `{"structured":` + manyValues + `}`, "text of 200002 values is over the limit of 100000"},
		{"many parts in a result", `{"name":"x"}`, rich, `{"content":[` + strings.Repeat("{},", 200_000) + `{}]}`, "text of 200003 values is over the limit of 100000"},
		{"costly for its schema", withSchema, 1, `{"n":[` + strings.Repeat("1,", 60_000) + `1]}`, "outputSchema"},
		{"deep JSON", `{"name":"x"}`, 1, strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "not JSON"},
		{"negative status", `{"name":"x"}`, -1, `m`, "status 0xffffffff is not known"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := built(t, nil, testguest.Guest{Spec: spec(tt.spec), Status: tt.status, Output: tt.output})
			_, err := x.Call(t.Context(), args("{}"))
			require.ErrorIs(t, err, tool.Trap)
			require.ErrorContains(t, err, tt.want)
			requireOpaque(t, err)
		})
	}
}

// TestManyValuesPassedOn has JSON that nobody builds anything of: only its size is limited.
func TestManyValuesPassedOn(t *testing.T) {
	output := `[` + strings.Repeat("1,", 199_999) + `1]`
	res, err := built(t, nil, testguest.Guest{Spec: spec(`{"name":"x"}`), Status: 1, Output: output}).Call(t.Context(), args("{}"))
	require.NoError(t, err)
	require.Len(t, res.Structured, len(output))
}

// TestArguments shows that what the schema refuses does not reach the guest; the rows of T3 to T6 are covered where the
// check is.
func TestArguments(t *testing.T) {
	echo := built(t, &runtime.Options{Limits: tool.Limits{Input: 200}}, testguest.Guest{Status: 1, Spec: spec(
		`{"name":"x","inputSchema":{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}},"required":["n"],"additionalProperties":false}}`)})
	for in, want := range map[string]string{
		`{"n":5.0}`:                   `{"n":5}`,
		`{"s":"a", "n": 1}`:           `{"s":"a","n":1}`,
		`{"n":9007199254740993}`:      `{"n":9007199254740993}`,
		"\ufeff{\"n\":1}":             `{"n":1}`,
		`{"n":1,"s":"\u003cb\u003e"}`: `{"n":1,"s":"<b>"}`,
	} {
		res, err := echo.Call(t.Context(), args(in))
		require.NoError(t, err, in)
		require.JSONEq(t, want, res.Text())
	}
	for in, want := range map[string]string{
		``: "n", `[]`: "object", `{"n":`: "JSON", `{"n":"5"}`: "n", `{"n":1,"x":2}`: "x", `{"n":1}x`: "JSON",
		`{"n":1,"s":"` + strings.Repeat("x", 200) + `"}`: "too large",
	} {
		_, err := echo.Call(t.Context(), args(in))
		require.ErrorIs(t, err, tool.InvalidArguments, in)
		require.ErrorContains(t, err, want)
	}
}

// TestInvocation covers A12-95 to A12-97 and T13.
func TestInvocation(t *testing.T) {
	imports := []testguest.Import{{Module: "wasmtools_v1", Name: "context", Results: 1}}
	var logged bytes.Buffer
	x := built(t, &runtime.Options{Logger: slog.New(slog.NewTextHandler(&logged, nil))}, testguest.Guest{
		Status: 1, Imports: imports,
		Spec: spec(`{"name":"x","inject":["memoryId","params.tenant"],"inputSchema":{"type":"object"}}`),
	})
	call := args(`{"a":1,"memoryId":"evil","tenant":"evil"}`)
	_, err := x.Call(t.Context(), call)
	require.ErrorIs(t, err, tool.Misconfigured)
	require.ErrorContains(t, err, "memory ID")

	call.Invocation.MemoryID = "u1"
	_, err = x.Call(t.Context(), call)
	require.ErrorIs(t, err, tool.Misconfigured)
	require.ErrorContains(t, err, `parameter "tenant"`)

	call.Invocation.Params = map[string]any{"tenant": "acme"}
	res, err := x.Call(t.Context(), call)
	require.NoError(t, err)
	require.Equal(t, `{"a":1}`, res.Text())
	require.Contains(t, logged.String(), "level=WARN")
	require.Contains(t, logged.String(), "memoryId")

	call.Invocation.Params["bad"] = func() {}
	_, err = x.Call(t.Context(), call)
	require.ErrorIs(t, err, tool.Misconfigured)
}

func TestCancel(t *testing.T) {
	loop := load(t, nil, "hostile/attacks.wasm", "loop")
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the user went away")
	time.AfterFunc(20*time.Millisecond, func() { cancel(why) })
	_, err := loop.Call(ctx, args(""))
	require.ErrorIs(t, err, tool.Canceled)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, why)

	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	_, err = loop.Call(ctx, args(""))
	require.ErrorIs(t, err, tool.Timeout)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotErrorIs(t, err, tool.LimitTime)
}

// TestTightenedLimits shows that a spec can ask for less and never for more.
func TestTightenedLimits(t *testing.T) {
	g := testguest.Guest{Status: 0, Output: strings.Repeat("x", 50), Spec: spec(`{"name":"x","limits":{"outputBytes":10}}`)}
	_, err := built(t, nil, g).Call(t.Context(), args("{}"))
	require.ErrorIs(t, err, tool.LimitOutput)

	g.Spec = spec(`{"name":"x","limits":{"outputBytes":1000000}}`)
	_, err = built(t, &runtime.Options{Limits: tool.Limits{Output: 20}}, g).Call(t.Context(), args("{}"))
	require.ErrorIs(t, err, tool.LimitOutput)

	res, err := built(t, &runtime.Options{Limits: tool.Limits{Output: tool.Unlimited}}, g).Call(t.Context(), args("{}"))
	require.NoError(t, err)
	require.Len(t, res.Text(), 50)
}

// TestConcurrentCalls covers A13-104: guests need no locks.
func TestConcurrentCalls(t *testing.T) {
	mod, err := newRuntime(t, nil).Load(t.Context(), "attacks.wasm", hostile(t, "attacks"))
	require.NoError(t, err)
	count, err := mod.Tool("count_calls")
	require.NoError(t, err)
	crash, err := mod.Tool("unreachable")
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 20 {
				_, err := crash.Call(t.Context(), args(""))
				require.ErrorIs(t, err, tool.Trap)
				res, err := count.Call(t.Context(), args(""))
				require.NoError(t, err)
				require.Equal(t, "1", res.Text())
			}
		})
	}
	wg.Wait()
}

func TestInspect(t *testing.T) {
	bin, err := os.ReadFile(filepath.Join("..", "testdata", "guests", "upper.wasm"))
	require.NoError(t, err)
	info, err := runtime.Inspect(bin)
	require.NoError(t, err)
	require.Equal(t, len(bin), info.Size)
	require.Regexp(t, "^sha256:[0-9a-f]{64}$", info.Digest)
	require.Contains(t, info.Toolchain, "clang")
	require.Equal(t, []runtime.Import{{"wasmtools_v1", "input", ""}, {"wasmtools_v1", "read", ""}, {"wasmtools_v1", "write", ""}}, info.Imports)

	mod, err := newRuntime(t, nil).Load(t.Context(), "upper.wasm", bin)
	require.NoError(t, err)
	require.Equal(t, info, mod.Info())
	fromFile, err := runtime.InspectFile(filepath.Join("..", "testdata", "guests", "upper.wasm"))
	require.NoError(t, err)
	require.Equal(t, info, fromFile)

	_, err = runtime.Inspect([]byte("\x00asm\x0d\x00\x01\x00"))
	require.ErrorIs(t, err, tool.BadModule)
}

// TestMemoryLimitBeforeItsConsequence: a guest that was refused memory and then names a pointer beyond its end has met the
// limit, not broken the contract.
func TestMemoryLimitBeforeItsConsequence(t *testing.T) {
	echo := load(t, &runtime.Options{Limits: tool.Limits{Memory: 128 << 10}}, "guests/echo.wasm", "")
	_, err := echo.Call(t.Context(), args(`{"text":"`+strings.Repeat("x", 70_000)+`"}`))
	require.ErrorIs(t, err, tool.LimitMemory)
}
