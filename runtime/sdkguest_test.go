package runtime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// TestGuestSizes holds the guests to what they may grow to: the SDK is in every module.
func TestGuestSizes(t *testing.T) {
	for path, limit := range map[string]int64{"sdk/sdk.wasm": 600_000, "forecast/forecast.wasm": 600_000, "raw/raw.wasm": 60_000} {
		info, err := os.Stat(filepath.Join("..", "testdata", "guests", path))
		require.NoError(t, err)
		require.Less(t, info.Size(), limit, path)
	}
}

// TestSDKGuest calls every tool of the guest that uses all of the SDK, as TinyGo and as standard Go compile it.
func TestSDKGuest(t *testing.T) {
	t.Run("TinyGo", func(t *testing.T) {
		testSDKGuest(t, filepath.Join("..", "testdata", "guests", "sdk", "sdk.wasm"))
	})
	t.Run("Go", func(t *testing.T) {
		if raceDetector {
			t.Skip("compiling a large guest takes minutes under the race detector; the other run covers it")
		}
		testSDKGuest(t, buildWithGo(t, filepath.Join("..", "testdata", "guests", "sdk")))
	})
}

// buildWithGo compiles a guest with standard Go. It reads the SDK's sources, so that go test does not take an old result
// for a new one.
func buildWithGo(t *testing.T, dir string) string {
	err := filepath.WalkDir(filepath.Join("..", "sdk-guest"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			_, err = os.ReadFile(path)
		}
		return err
	})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "guest.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", path, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
	return path
}

// sdkCall is one call of the guest: a successful one, one that the tool fails, or one that does not come to its end.
type sdkCall struct {
	tool, args string
	want       string    // the result's text
	code       tool.Code // of the tool's error, or of the error if trap is set
	status     int32
	trap       string // in the error's text
}

func testSDKGuest(t *testing.T, path string) {
	var logged bytes.Buffer
	mod, err := newRuntime(t, &runtime.Options{
		Logger: slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Approval: runtime.Approval{Approver: tool.ApproverFunc(func(_ context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
			if strings.Contains(req.Input, "forbidden") {
				return tool.Decision{}, nil
			}
			if strings.Contains(req.Input, "edit") {
				return tool.Decision{Verdict: tool.Edit, Text: "delete b"}, nil
			}
			return tool.Decision{Verdict: tool.Continue}, nil
		})},
	}).LoadFile(t.Context(), path)
	require.NoError(t, err)

	called := map[string]bool{}
	for _, c := range []sdkCall{
		{tool: "order", args: `{"customer":"Ann","items":[{"name":"tea"},{"name":"cup","count":3}],"colors":["red","RED","GREEN"],"notes":{"a":"b"},"due":"2026-01-02T03:04:05Z","blob":"aGk="}`,
			want: `{"summary":"Ann <small>: 2 kinds","total":4,"colors":["RED","GREEN"],"due":"2026-01-02T03:04:05Z","notes":1,"blob":"aGk="}`}, // T5, T6, T11
		{tool: "order", args: `{"customer":"Ann","items":[{"name":"tea","count":null}],"size":null}`, want: `{"summary":"Ann <small>: 1 kinds","total":1,"colors":[],"due":null,"notes":0}`},
		{tool: "order", args: `{"customer":"Ann","items":[]}`, code: tool.InvalidArguments, trap: "/items"},
		{tool: "tree", args: `{"value":1,"children":[{"value":2},{"value":3,"children":[{"value":4}]}]}`, want: "10"}, // A3-34
		{tool: "numbers", args: `{"i64":9007199254740993,"u64":18446744073709551615,"i8":-128,"f32":1.5,"big":123456789012345678901234567890}`,
			want: `{"i64":9007199254740993,"u64":18446744073709551615,"i8":-128,"f32":1.5,"big":123456789012345678901234567890}`}, // T4
		{tool: "numbers", args: `{"i64":9223372036854775808,"u64":0,"i8":128,"f32":1e39,"big":1.5}`, code: tool.InvalidArguments, trap: "/i64"},
		{tool: "optional", args: `{}`, want: "n=0 set=false null=false absent=true d=7"}, // A6-58, T6
		{tool: "optional", args: `{"n":null,"d":null}`, want: "n=0 set=false null=true absent=false d=7"},
		{tool: "optional", args: `{"n":3,"d":9}`, want: "n=3 set=true null=false absent=false d=9"},
		{tool: "optional", args: `{"n":"x"}`, code: tool.InvalidArguments, trap: "/n"},
		{tool: "loose", args: `{"A":"wrong case","b":2}`, want: "a="}, // T6: names are exact
		{tool: "loose", args: `{"A":"wrong case","a":"right"}`, want: "a=right"},
		{tool: "log", want: "Success"},
		{tool: "delete", args: `{"path":"a"}`, want: "done: delete a"},
		{tool: "delete", args: `{"path":"edit"}`, want: "done: delete b"},
		{tool: "delete", args: `{"path":"forbidden"}`, want: "Rejected by reviewer: delete forbidden", code: tool.Denied},
		{tool: "guarded", want: "Success"},
		{tool: "fail", args: `{"how":"failed"}`, want: "it broke", code: tool.ToolFailed}, // A8-70
		{tool: "fail", args: `{"how":"failed cause code"}`, want: "disk full", code: tool.ToolFailed, status: 503},
		{tool: "fail", args: `{"how":"arguments code"}`, want: "how must be known", code: tool.InvalidArguments, status: 422},
		{tool: "fail", args: `{"how":"large code"}`, want: "it broke", code: tool.ToolFailed, status: 2147483647},
		{tool: "fail", args: `{"how":"wrapped"}`, want: "checking: how must be known", code: tool.InvalidArguments, status: 422},
		{tool: "fail", args: `{"how":"blank"}`, want: "quotaError", code: tool.ToolFailed}, // A8-73: the type's name
		{tool: "fail", args: `{"how":"?"}`, want: "boom", code: tool.ToolFailed},
		{tool: "image", want: ""},
		{tool: "rich", want: "two parts"},
		{tool: "void", want: "Success"},
		{tool: "nothing", want: "null"}, // A21-6
		{tool: "nan", code: tool.ToolFailed, want: "NaN"},
		{tool: "panic", args: `{"at":2}`, code: tool.Trap, trap: "the end, at 3"},
		{tool: "panic", args: `{"at":9}`, code: tool.Trap, trap: "index out of range"},
		{tool: "count", want: "1"},
		{tool: "count", want: "1"},
		{tool: "upper", args: `{"input":"grüße"}`, want: "GRÜSSE"},
	} {
		called[c.tool] = true
		x, err := mod.Tool(c.tool)
		require.NoError(t, err)
		res, err := x.Call(t.Context(), args(c.args))
		what := c.tool + " " + c.args
		if c.trap != "" {
			require.Equal(t, c.code, tool.CodeOf(err), what)
			require.ErrorContains(t, err, c.trap, what)
			continue
		}
		require.NoError(t, err, what)
		requireSDKResult(t, c, res, what)
	}
	checkSDKParts(t, mod)
	checkSDKIdentity(t, mod)
	called["whoami"] = true
	require.Len(t, called, len(mod.Tools()), "every tool of the guest is called")
	for _, want := range []string{`msg=working`, `guest.run=1`, `guest.step.file.name=a.txt`, `level=WARN msg=odd`, `level=DEBUG msg=starting`, `from=guest`} {
		require.Contains(t, logged.String(), want)
	}
}

func requireSDKResult(t *testing.T, c sdkCall, res tool.Result, what string) {
	t.Helper()
	if c.code == "" {
		require.Nil(t, res.Error, what)
		require.Equal(t, strings.ReplaceAll(c.want, "GRÜSSE", strings.ToUpper("grüße")), res.Text(), what)
		return
	}
	require.NotNil(t, res.Error, what)
	require.Equal(t, c.code, res.Error.Code, what)
	require.Contains(t, res.Text(), c.want, what)
	if c.status != 0 {
		require.Equal(t, c.status, *res.Error.Status, what)
	}
}

// checkSDKParts covers T7's content and A11-89's return behaviours.
func checkSDKParts(t *testing.T, mod *runtime.Module) {
	t.Helper()
	image, err := mod.Tool("image")
	require.NoError(t, err)
	res, err := image.Call(t.Context(), args(""))
	require.NoError(t, err)
	require.Equal(t, []tool.Part{{Type: tool.Image, MIMEType: "image/png", Data: []byte("\x89PNG")}}, res.Content)
	require.Equal(t, tool.Immediate, res.Return)

	rich, err := mod.Tool("rich")
	require.NoError(t, err)
	res, err = rich.Call(t.Context(), args(""))
	require.NoError(t, err)
	require.Equal(t, []tool.Part{{Type: tool.Text, Text: "two parts"}, {Type: tool.Audio, MIMEType: "audio/wav", Data: []byte("RIFF")}}, res.Content)
	require.JSONEq(t, `{"parts":2}`, string(res.Structured))
	require.Equal(t, map[string]json.RawMessage{"cost": json.RawMessage("0.5")}, res.Attributes)
	require.Equal(t, tool.ImmediateIfLast, res.Return)
}

// checkSDKIdentity covers T13: two users at once, each of them sees their own ID.
func checkSDKIdentity(t *testing.T, mod *runtime.Module) {
	t.Helper()
	whoami, err := mod.Tool("whoami")
	require.NoError(t, err)
	var wg sync.WaitGroup
	for _, user := range []string{"u1", "u2", "u3", "u4"} {
		wg.Go(func() {
			for range 5 {
				call := tool.Call{ID: "call-" + user, Invocation: tool.Invocation{MemoryID: user, Params: map[string]any{"tenant": "of " + user}}}
				res, err := whoami.Call(t.Context(), call)
				require.NoError(t, err)
				require.JSONEq(t, `{"tool":"whoami","call":"call-`+user+`","memory":"`+user+`","tenant":"of `+user+`"}`, res.Text())
			}
		})
	}
	wg.Wait()
}

func TestRawGuest(t *testing.T) {
	mod, err := newRuntime(t, nil).LoadFile(t.Context(), filepath.Join("..", "testdata", "guests", "raw", "raw.wasm"))
	require.NoError(t, err)
	shout, err := mod.Tool("shout")
	require.NoError(t, err)
	res, err := shout.Call(t.Context(), args(`{"input":"hi"}`))
	require.NoError(t, err)
	require.Equal(t, "HI", res.Text())
	res, err = shout.Call(t.Context(), args(`{"input":""}`))
	require.NoError(t, err)
	require.Equal(t, int32(422), *res.Error.Status)
	echo, err := mod.Tool("echo")
	require.NoError(t, err)
	res, err = echo.Call(t.Context(), args(`{"text": "hi"}`))
	require.NoError(t, err)
	require.Equal(t, `{"text":"hi"}`, string(res.Structured))
}
