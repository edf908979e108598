package hostile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/hostile"
	"github.com/wasmtools/wasmtools/internal/wasm"
)

var testdata = filepath.Join("..", "..", "testdata")

// TestGuestsCanRunAnywhere: other engines call run. What is no module, or none of a known kind, needs none.
func TestGuestsCanRunAnywhere(t *testing.T) {
	undecodable := map[string]bool{"component": true, "truncated": true}
	for _, a := range hostile.Attacks() {
		bin, err := a.Module(testdata)
		require.NoError(t, err, a.Name)
		m, err := wasm.Decode(bin)
		if undecodable[a.Name] {
			require.Error(t, err, a.Name)
			continue
		}
		require.NoError(t, err, a.Name)
		run, ok := m.Export("run", wasm.Func)
		require.True(t, ok, "%s exports no function run", a.Name)
		require.Equal(t, wasm.FuncType{}, run.Type, a.Name)
	}
}

// TestEveryGuestIsListed: a guest that nobody runs protects nobody.
func TestEveryGuestIsListed(t *testing.T) {
	listed := map[string]bool{"attacks": true} // several tools, for the tests of the command and of the runtime
	for _, a := range hostile.Attacks() {
		require.NotEmpty(t, a.What)
		require.NotContains(t, listed, a.Name)
		listed[a.Name] = a.IsFile()
	}
	sources, err := filepath.Glob(filepath.Join(testdata, "hostile", "*.wat"))
	require.NoError(t, err)
	require.Greater(t, len(sources), 45)
	for _, source := range sources {
		name := filepath.Base(source[:len(source)-len(".wat")])
		require.True(t, listed[name], "%s is not in the list", name)
		info, err := os.Stat(source[:len(source)-len(".wat")] + ".wasm")
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(20<<10), "a guest is small")
	}
}
