package importrules_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// module is the path of the module whose files are held to the rules.
const module = "github.com/wasmtools/wasmtools"

// file is one parsed Go file of the module.
type file struct {
	path   string // from the module's root, with slashes
	dir    string // the package's folder, "." for the root
	test   bool   // a _test.go file
	syntax *ast.File
	set    *token.FileSet
}

// load parses every Go file of the module, whatever its build tags: rules hold for guests too. Of the folders that the go
// tool ignores only the testdata at the root is read, because the guests live there.
func load(fsys fs.FS) ([]*file, error) {
	var files []*file
	set := token.NewFileSet()
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && ignored(name):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		syntax, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, &file{name, path.Dir(name), strings.HasSuffix(name, "_test.go"), syntax, set})
		return nil
	})
	return files, err
}

func ignored(dir string) bool {
	base := path.Base(dir)
	return dir != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) ||
		base == "testdata" && dir != "testdata" || base == "node_modules"
}

// finding is a line about the place of a node.
func (f *file) finding(node ast.Node, text string) string {
	return f.set.Position(node.Pos()).String() + ": " + text
}

// in tells whether the file lies in the folder or below it.
func (f *file) in(dir string) bool { return within(f.dir, dir) }

// within tells whether the path is the other one or lies below it.
func within(name, parent string) bool {
	return name == parent || strings.HasPrefix(name, parent+"/")
}

// imported is the path that an import names.
func imported(spec *ast.ImportSpec) string {
	name, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return name
}

// thirdParty tells whether an import path is neither the standard library's nor the module's.
func thirdParty(name string) bool {
	host, _, _ := strings.Cut(name, "/")
	return strings.Contains(host, ".") && !within(name, module)
}

func TestLoad(t *testing.T) {
	source := &fstest.MapFile{Data: []byte("package p")}
	files, err := load(fstest.MapFS{
		"a.go": source, "b/c_test.go": source, "testdata/guests/d/main.go": source,
		"b/testdata/e.go": source, ".git/f.go": source, "_g/h.go": source, "README.md": source,
	})
	require.NoError(t, err)
	var paths []string
	for _, f := range files {
		paths = append(paths, f.path)
		require.Equal(t, f.path == "b/c_test.go", f.test)
	}
	require.Equal(t, []string{"a.go", "b/c_test.go", "testdata/guests/d/main.go"}, paths)

	_, err = load(fstest.MapFS{"a.go": {Data: []byte("package")}})
	require.Error(t, err)
}
