package conformance_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

const bulkPages = 40

// bulkModule exports fill, copy and init, each of which runs the one instruction with its three parameters, over a memory of
// 40 pages and a passive segment.
func bulkModule(segment []byte) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, body string) { out = binary.AppendSection(out, id, []byte(body)) }
	section(wasm.SectionType, "\x01\x60\x03\x7f\x7f\x7f\x00")
	section(wasm.SectionFunction, "\x03\x00\x00\x00")
	section(wasm.SectionMemory, "\x01\x00"+string(rune(bulkPages)))
	section(wasm.SectionExport, "\x04\x04fill\x00\x00\x04copy\x00\x01\x04init\x00\x02\x06memory\x02\x00")
	section(wasm.SectionDataCount, "\x01")
	const operands = "\x00\x20\x00\x20\x01\x20\x02\xfc"
	section(wasm.SectionCode, "\x03"+"\x0b"+operands+"\x0b\x00\x0b"+"\x0c"+operands+"\x0a\x00\x00\x0b"+"\x0c"+operands+"\x08\x00\x00\x0b")
	data := binary.AppendU32([]byte{1, 1}, uint32(len(segment)))
	return binary.AppendSection(out, wasm.SectionData, append(data, segment...))
}

// TestBulkInPieces: what is done in pieces leaves the same memory, traps for the same operands and then changes nothing, and
// costs the same fuel as its length.
func TestBulkInPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	segment := make([]byte, 1<<20)
	for i := range segment {
		segment[i] = byte(random.Uint32())
	}
	bin := bulkModule(segment)
	ctx := t.Context()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	f := fuel{quantum: 1000}
	f.provide(t, ctx, r)
	plain, err := r.InstantiateWithConfig(ctx, bin, wazero.NewModuleConfig().WithName("plain"))
	require.NoError(t, err)
	out, report, err := rewrite.Rewrite(bin, nil)
	require.NoError(t, err)
	require.Equal(t, 4, report.Added)
	pieces, err := r.InstantiateWithConfig(ctx, out, wazero.NewModuleConfig().WithName("pieces"))
	require.NoError(t, err)
	left := pieces.ExportedGlobal(rewrite.FuelGlobal).(api.MutableGlobal)

	const size = bulkPages << 16
	view := func(m api.Module) []byte {
		mem, ok := m.Memory().Read(0, size)
		require.True(t, ok)
		return mem
	}
	operand := func(limit uint32) uint64 {
		switch random.IntN(12) {
		case 0:
			return uint64(random.Uint32())
		case 1:
			return uint64(limit)
		case 2:
			return 1<<32 - 1 - uint64(random.IntN(1<<19))
		case 3:
			return 0
		}
		return uint64(random.Uint32N(limit + 1))
	}
	trapped := 0
	for range 3000 {
		name, from := "copy", operand(size)
		switch random.IntN(3) {
		case 0:
			name = "fill"
		case 1:
			name, from = "init", operand(uint32(len(segment)))
		}
		to, length := operand(size), operand(size/2)
		given := f.given - int64(left.Get())
		_, want := plain.ExportedFunction(name).Call(ctx, to, from, length)
		_, got := pieces.ExportedFunction(name).Call(ctx, to, from, length)
		require.Equal(t, want == nil, got == nil, "%s %d %d %d: %v, %v", name, to, from, length, want, got)
		require.True(t, bytes.Equal(view(plain), view(pieces)), "%s %d %d %d", name, to, from, length)
		if want != nil {
			require.ErrorContains(t, got, "out of bounds memory access")
			trapped++
			continue
		}
		used := f.given - int64(left.Get()) - given
		require.GreaterOrEqual(t, used, int64(length>>3))
		require.Less(t, used, int64(length>>3)+20)
	}
	require.Greater(t, trapped, 300)
	require.Less(t, trapped, 2700)
}
