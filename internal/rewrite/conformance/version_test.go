package conformance_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/rewrite"
)

// TestVersion fails when modules are rewritten in another way than before. Then Version has to go up, and the digest here to be
// replaced: caches keep what came out by Version.
func TestVersion(t *testing.T) {
	sum := sha256.New()
	for _, bin := range [][]byte{
		bulkModule(make([]byte, 1<<20)),
		exporting("\x03\x40\x01\x41\x01\x0d\x00\x0b\x10\x01", "\x03\x40\x10\x00\x0b"), // a loop, and two functions that call each other
	} {
		out, _, err := rewrite.Rewrite(bin, &rewrite.Options{ExportStart: true, CutData: true, TableMax: 1000, MemoryMax: 65536})
		require.NoError(t, err)
		sum.Write(out)
	}
	require.Equal(t, 3, rewrite.Version)
	require.Equal(t, "fbbf9f0e192e15a128b5e291aebf14e87f5f384d9d60a9cfea56238694037067", hex.EncodeToString(sum.Sum(nil)))
}
