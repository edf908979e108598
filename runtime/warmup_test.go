package runtime_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/tool"
)

// TestWarmUp: calls begin with what so many warm-ups left after which another one takes the least, and leave nothing themselves.
func TestWarmUp(t *testing.T) {
	count := load(t, nil, "guests/warm.wasm", "")
	for range 3 {
		res, err := count.Call(t.Context(), args("{}"))
		require.NoError(t, err)
		require.Equal(t, "1", res.Text())
	}
}

// TestColdOnly: a module whose warm-up fails is used as its initialisation leaves it.
func TestColdOnly(t *testing.T) {
	for _, name := range []string{"warm_up_traps", "warm_up_calls_host"} {
		_, err := load(t, nil, "hostile/"+name+".wasm", "").Call(t.Context(), args("{}"))
		require.NoError(t, err, name)
	}
	_, err := newRuntime(t, nil).Load(t.Context(), "x", hostile(t, "warm_up_forever"))
	require.ErrorIs(t, err, tool.LimitTime)
	require.ErrorContains(t, err, "its warm-up did not end")
}
