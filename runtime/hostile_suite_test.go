package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	suite "github.com/wasmtools/wasmtools/internal/hostile"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// testdata is the repository's folder of guests.
var testdata = filepath.Join("..", "testdata")

// TestHostileSuite makes every attack. Each ends as the list says, a neighbour on the same Runtime gets its answers meanwhile
// and afterwards, and nothing is left behind.
func TestHostileSuite(t *testing.T) {
	goroutines := goruntime.NumGoroutine()
	hasty := newTarget(t, 200*time.Millisecond)
	patient := newTarget(t, 0) // a busy machine takes its time for what ends by itself
	descriptors := openDescriptors(t)
	for _, a := range suite.Attacks() {
		t.Run(a.Name, func(t *testing.T) {
			if a.Limit == tool.LimitTime {
				hasty.endure(t, a)
			} else {
				patient.endure(t, a)
			}
		})
	}
	require.NoError(t, hasty.Close(t.Context()))
	require.NoError(t, patient.Close(t.Context()))
	require.LessOrEqual(t, openDescriptors(t), descriptors)
	eventually(t, func() bool { return goruntime.NumGoroutine() <= goroutines }, "goroutines are left")
}

// target is a Runtime that is attacked.
type target struct {
	*runtime.Runtime
	neighbour *runtime.Module
	watch     watcher
}

func newTarget(t *testing.T, limit time.Duration) *target {
	x := &target{}
	x.Runtime = newRuntime(t, &runtime.Options{
		Limits: tool.Limits{Time: limit}, Load: runtime.LoadLimits{Time: 5 * limit}, Logger: slog.New(&x.watch),
	})
	var err error
	x.neighbour, err = x.LoadFile(t.Context(), filepath.Join(testdata, "guests", "echo.wasm"))
	require.NoError(t, err)
	return x
}

// endure makes the attack and checks that nothing else happens than has to.
func (x *target) endure(t *testing.T, a suite.Attack) {
	echo := x.neighbour.Tools()[0]
	stop := keepCalling(echo)
	defer stop()
	attack(t, x.Runtime, a)
	require.NoError(t, stop(), "a neighbour was harmed")
	require.NoError(t, echoes(echo))
	eventually(t, func() bool { return runtime.References(x.Runtime) == 1 }, "a module is left besides the neighbour")
	eventually(t, func() bool {
		stats := x.Stats()
		return stats == runtime.Stats{Modules: 1, Idle: stats.Idle, Memory: stats.Idle * 128 << 10, Late: stats.Late}
	}, "more is left than the neighbour's idle instances")
	require.Zero(t, runtime.Running(x.neighbour))
	require.Empty(t, x.watch.take(), "logs are fit for a terminal")
}

// eventually waits until something is so, without a goroutine that would be counted.
func eventually(t *testing.T, so func() bool, otherwise string) {
	t.Helper()
	for began := time.Now(); !so(); time.Sleep(time.Millisecond) {
		require.Less(t, time.Since(began), 10*time.Second, otherwise)
	}
}

// attack loads a hostile module and calls all that it lets itself be called for.
func attack(t *testing.T, rt *runtime.Runtime, a suite.Attack) {
	t.Helper()
	bin, err := a.Module(testdata)
	require.NoError(t, err)
	mod, err := rt.Load(t.Context(), a.Name, bin)
	if a.AtLoad() {
		requireEnd(t, a, err)
		return
	}
	require.NoError(t, err)
	defer mod.Close(t.Context())
	for _, x := range mod.Tools() {
		res, err := x.Call(t.Context(), args(""))
		if err == nil && res.Error != nil {
			err = res.Error
		}
		requireEnd(t, a, err)
	}
	require.Zero(t, runtime.Running(mod))
}

// requireEnd checks that an attack ended as it has to.
func requireEnd(t *testing.T, a suite.Attack, err error) {
	t.Helper()
	if a.Code == "" {
		require.NoError(t, err)
		return
	}
	require.ErrorIs(t, err, a.Code)
	require.Less(t, len(err.Error()), 2000, "an error is for a person to read")
	if a.Limit != "" {
		var limit *tool.LimitError
		require.ErrorIs(t, err, a.Limit)
		require.ErrorAs(t, err, &limit)
		require.Positive(t, limit.Max)
		require.True(t, a.Limit == tool.LimitTime || limit.Actual > limit.Max, "%v", limit)
	}
	if a.Code == tool.Trap {
		requireOpaque(t, err)
	}
	if a.Code == tool.Timeout {
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
}

// echoes calls the neighbour and checks its answer.
func echoes(echo tool.Tool) error {
	const text = `{"who":"neighbour"}`
	res, err := echo.Call(context.Background(), args(text))
	if err == nil && res.Text() != text {
		err = fmt.Errorf("it answered %q", res.Text())
	}
	return err
}

// keepCalling calls the neighbour until the returned function is called, which returns what went wrong. It may be called twice.
func keepCalling(echo tool.Tool) (stop func() error) {
	over, failed := make(chan struct{}), make(chan error, 1)
	go func() {
		var err error
		for err == nil {
			if err = echoes(echo); errors.Is(err, tool.LimitTime) {
				err = nil // slow is not harmed: how slow is for measurements to tell
			}
			select {
			case <-over:
				failed <- err
				return
			case <-time.After(time.Millisecond): // not to be an attack itself
			}
		}
		failed <- err
	}()
	return sync.OnceValue(func() error {
		close(over)
		return <-failed
	})
}

// watcher is a log that looks for what could deceive the reader of a terminal or a file.
type watcher struct {
	mu    sync.Mutex
	found []string
}

func (*watcher) Enabled(context.Context, slog.Level) bool { return true }

func (w *watcher) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		text += " " + a.String()
		return true
	})
	if strings.ContainsAny(text, "\x1b\r\n\a\u009b\u202e") {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.found = append(w.found, text)
	}
	return nil
}

func (w *watcher) WithAttrs([]slog.Attr) slog.Handler { return w }
func (w *watcher) WithGroup(string) slog.Handler      { return w }

// take returns what was found since the last time.
func (w *watcher) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := w.found
	w.found = nil
	return found
}

// openDescriptors returns how many file descriptors this process has, or 0 where the system does not tell.
func openDescriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Log("open descriptors are not counted:", err)
	}
	return len(entries)
}

// TestEndlessGuests: without a limit of time a call ends when its caller gives up, and this process can collect
// its garbage meanwhile.
func TestEndlessGuests(t *testing.T) {
	rt := newRuntime(t, &runtime.Options{Limits: tool.Limits{Time: tool.Unlimited}})
	for _, a := range suite.Attacks() {
		if !a.Endless() {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			bin, err := a.Module(testdata)
			require.NoError(t, err)
			mod, err := rt.Load(t.Context(), a.Name, bin)
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := mod.Tools()[0].Call(ctx, args(""))
				ended <- err
			}()
			require.Eventually(t, func() bool { return runtime.Running(mod) == 1 }, 10*time.Second, time.Millisecond)
			goruntime.GC() // would not return if the guest could not be interrupted
			cancel()
			require.ErrorIs(t, <-ended, tool.Canceled)
		})
	}
}

// TestCrashesAreExplained: the operator learns what a guest did.
func TestCrashesAreExplained(t *testing.T) {
	rt := newRuntime(t, nil)
	for guest, tools := range map[string]map[string]string{
		"read_pointers":    {"past_end": `abi violation: "read" was given memory that is not the guest's`, "wraps": `"read" was given`},
		"write_pointers":   {"past_end": `"write" was given memory`, "wraps": `"write" was given memory`},
		"log_pointers":     {"message_past_end": `"log" was given memory`, "attrs_negative": `"log" was given memory`},
		"approve_pointers": {"past_end": `"approve" was given memory`},
		"status_unknown":   {"kind": "abi violation: status 0x4d is not known", "code_on_text": "abi violation: status 0x1a600 is not known"},
		"output_malformed": {"not_utf8": "abi violation: the output is not UTF-8", "not_json": "the output is not JSON", "not_result": "the output is not a result"},
		"exit_codes":       {"exit_0": "exit with code 0", "exit_255": "exit with code 255", "exit_all_ones": "exit with code 4294967295"},
		"traps": {"unreachable": "unreachable in crash", "divide": "integer divide by zero", "overflow": "integer overflow",
			"load": "out of bounds memory access", "null_call": "invalid table access", "mistyped_call": "indirect call type mismatch"},
	} {
		mod, err := rt.LoadFile(t.Context(), filepath.Join(testdata, "hostile", guest+".wasm"))
		require.NoError(t, err)
		for name, want := range tools {
			x, err := mod.Tool(name)
			require.NoError(t, err)
			_, err = x.Call(t.Context(), args(""))
			require.ErrorIs(t, err, tool.Trap)
			require.ErrorContains(t, err, want)
		}
	}
}

// TestLoadIsExplained: whoever loads a module learns what of it is at fault.
func TestLoadIsExplained(t *testing.T) {
	rt := newRuntime(t, &runtime.Options{Load: runtime.LoadLimits{Time: 200 * time.Millisecond}})
	for guest, want := range map[string]string{
		"spec_endless":    "spec size limit of 1048576 bytes reached",
		"spec_changing":   "changes from call to call",
		"spec_forever":    "its spec did not end: time limit of 200ms reached",
		"init_forever":    "its initialisation did not end: time limit of 200ms reached",
		"start_forever":   "its initialisation did not end: time limit of 200ms reached",
		"huge_tables":     "reached: 2684354540",
		"spec_traps":      "its spec failed",
		"spec_exits":      "its spec failed: the tool crashed",
		"spec_calls_host": `calls "input" before it is executed`,
		"init_calls_host": `calls "log" before it is executed`,
	} {
		_, err := rt.LoadFile(t.Context(), filepath.Join(testdata, "hostile", guest+".wasm"))
		require.ErrorIs(t, err, tool.BadModule)
		require.ErrorContains(t, err, want)
	}
}

// TestFloodsAreDroppedAndCounted: a chatty tool still gives its answer.
func TestFloodsAreDroppedAndCounted(t *testing.T) {
	rt := newRuntime(t, nil)
	for _, guest := range []string{"log_flood", "stdout_flood"} {
		mod, err := rt.LoadFile(t.Context(), filepath.Join(testdata, "hostile", guest+".wasm"))
		require.NoError(t, err)
		for _, x := range mod.Tools() {
			res, err := x.Call(t.Context(), args(""))
			require.NoError(t, err)
			require.GreaterOrEqual(t, res.Stats.LogDropped, int64(1000), x.Spec().Name)
		}
	}
}
