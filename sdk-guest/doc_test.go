package guest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The program in the package documentation is the one that the examples compile.
func TestDocProgram(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	example, err := os.ReadFile("example_test.go")
	require.NoError(t, err)

	_, program, ok := strings.Cut(string(doc), "//\ttype Args")
	require.True(t, ok)
	program, _, ok = strings.Cut(program, "//\tfunc main() {}")
	require.True(t, ok)
	program = strings.ReplaceAll("type Args"+strings.ReplaceAll(program, "//\t", ""), "//\n", "\n")
	require.Contains(t, string(example), program)
}
