package host_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/abi"
)

// The imports that a guest declares are those of the ABI, in number and type. All values are i32; pointers are, too.
func TestImportsAreThoseOfTheABI(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "imports_wasm.go", nil, parser.ParseComments)
	require.NoError(t, err)
	var declared []abi.Function
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Doc == nil {
			continue
		}
		for _, comment := range fn.Doc.List {
			if name, ok := strings.CutPrefix(comment.Text, "//go:wasmimport "+abi.ImportModule+" "); ok {
				declared = append(declared, abi.Function{Name: name, Params: fn.Type.Params.NumFields(), Results: fn.Type.Results.NumFields()})
			}
		}
	}
	slices.SortFunc(declared, func(a, b abi.Function) int { return cmp.Compare(a.Name, b.Name) })
	require.Equal(t, abi.Functions(), declared)
}
