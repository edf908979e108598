package conformance_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// TestTablesGrow: tables grow as far as they may, and not beyond.
func TestTablesGrow(t *testing.T) {
	section := func(b []byte, id byte, body string) []byte { return binary.AppendSection(b, id, []byte(body)) }
	bin := section([]byte("\x00asm\x01\x00\x00\x00"), wasm.SectionType, "\x01\x60\x01\x7f\x01\x7f")
	bin = section(bin, wasm.SectionFunction, "\x03\x00\x00\x00")
	bin = section(bin, wasm.SectionTable, "\x03\x70\x00\x02\x70\x01\x01\x03\x6f\x01\x05\x05") // 2; 1 to 3; 5
	bin = section(bin, wasm.SectionExport, "\x03\x01a\x00\x00\x01b\x00\x01\x01c\x00\x02")
	bin = section(bin, wasm.SectionCode, "\x03\x09\x00\xd0\x70\x20\x00\xfc\x0f\x00\x0b"+
		"\x09\x00\xd0\x70\x20\x00\xfc\x0f\x01\x0b\x09\x00\xd0\x6f\x20\x00\xfc\x0f\x02\x0b")
	for _, tt := range []struct {
		max   uint32
		table string
		most  uint64 // by how many it grows
	}{
		{0, "a", 1000}, {0, "b", 2}, {0, "c", 0},
		{20, "a", 6}, {20, "b", 2}, {20, "c", 0},
		{10, "a", 1}, {10, "b", 1}, {10, "c", 0},
		{8, "a", 0}, {8, "b", 0}, {8, "c", 0},
	} {
		grow := func(n uint64) int32 {
			g := rewriteGuest(t, bin, 1<<40, math.MaxInt64, &rewrite.Options{TableMax: tt.max})
			results, err := g.ExportedFunction(tt.table).Call(context.Background(), n)
			require.NoError(t, err)
			return int32(results[0])
		}
		require.NotEqual(t, int32(-1), grow(tt.most), "%v", tt)
		if tt.max > 0 {
			require.Equal(t, int32(-1), grow(tt.most+1), "%v", tt)
		}
	}
}

// TestStart: a start function that never returns is stopped, before the host has a hand in it or as any other function.
func TestStart(t *testing.T) {
	m, err := wasm.Decode(exporting("\x03\x40\x0c\x00\x0b"))
	require.NoError(t, err)
	m.Sections[wasm.SectionTag] = nil
	m.Sections[wasm.SectionStart] = []byte{0}
	bin := assemble(m)

	out, _, err := rewrite.Rewrite(bin, nil)
	require.NoError(t, err)
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer func() { require.NoError(t, r.Close(ctx)) }()
	i64s := []api.ValueType{api.ValueTypeI64}
	refuse := api.GoFunc(func(context.Context, []uint64) { panic(errUsedUp) })
	_, err = r.NewHostModuleBuilder(rewrite.FuelModule).NewFunctionBuilder().WithGoFunction(refuse, i64s, i64s).
		Export(rewrite.FuelImport).Instantiate(ctx)
	require.NoError(t, err)
	_, err = r.Instantiate(ctx, out)
	require.ErrorIs(t, err, errUsedUp)

	g := rewriteGuest(t, bin, 1000, 100_000, &rewrite.Options{ExportStart: true})
	used, err := g.spend(rewrite.StartExport)
	require.ErrorIs(t, err, errUsedUp)
	require.Greater(t, used, int64(100_000))
}
