package runtime_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

func TestFuelLimit(t *testing.T) {
	o := &runtime.Options{Limits: tool.Limits{Fuel: 5_000_000}}
	mod, err := newRuntime(t, o).Load(t.Context(), "attacks.wasm", hostile(t, "attacks"))
	require.NoError(t, err)
	loop, err := mod.Tool("loop")
	require.NoError(t, err)
	res, err := loop.Call(t.Context(), args(""))
	require.ErrorIs(t, err, tool.LimitExceeded)
	require.ErrorIs(t, err, tool.LimitFuel)
	require.Greater(t, res.Stats.Fuel, int64(5_000_000))
	require.Less(t, res.Stats.Fuel, int64(5_100_000))
	count, err := mod.Tool("count_calls")
	require.NoError(t, err)
	_, err = count.Call(t.Context(), args(""))
	require.NoError(t, err, "each call has its own")
}

// TestSmallFuelLimit: a limit lower than what a guest gets at a time holds, and neither loading a module nor initialising it
// counts.
func TestSmallFuelLimit(t *testing.T) {
	upper := load(t, &runtime.Options{Limits: tool.Limits{Fuel: 2000}}, "guests/upper.wasm", "")
	_, err := upper.Call(t.Context(), args("hi"))
	require.NoError(t, err)
	res, err := upper.Call(t.Context(), args(strings.Repeat("x", 2000)))
	require.ErrorIs(t, err, tool.LimitFuel)
	require.Less(t, res.Stats.Fuel, int64(20_000))

	busy := load(t, &runtime.Options{Limits: tool.Limits{Fuel: 10_000}}, "fuel/busy_start.wasm", "")
	res, err = busy.Call(t.Context(), args(""))
	require.NoError(t, err, "initialisation takes a hundred times as much")
	require.Less(t, res.Stats.Fuel, int64(1000))
}

// TestFuelIsDeterministic: the same module, arguments and answers of the host take the same fuel, however the fuel is
// handed out. Guests of TinyGo and Go draw random numbers for their maps, so this one is in C.
func TestFuelIsDeterministic(t *testing.T) {
	path := filepath.Join("..", "testdata", "guests", "upper.wasm")
	text := strings.Repeat("some text ", 50_000) // takes several quanta
	used := map[int64]bool{}
	for _, limit := range []int64{tool.Unlimited, tool.Unlimited, 100_000_000, 99_999_999} {
		mod, err := newRuntime(t, &runtime.Options{Limits: tool.Limits{Fuel: limit}}).LoadFile(t.Context(), path)
		require.NoError(t, err)
		for range 2 {
			res, err := mod.Tools()[0].Call(t.Context(), args(text))
			require.NoError(t, err)
			used[res.Stats.Fuel] = true
		}
	}
	require.Len(t, used, 1, "%v", used)
	require.NotContains(t, used, int64(0))
}
