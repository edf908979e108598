package conformance_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"

	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// FuzzSameReading looks for bytes that the engine reads otherwise than the rewriter does: a module is to be valid rewritten
// if and only if it is valid as it is, apart from custom sections, which the rewriter drops or mends.
func FuzzSameReading(f *testing.F) {
	f.Add(exporting("\x12\x01", "\x12\x00"))
	f.Add(exporting("\x03\x40\x1f\x40\x01\x00\x00\x00\x08\x00\x0b\x0b"))
	f.Add(exporting("\x41\x00\x41\x00\x41\x00\xfc\x0b\x00\x41\x00\x0e\x02\x00\x00\x00"))
	f.Add(exporting("\xfd\x0c" + strings.Repeat("\x01", 16) + "\xfd\x80\x01\xfd\x15\x00\x1a\xfe\x03\x00"))
	f.Add(exporting("\x41\x00\x1c\x01\x7f\xd0\x70\x1a\x23\x00\x24\x00\x20\x00\x11\x00\x00"))
	for _, pattern := range []string{"fuel/fuel.wasm", "guests/*.wasm"} {
		paths, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", pattern))
		require.NoError(f, err)
		require.NotEmpty(f, paths)
		for _, path := range paths {
			bin, err := os.ReadFile(path)
			require.NoError(f, err)
			f.Add(bin)
		}
	}
	ctx := context.Background()
	engine := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(allFeatures))
	f.Cleanup(func() { require.NoError(f, engine.Close(ctx)) })
	compile := func(bin []byte) error {
		compiled, err := engine.CompileModule(ctx, bin)
		if err == nil {
			err = compiled.Close(ctx)
		}
		return err
	}
	f.Fuzz(func(t *testing.T, bin []byte) {
		out, _, refused := rewrite.Rewrite(bin, &rewrite.Options{Limits: &rewrite.Limits{Locals: 1000, Functions: 1000}})
		if refused == nil {
			plain, rewritten := compile(withoutCustoms(t, bin)), compile(out)
			require.Equal(t, plain == nil, rewritten == nil, "plain: %v, rewritten: %v", plain, rewritten)
		}
	})
}

func withoutCustoms(t *testing.T, bin []byte) []byte {
	m, err := wasm.Decode(bin)
	require.NoError(t, err)
	return assemble(m)
}

// assemble is a module of the sections of an outline.
func assemble(m *wasm.Module) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	for _, id := range []byte{1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11} {
		if body := m.Sections[id]; body != nil {
			out = binary.AppendSection(out, id, body)
		}
	}
	return out
}
