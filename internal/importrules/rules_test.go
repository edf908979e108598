// Package importrules_test holds the whole module to its rules of structure: who may import what, no state in package
// variables, no dependency in an exported signature, and nothing in the tree that belongs to one machine. A rule is a
// function from files to findings, so that each is also shown to fail on small examples.
package importrules_test

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// moduleRoot is the module's root folder, seen from this package.
const moduleRoot = "../.."

func TestModule(t *testing.T) {
	files, err := load(os.DirFS(moduleRoot))
	require.NoError(t, err)
	require.Greater(t, len(files), 10, "the module's files were not found")

	t.Run("imports", func(t *testing.T) { require.Empty(t, imports(files)) })
	t.Run("state", func(t *testing.T) { require.Empty(t, state(files, stateful())) })
	t.Run("signatures", func(t *testing.T) { require.Empty(t, signatures(files)) })
}

// example is one small file and what a rule has to say of it: a part of the only finding, or nothing.
type example struct {
	name, path, source, want string
}

// check runs a rule on every example alone.
func check(t *testing.T, rule func([]*file) []string, examples []example) {
	t.Helper()
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			findings := rule(parse(t, e.path, e.source))
			if e.want == "" {
				require.Empty(t, findings)
				return
			}
			require.Len(t, findings, 1)
			require.Contains(t, findings[0], e.want)
			require.Contains(t, findings[0], e.path+":", "a finding says where")
		})
	}
}

// parse loads a single file.
func parse(t *testing.T, path, source string) []*file {
	t.Helper()
	files, err := load(fstest.MapFS{path: {Data: []byte(source)}})
	require.NoError(t, err)
	require.Len(t, files, 1)
	return files
}
