package printable_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/printable"
)

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0B", 1: "1B", 1023: "1023B", 1024: "1KiB", 1 << 20: "1MiB", 1<<20 + 1024: "1025KiB", 1 << 30: "1GiB", 1 << 40: "1024GiB",
	} {
		require.Equal(t, want, printable.Size(n))
	}
}
