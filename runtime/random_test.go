package runtime_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

const (
	fresh   = "another value in every call"
	varies  = "not the same value in all calls"
	repeats = "the same value in all calls"
)

// randomness is what becomes of random numbers, as docs/writing-tools.md says. A value that repeats without need is noticed here
// when a later toolchain does better.
var randomness = []struct{ source, tinygo, standard string }{
	{"crypto/rand", fresh, fresh},
	{"crypto/rand.Int", fresh, fresh},
	{"crypto/rand.Reader, kept", fresh, fresh},
	{"math/rand", fresh, repeats},
	{"math/rand/v2", fresh, repeats},
	{"maphash.MakeSeed", fresh, repeats},
	{"map", varies, repeats},
	{"map, kept", varies, repeats},
	{"rand.Rand, kept", repeats, repeats},
	{"maphash.Seed, kept", repeats, repeats},
}

func TestRandomNumbersOfTinyGo(t *testing.T) {
	mod, err := newRuntime(t, nil).LoadFile(t.Context(), wasiGuest())
	require.NoError(t, err)
	for _, r := range randomness {
		requireRandomness(t, mod, r.source, r.tinygo)
	}
}

func TestRandomNumbersOfGo(t *testing.T) {
	if raceDetector {
		t.Skip("compiling a large guest takes minutes under the race detector; the other run covers it")
	}
	mod, err := newRuntime(t, nil).LoadFile(t.Context(), buildWithGo(t, filepath.Dir(wasiGuest())))
	require.NoError(t, err)
	for _, r := range randomness {
		requireRandomness(t, mod, r.source, r.standard)
	}
}

func TestRandomNumbersOfC(t *testing.T) {
	for _, test := range []struct{ define, source, want string }{
		{"EARLY=1", "getentropy", fresh},
		{"EARLY=0", "arc4random", fresh},
		{"EARLY=1", "arc4random", repeats},
		{"EARLY=0", "rand", repeats},
	} {
		mod, err := newRuntime(t, nil).LoadFile(t.Context(), buildWithLibc(t, "-D"+test.define))
		require.NoError(t, err)
		requireRandomness(t, mod, test.source, test.want)
	}
}

func wasiGuest() string { return filepath.Join("..", "testdata", "guests", "wasi", "wasi.wasm") }

// requireRandomness calls the module's tool "random" many times.
func requireRandomness(t *testing.T, mod *runtime.Module, source, want string) {
	t.Helper()
	const calls = 50
	random, err := mod.Tool("random")
	require.NoError(t, err)
	input, err := json.Marshal(map[string]string{"input": source})
	require.NoError(t, err)
	seen := map[string]bool{}
	for range calls {
		res, err := random.Call(t.Context(), tool.Call{Arguments: input})
		require.NoError(t, err)
		require.Nil(t, res.Error, source)
		seen[res.Text()] = true
	}
	got := varies
	switch len(seen) {
	case 1:
		got = repeats
	case calls:
		got = fresh
	}
	require.Equal(t, want, got, "%s: %d values in %d calls", source, len(seen), calls)
}

func TestRandomNumbersLeaveFuelAlone(t *testing.T) {
	mod, err := newRuntime(t, nil).LoadFile(t.Context(), filepath.Join("..", "testdata", "guests", "raw", "raw.wasm"))
	require.NoError(t, err)
	echo, err := mod.Tool("echo")
	require.NoError(t, err)
	fuel := map[int64]bool{}
	for range 50 {
		res, err := echo.Call(t.Context(), args(`{"text":"hi"}`))
		require.NoError(t, err)
		fuel[res.Stats.Fuel] = true
	}
	require.Len(t, fuel, 1, "a tool that uses no random numbers takes the same fuel in every call")
}

// TestClocks calls a tool that tells the time, soon after the module was loaded and much later.
func TestClocks(t *testing.T) {
	t.Run("TinyGo", func(t *testing.T) {
		testClocks(t, wasiGuest(), false) // which knows one clock only, and takes the time of day for it
	})
	t.Run("Go", func(t *testing.T) {
		if raceDetector {
			t.Skip("compiling a large guest takes minutes under the race detector; the other run covers it")
		}
		testClocks(t, buildWithGo(t, filepath.Dir(wasiGuest())), true)
	})
}

func testClocks(t *testing.T, path string, monotonic bool) {
	t.Helper()
	rt := newRuntime(t, nil)
	var passed atomic.Int64
	runtime.AddMonotonic(rt, passed.Load)
	before := time.Now()
	mod, err := rt.LoadFile(t.Context(), path)
	require.NoError(t, err)
	loaded := time.Now()
	clock, err := mod.Tool("clock")
	require.NoError(t, err)
	for _, later := range []time.Duration{0, 0, time.Hour, 30 * 24 * time.Hour} {
		passed.Store(int64(later))
		start := time.Now()
		res, err := clock.Call(t.Context(), args(`{"input":""}`))
		require.NoError(t, err)
		end := time.Now()
		require.Nil(t, res.Error, res.Text())
		var now, age int64
		_, err = fmt.Fscan(strings.NewReader(res.Text()), &now, &age)
		require.NoError(t, err)

		require.GreaterOrEqual(t, now, start.UnixNano())
		require.LessOrEqual(t, now, end.UnixNano())
		if !monotonic {
			later = 0
		}
		require.GreaterOrEqual(t, age, int64(start.Sub(loaded)+later))
		require.LessOrEqual(t, age, int64(end.Sub(before)+later))
	}
}
