package runtime_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/snapshot"
	"github.com/wasmtools/wasmtools/internal/testguest"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

func TestCloseRuntime(t *testing.T) {
	rt := newRuntime(t, nil)
	mod, err := rt.Load(t.Context(), "attacks.wasm", hostile(t, "attacks"))
	require.NoError(t, err)
	loop, err := mod.Tool("loop")
	require.NoError(t, err)

	ended := make(chan error, 1)
	go func() {
		_, err := loop.Call(context.Background(), args(""))
		ended <- err
	}()
	time.Sleep(20 * time.Millisecond) // the call may or may not have begun: both have to end in the same error
	require.NoError(t, rt.Close(t.Context()))
	require.ErrorIs(t, <-ended, tool.Closed)

	require.NoError(t, rt.Close(t.Context()), "closing twice is fine")
	_, err = loop.Call(t.Context(), args(""))
	require.ErrorIs(t, err, tool.Closed)
	_, err = rt.Load(t.Context(), "x", testguest.Guest{}.Wasm())
	require.ErrorIs(t, err, tool.Closed)
	require.NoError(t, mod.Close(t.Context()), "closing a module of a closed runtime is fine")
}

func TestCloseModule(t *testing.T) {
	rt := newRuntime(t, nil)
	bin := testguest.Guest{Spec: spec(`{"name":"x"}`)}.Wasm()
	first, err := rt.Load(t.Context(), "first", bin)
	require.NoError(t, err)
	second, err := rt.Load(t.Context(), "second", bin)
	require.NoError(t, err, "T2: the same module twice is no error")
	require.NoError(t, first.Close(t.Context()))
	require.NoError(t, first.Close(t.Context()))

	_, err = first.Tools()[0].Call(t.Context(), args("{}"))
	require.ErrorIs(t, err, tool.Closed)
	_, err = second.Tools()[0].Call(t.Context(), args("{}"))
	require.NoError(t, err, "each Module lives on its own")
}

// TestLoadOnce covers A1-15: the spec is derived once per digest.
func TestLoadOnce(t *testing.T) {
	rt := newRuntime(t, nil)
	bin := hostile(t, "attacks")
	mods := make([]*runtime.Module, 8)
	var wg sync.WaitGroup
	for i := range mods {
		wg.Go(func() {
			var err error
			mods[i], err = rt.Load(context.Background(), "x", bin)
			require.NoError(t, err)
		})
	}
	wg.Wait()
	require.Equal(t, 1, runtime.Compiled(rt))
	for _, m := range mods {
		require.NoError(t, m.Close(t.Context()))
	}
	require.Zero(t, runtime.Compiled(rt), "the last one frees the code")

	_, err := rt.Load(t.Context(), "bad", testguest.Guest{}.Wasm())
	require.ErrorIs(t, err, tool.BadModule)
	require.Zero(t, runtime.Compiled(rt), "a module that failed is forgotten")
}

func TestModuleTool(t *testing.T) {
	rt := newRuntime(t, nil)
	one, err := rt.Load(t.Context(), "one.wasm", testguest.Guest{Spec: spec(`{"name":"x"}`)}.Wasm())
	require.NoError(t, err)
	two, err := rt.Load(t.Context(), "two.wasm", testguest.Guest{Spec: spec(`{"name":"x"},{"name":"X"}`)}.Wasm())
	require.NoError(t, err)

	_, err = one.Tool("")
	require.NoError(t, err)
	_, err = two.Tool("")
	require.ErrorIs(t, err, tool.NotFound)
	require.Equal(t, "its tools are x, X", tool.HintOf(err))
	_, err = two.Tool("y")
	require.ErrorIs(t, err, tool.NotFound)
	got, err := two.Tool("X") // A9-82: exact and case-sensitive
	require.NoError(t, err)
	require.Equal(t, "X", got.Spec().Name)
}

// TestLoadIsNotHarmedByAnother: who waits for a module that another caller prepares does not share that caller's fate.
func TestLoadIsNotHarmedByAnother(t *testing.T) {
	rt := newRuntime(t, &runtime.Options{Load: runtime.LoadLimits{Time: time.Minute}})
	bin := hostile(t, "spec_forever")
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() {
		_, err := rt.Load(ctx, "x", bin)
		first <- err
	}()
	require.Eventually(t, func() bool { return runtime.Compiled(rt) == 1 }, 10*time.Second, time.Millisecond)
	second := make(chan error, 1)
	patience, stop := context.WithTimeoutCause(t.Context(), 2*time.Second, errors.New("out of patience"))
	defer stop()
	go func() {
		_, err := rt.Load(patience, "x", bin)
		second <- err
	}()
	require.Eventually(t, func() bool { return runtime.References(rt) == 2 }, 10*time.Second, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-first, context.Canceled)
	err := <-second
	require.NotErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "out of patience")
}

// TestCloseFreesModulesThatAreOpen: closing a Runtime is enough, and closing its Modules afterwards does no harm.
func TestCloseFreesModulesThatAreOpen(t *testing.T) {
	rt, err := runtime.New(t.Context(), nil)
	require.NoError(t, err)
	mod, err := rt.LoadFile(t.Context(), filepath.Join("..", "testdata", "guests", "echo.wasm"))
	require.NoError(t, err)
	_, err = mod.Tools()[0].Call(t.Context(), args("{}"))
	require.NoError(t, err)
	require.EqualValues(t, 1, rt.Stats().Idle)
	require.NoError(t, rt.Close(t.Context()))
	require.Zero(t, rt.Stats().Idle)
	require.Zero(t, rt.Stats().Memory)
	require.Equal(t, snapshot.Usage{}, runtime.Mapped(rt))
	require.NoError(t, mod.Close(t.Context()))
	_, err = mod.Tools()[0].Call(t.Context(), args("{}"))
	require.ErrorIs(t, err, tool.Closed)
}
