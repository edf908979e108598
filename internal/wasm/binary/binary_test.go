package binary_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

func TestMalformed(t *testing.T) {
	for name, tt := range map[string]struct {
		in, want string
		read     func(*binary.Reader)
	}{
		"empty":                    {"", "unexpected end", func(r *binary.Reader) { r.Byte() }},
		"number cut off":           {"\x80", "unexpected end", func(r *binary.Reader) { r.U32() }},
		"u32 of six bytes":         {"\x80\x80\x80\x80\x80\x00", "32 bits", func(r *binary.Reader) { r.U32() }},
		"u32 with bits too many":   {"\xff\xff\xff\xff\x1f", "32 bits", func(r *binary.Reader) { r.U32() }},
		"s32 with bits too many":   {"\xff\xff\xff\xff\x4f", "32 bits", func(r *binary.Reader) { r.Varint(32) }},
		"s32 of six bytes":         {"\xff\xff\xff\xff\xff\x7f", "32 bits", func(r *binary.Reader) { r.Varint(32) }},
		"s33 whose sign is broken": {"\x80\x80\x80\x80\x20", "33 bits", func(r *binary.Reader) { r.Varint(33) }},
		"s64 of eleven bytes":      {"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", "64 bits", func(r *binary.Reader) { r.Varint(64) }},
		"count over the input":     {"\x05abc", "larger than what is left", func(r *binary.Reader) { r.Count() }},
		"bytes over the input":     {"abc", "unexpected end", func(r *binary.Reader) { r.Bytes(4) }},
		"name over the input":      {"\xff\xff\xff\xff\x0fa", "larger than what is left", func(r *binary.Reader) { r.Name() }},
		"name that is not UTF-8":   {"\x02\xc3\x28", "not UTF-8", func(r *binary.Reader) { r.Name() }},
		"index out of range":       {"\x02", "table 2 does not exist", func(r *binary.Reader) { r.Index(2, "table") }},
		"unexpected byte":          {"\x01", "0x1 where 0x0", func(r *binary.Reader) { r.Expect(0) }},
		"unknown value type":       {"\x40", "value type 0x40", func(r *binary.Reader) { r.ValType(9) }},
		"reference to no type":     {"\x64\x03", "type 3 does not exist", func(r *binary.Reader) { r.ValType(3) }},
		"unknown heap type":        {"\x63\x6e", "heap type", func(r *binary.Reader) { r.ValType(3) }},
		"block of no type":         {"\x03", "type 3 does not exist", func(r *binary.Reader) { r.BlockType(3) }},
		"bytes left over":          {"\x00\x00", "1 bytes too many", func(r *binary.Reader) { r.Byte(); _ = r.End() }},
	} {
		r := binary.NewReader([]byte(tt.in))
		tt.read(r)
		require.ErrorContains(t, r.Err(), tt.want, name)
		at := r.Pos()
		require.Zero(t, r.U32(), name)
		require.Nil(t, r.Bytes(0), name)
		require.Equal(t, at, r.Pos(), "%s: nothing is read after an error", name)
	}
}

func TestNumbers(t *testing.T) {
	for _, v := range []int64{0, 1, -1, 63, 64, -64, -65, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64} {
		in := binary.AppendS64(nil, v)
		r := binary.NewReader(in)
		require.Equal(t, v, r.Varint(64))
		require.NoError(t, r.End())
		if int64(int32(v)) == v {
			require.Equal(t, v, binary.NewReader(in).Varint(32))
			require.Equal(t, v, binary.NewReader(in).Varint(33))
		}
	}
	for _, v := range []uint32{0, 127, 128, math.MaxUint32} {
		r := binary.NewReader(binary.AppendU32(nil, v))
		require.Equal(t, v, r.U32())
		require.NoError(t, r.End())
	}
	require.Equal(t, int64(-64), binary.NewReader([]byte{0x40}).BlockType(0), "the empty block type")
	require.Equal(t, uint32(0), binary.NewReader([]byte{0x80, 0x80, 0x80, 0x80, 0x00}).U32(), "longer than it needs to be")
	require.Equal(t, "ab", binary.NewReader(binary.AppendName(nil, "ab")).Name())
}

// FuzzReader holds the readers to each other: what one accepts, the writer makes a reader accept again.
func FuzzReader(f *testing.F) {
	f.Add([]byte("\x80\x80\x80\x80\x08"))
	f.Add([]byte("\x7f"))
	f.Add([]byte("\x03abc"))
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, bits := range []int{32, 33, 64} {
			r := binary.NewReader(in)
			v := r.Varint(bits)
			require.LessOrEqual(t, r.Pos(), len(in))
			if r.Err() != nil {
				continue
			}
			require.Equal(t, v, v<<(64-bits)>>(64-bits), "a number within its bits")
			require.Equal(t, v, binary.NewReader(binary.AppendS64(nil, v)).Varint(bits))
		}
		r := binary.NewReader(in)
		if name := r.Name(); r.Err() == nil {
			require.Equal(t, name, binary.NewReader(binary.AppendName(nil, name)).Name())
		}
	})
}
