//go:build !race

// The race detector makes compiling these large modules ten times slower, and finds no more in them than in small ones.

package exampletest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/examples/internal/exampletest"
)

// TestStandardGo builds the examples with standard Go: what a TinyGo guest is written in is ordinary Go.
func TestStandardGo(t *testing.T) {
	for name, call := range map[string]struct{ tool, arguments, want string }{
		"calculator": {"divide", `{"a":1,"b":8}`, `0.125`},
		"text":       {"count", `{"text":"a b","top":0}`, `{"lines":1,"words":2,"characters":3,"bytes":3,"top":[]}`},
		"csv":        {"query", `{"data":"a\n1\n2\n","aggregate":[{"op":"sum","column":"a"}]}`, `{"columns":["sum_a"],"rows":[[3]],"matched":2,"more":0}`},
		"deploy": {"deploy", `{"service":"a","version":"1.0.0","environment":"development"}`,
			`{"service":"a","version":"1.0.0","environment":"development","steps":["pull a:1.0.0","switch all instances","check health"],"edited":false}`},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name+".wasm")
			build := exec.Command("go", "build", "-buildmode=c-shared", "-o", path, ".")
			build.Dir = filepath.Join("..", "..", name)
			build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
			output, err := build.CombinedOutput()
			require.NoError(t, err, string(output))

			standard := exampletest.Load(t, path, nil)
			committed := exampletest.Load(t, filepath.Join(build.Dir, name+".wasm"), nil)
			require.Equal(t, committed.Tools(), standard.Tools())
			for _, module := range []exampletest.Module{standard, committed} {
				require.Equal(t, call.want, module.Text(call.tool, call.arguments))
			}
		})
	}
}
