package importrules_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"testing"
)

// signatures finds third-party types in what the public packages export: a dependency that shows cannot be replaced.
func signatures(files []*file) []string {
	var findings []string
	for _, f := range files {
		public := slices.ContainsFunc([]string{"tool", "abi", "sdk-guest", "hostfuncs", "runtime"}, f.in)
		// The schema package exists to adapt its dependency.
		if f.test || !public || f.in("sdk-guest/schema") {
			continue
		}
		dependencies := dependencies(f.syntax)
		for _, node := range exported(f.syntax) {
			inspect(node, func(s *ast.SelectorExpr) {
				if from, ok := s.X.(*ast.Ident); ok && dependencies[from.Name] != "" {
					findings = append(findings, f.finding(s, fmt.Sprintf("exports a type of %q", dependencies[from.Name])))
				}
			})
		}
	}
	return findings
}

// dependencies maps the names of a file's third-party imports to their paths.
func dependencies(syntax *ast.File) map[string]string {
	names := map[string]string{}
	for _, spec := range syntax.Imports {
		name := imported(spec)
		switch {
		case !thirdParty(name):
		case spec.Name != nil:
			names[spec.Name.Name] = name
		case regexp.MustCompile(`/v[0-9]+$`).MatchString(name):
			names[path.Base(path.Dir(name))] = name
		default:
			names[path.Base(name)] = name
		}
	}
	return names
}

// exported returns the parts of a file that its package's users can see.
func exported(syntax *ast.File) []ast.Node {
	var nodes []ast.Node
	for _, decl := range syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Name.IsExported() && (decl.Recv == nil || ast.IsExported(receiver(decl.Recv.List[0].Type))) {
				nodes = append(nodes, decl.Type)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				nodes = append(nodes, visible(spec, decl.Tok)...)
			}
		}
	}
	return nodes
}

func visible(spec ast.Spec, tok token.Token) []ast.Node {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() && spec.TypeParams != nil {
			return []ast.Node{spec.TypeParams, spec.Type}
		}
		if spec.Name.IsExported() {
			return []ast.Node{spec.Type}
		}
	case *ast.ValueSpec:
		if tok != token.VAR || !slices.ContainsFunc(spec.Names, (*ast.Ident).IsExported) {
			return nil
		}
		if spec.Type != nil {
			return []ast.Node{spec.Type}
		}
		nodes := make([]ast.Node, len(spec.Values))
		for i, value := range spec.Values {
			nodes[i] = value
		}
		return nodes
	}
	return nil
}

// receiver is the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IndexListExpr:
		return receiver(e.X)
	default:
		return root(e)
	}
}

// inspect visits the qualified names of an exported node, apart from those in unexported fields and methods and in
// function bodies.
func inspect(node ast.Node, visit func(*ast.SelectorExpr)) {
	ast.Inspect(node, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.BlockStmt:
			return false
		case *ast.StructType:
			fields(node.Fields, visit)
			return false
		case *ast.InterfaceType:
			fields(node.Methods, visit)
			return false
		case *ast.SelectorExpr:
			visit(node)
		}
		return true
	})
}

func fields(list *ast.FieldList, visit func(*ast.SelectorExpr)) {
	for _, field := range list.List {
		if len(field.Names) == 0 || slices.ContainsFunc(field.Names, (*ast.Ident).IsExported) {
			inspect(field.Type, visit)
		}
	}
}

func TestSignatures(t *testing.T) {
	source := func(decl string) string {
		return "package p; import \"context\"; import \"example.com/wazero\"; import x \"example.com/x/v2\"; " +
			"import \"example.com/schema/v6\"; " + decl
	}
	check(t, signatures, []example{
		{"a parameter", "runtime/a.go", source("func New(c wazero.Config) {}"), `"example.com/wazero"`},
		{"a result", "runtime/a.go", source("func New() (*wazero.Config, error) {}"), "exports a type"},
		{"a renamed import", "runtime/a.go", source("func New() x.T {}"), `"example.com/x/v2"`},
		{"a versioned import", "runtime/a.go", source("func New() schema.T {}"), `"example.com/schema/v6"`},
		{"a method", "hostfuncs/a.go", source("func (g *Gate[T]) F(...x.T) {}"), "exports a type"},
		{"a method of two type parameters", "tool/a.go", source("func (g Gate[K, V]) F() x.T {}"), "exports a type"},
		{"a field", "tool/a.go", source("type T struct { A map[string][]x.T }"), "exports a type"},
		{"an embedded type", "tool/a.go", source("type T struct { *x.T }"), "exports a type"},
		{"a method of an interface", "abi/a.go", source("type T interface { F(func(x.T)) }"), "exports a type"},
		{"an alias", "sdk-guest/a.go", source("type T = x.T"), "exports a type"},
		{"a constraint", "sdk-guest/a.go", source("func F[T x.T]() {}"), "exports a type"},
		{"a constraint of a type", "sdk-guest/a.go", source("type S[T x.T] struct{}"), "exports a type"},
		{"a variable's type", "runtime/a.go", source("var V x.T"), "exports a type"},
		{"a variable's value", "runtime/a.go", source("var V = x.New()"), "exports a type"},

		{"the standard library", "runtime/a.go", source("func New(c context.Context) {}"), ""},
		{"an unexported function", "runtime/a.go", source("func f(c x.T) {}"), ""},
		{"an unexported receiver", "runtime/a.go", source("func (e *engine) F(c x.T) {}"), ""},
		{"an unexported field", "runtime/a.go", source("type T struct { a x.T }"), ""},
		{"an unexported type", "runtime/a.go", source("type t struct { A x.T }"), ""},
		{"a body", "runtime/a.go", source("func F() { x.Do() }"), ""},
		{"the adapting package", "sdk-guest/schema/a.go", source("func F() x.T {}"), ""},
		{"an internal package", "internal/schema/a.go", source("func F() x.T {}"), ""},
	})
}
