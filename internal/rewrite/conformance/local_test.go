package conformance_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/rewrite"
)

const (
	step  = "\x41\x00\x41\x00\x2d\x00\x00\x41\x01\x6a\x3a\x00\x00"                             // memory[0]++
	count = "\x41\x00\x2d\x00\x00"                                                             // memory[0]
	again = "\x41\x08\x41\x08\x2d\x00\x00\x41\x01\x6a\x3a\x00\x00\x41\x08\x2d\x00\x00\x0d\x00" // to the loop, until ++memory[8] is 0
	turns = "\x03\x40" + step + count + "\x0d\x00\x0b"                                         // a loop until it is 0 again
)

// TestLocal: as much is used where a loop holds the fuel in a local as where none does, whatever is around the loop and
// however control leaves it.
func TestLocal(t *testing.T) {
	for name, bin := range map[string][]byte{
		"a loop":          exporting(turns),
		"two loops":       exporting(turns + turns),
		"nested":          exporting("\x03\x40" + turns + again + "\x0b"),
		"branch out":      exporting("\x02\x40\x03\x40" + step + count + "\x41\xe4\x00\x46\x0d\x01\x0c\x00\x0b\x0b" + turns),
		"return":          exporting("\x10\x01"+turns, "\x03\x40"+step+count+"\x41\xe4\x00\x46\x04\x40\x0f\x0b\x0c\x00\x0b"),
		"branch table":    exporting("\x10\x01"+turns, "\x03\x40"+step+count+"\x41\xe4\x00\x46\x0e\x01\x00\x01\x0b"),
		"division by 0":   exporting("\x03\x40" + step + "\x41\x01\x41\xe4\x00" + count + "\x6b\x6d\x1a\x0c\x00\x0b"),
		"in one arm":      exporting(count + "\x04\x40" + turns + "\x05" + step + "\x0b" + turns),
		"calls behind":    exporting(turns+"\x10\x01\x10\x01"+step+turns, turns),
		"calls in a loop": exporting("\x03\x40\x10\x01"+turns+again+"\x0b", turns),
		"length":          exporting(turns + "\x41\x08\x41\x00" + count + "\xfc\x0b\x00" + turns),
		"lengths":         exporting("\x03\x40\x41\x08\x41\x00" + count + "\xfc\x0b\x00" + step + count + "\x0d\x00\x0b" + turns),
		"catch in a loop": exporting("\x03\x40\x02\x40\x1f\x40\x01\x00\x00\x00" + step + "\x08\x00\x0b\x0b" + count + "\x0d\x00\x0b" + turns),
		"throw out":       exporting("\x02\x40\x1f\x40\x01\x00\x00\x00\x03\x40" + step + count + "\x0d\x00\x0b\x08\x00\x0b\x0b" + turns),
		"throw to caller": exporting("\x02\x40\x1f\x40\x01\x00\x00\x00"+turns+"\x10\x01\x0b\x0b"+turns, "\x03\x40"+step+"\x08\x00\x0b"),
	} {
		requireSame(t, bin, name, "run")
	}
	bin, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "fuel", "fuel.wasm"))
	require.NoError(t, err)
	for _, call := range []string{"loop", "nested", "operands", "leaves", "trap"} {
		requireSame(t, bin, call, call, 1000)
	}
}

func requireSame(t *testing.T, bin []byte, name, call string, args ...uint64) {
	local, _, err := rewrite.Rewrite(bin, nil)
	require.NoError(t, err)
	global, _, err := rewrite.Rewrite(bin, &rewrite.Options{NoLocal: true})
	require.NoError(t, err)
	require.NotEqual(t, global, local, name)
	for _, quantum := range []int64{7, math.MaxInt32} {
		want, wantErr := newGuestOf(t, global, quantum, math.MaxInt64).spend(call, args...)
		got, gotErr := newGuestOf(t, local, quantum, math.MaxInt64).spend(call, args...)
		require.Equal(t, want, got, "%s, %d at a time", name, quantum)
		require.Equal(t, failure(wantErr), failure(gotErr), name)
		require.Greater(t, got, int64(500), name)
	}
}
