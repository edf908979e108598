package rewrite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

func FuzzRewrite(f *testing.F) {
	f.Add(one("\x03\x40\x41\x00\x0d\x00\x0b\x10\x00\x0b").wasm())
	f.Add(one("\x41\x00\x04\x40\x0c\x01\x05\x02\x40\x0d\x00\x0b\x0b\x0b").with(wasm.SectionCustom, "\x04name\x01\x04\x01\x01\x01b").wasm())
	f.Add(one("\x1f\x40\x02\x02\x00\x00\x00\x00\x0b\x41\x00\x0e\x02\x00\x00\x00\x0b").wasm())
	f.Add(one(strings.Repeat("\x02\x40\x03\x40\x41\x00\x0d\x01\x41\x00\x04\x40\x0c\x01\x05\x0c\x02\x0b\x0b\x0b", 9) + "\x0b").wasm())
	f.Add(one("\x0b").with(wasm.SectionCode, "\x01"+string(binary.AppendName(nil, "\x01\x03\x7f\x03\x40\x20\x00\x21\x01\x20\x01\x04\x40\x20\x02"+
		"\x22\x00\x0e\x01\x01\x00\x05\x20\x01\x0d\x01\x0b\x20\x02\x0d\x00\x0b\x20\x00\x1a\x0b"))).wasm())
	f.Add(one("\x0b").with(wasm.SectionTable, "\x03\x70\x00\x02\x6f\x01\x01\x03\x40\x00\x70\x00\x01\xd0\x70\x0b").with(wasm.SectionStart, "\x01").wasm())
	for _, pattern := range []string{"../../testdata/*/*.wasm", "../../examples/*/*.wasm"} {
		paths, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, path := range paths {
			bin, err := os.ReadFile(path)
			require.NoError(f, err)
			if len(bin) < 16<<10 {
				f.Add(bin)
				f.Add(bin[:len(bin)*2/3])
			}
		}
	}
	f.Fuzz(func(t *testing.T, bin []byte) {
		out, report, err := rewrite.Rewrite(bin, &rewrite.Options{TableMax: 1 << 20, ExportStart: len(bin)%2 == 0})
		if err != nil {
			return
		}
		require.LessOrEqual(t, len(out), 64*len(bin)+1024)
		m, err := wasm.Decode(out)
		require.NoError(t, err)
		require.Equal(t, report.Module.Funcs+report.Added, m.Funcs)
		require.LessOrEqual(t, len(report.Data), len(bin))
		_ = report.Obstacles()
		_, _, err = rewrite.Rewrite(out, nil)
		require.ErrorIs(t, err, rewrite.ErrReserved)
	})
}
