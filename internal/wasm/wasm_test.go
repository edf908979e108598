package wasm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/testguest"
	"github.com/wasmtools/wasmtools/internal/wasm"
)

func TestDecodeRefuses(t *testing.T) {
	head := "\x00asm\x01\x00\x00\x00"
	for name, tt := range map[string]struct{ bin, want string }{
		"empty":                     {"", "not a WebAssembly binary"},
		"component":                 {"\x00asm\x0d\x00\x01\x00", "a component"},
		"version":                   {"\x00asm\x02\x00\x00\x00", "version"},
		"section longer than file":  {head + "\x01\x7f", "count 127 is larger than what is left"},
		"size of five bytes":        {head + "\x01\xff\xff\xff\xff\x1f", "larger than 32 bits"},
		"endless number":            {head + "\x01\x80\x80\x80\x80\x80\x80", "larger than 32 bits"},
		"unknown section":           {head + "\x0e\x00", "unknown or out of order"},
		"section twice":             {head + "\x01\x01\x00\x01\x01\x00", "out of order"},
		"wrong order":               {head + "\x03\x01\x00\x01\x01\x00", "out of order"},
		"count bomb":                {head + "\x01\x05\xff\xff\xff\xff\x0f", "larger than what is left"},
		"bytes left over":           {head + "\x01\x02\x00\x00", "1 bytes too many"},
		"import of unknown type":    {head + "\x02\x07\x01\x01a\x01b\x00\x05", "type 5 does not exist"},
		"import of unknown kind":    {head + "\x02\x06\x01\x01a\x01b\x09", "unknown kind 9"},
		"export of unknown func":    {head + "\x07\x05\x01\x01a\x00\x07", "function 7 does not exist"},
		"name that is not UTF-8":    {head + "\x00\x02\x01\xff", "not UTF-8"},
		"memory maximum below":      {head + "\x05\x04\x01\x01\x05\x01", "maximum is below"},
		"too many memories":         {head + "\x05\xd3\x0f\xd1\x0f" + strings.Repeat("\x00\x01", 2001), "2001 items, at most 1000"},
		"memory of unknown flavour": {head + "\x05\x03\x01\x40\x05", "flags"},
	} {
		_, err := wasm.Decode([]byte(tt.bin))
		require.ErrorContains(t, err, tt.want, name)
	}
}

func TestDecodeOutline(t *testing.T) {
	m, err := wasm.Decode(testguest.Guest{Pages: 3, StartCalls: "input", Imports: []testguest.Import{
		{Module: "wasi_snapshot_preview1", Name: "fd_close", Params: 1, Results: 1},
	}}.Wasm())
	require.NoError(t, err)
	require.Len(t, m.Imports, 4)
	require.Equal(t, "fd_close", m.Imports[3].Name)
	require.Equal(t, "(i32) -> (i32)", m.Imports[3].Type.String())
	require.Equal(t, []wasm.Memory{{Min: 3}}, m.Memories)
	require.Equal(t, 3, m.Funcs)
	require.Zero(t, m.TableMin)
	m2, err := wasm.Decode([]byte("\x00asm\x01\x00\x00\x00\x04\x08\x02\x70\x00\x05\x6f\x01\x07\x09"))
	require.NoError(t, err)
	require.EqualValues(t, 12, m2.TableMin)
	exp, ok := m.Export("_initialize", wasm.Func)
	require.True(t, ok)
	require.Equal(t, "() -> ()", exp.Type.String())
	_, ok = m.Export("memory", wasm.Func)
	require.False(t, ok)
}

func TestToolchain(t *testing.T) {
	bin, err := os.ReadFile(filepath.Join("..", "..", "testdata", "guests", "upper.wasm"))
	require.NoError(t, err)
	m, err := wasm.Decode(bin)
	require.NoError(t, err)
	require.Contains(t, m.Toolchain(), "clang")

	m, err = wasm.Decode([]byte("\x00asm\x01\x00\x00\x00\x00\x0b\x09producers\xff"))
	require.NoError(t, err)
	require.Empty(t, m.Toolchain(), "a malformed section counts as none")
}

func FuzzDecode(f *testing.F) {
	f.Add(testguest.Guest{Spec: "{}"}.Wasm())
	for _, pattern := range []string{"../../testdata/*/*.wasm", "../../examples/*/*.wasm"} {
		paths, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, path := range paths {
			bin, err := os.ReadFile(path)
			require.NoError(f, err)
			f.Add(bin[:min(len(bin), 4096)])
		}
	}
	f.Fuzz(func(t *testing.T, bin []byte) {
		m, err := wasm.Decode(bin)
		if err != nil {
			return
		}
		require.LessOrEqual(t, len(m.Imports)+len(m.Exports)+len(m.Memories), len(bin))
		_ = m.Toolchain()
	})
}
