package importrules_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// stateful are the package variables that may hold state, by folder and name, with the reason.
func stateful() map[string]string {
	return map[string]string{
		"hostfuncs.prompting":                  "a process has one terminal: the prompts of all consoles take turns",
		"sdk-guest.ErrRejected":                "an error sentinel under a second name",
		"sdk-guest.ErrDenied":                  "an error sentinel under a second name",
		"sdk-guest/internal/host.drawn":        "random numbers for TinyGo's runtime, which calls functions without a receiver",
		"sdk-guest/internal/module.registered": "a guest registers its tools while it initialises; the exports take no argument that leads to them",
	}
}

// state finds package variables that can change, and init functions. Tests, examples and test guests are free: a guest
// registers its tools in init. An allowance that nothing needs is a finding too.
func state(files []*file, allowed map[string]string) []string {
	var findings []string
	needed := map[string]bool{}
	for _, f := range files {
		if f.test || f.in("examples") || f.in("testdata") || f.in("bench/guests") {
			continue
		}
		for _, decl := range f.syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil && decl.Name.Name == "init" {
					findings = append(findings, f.finding(decl, "no init functions: nothing happens by being imported"))
				}
			case *ast.GenDecl:
				for _, name := range variables(files, f, decl) {
					key := f.dir + "." + name.Name
					needed[key] = true
					if allowed[key] == "" {
						findings = append(findings, f.finding(name, fmt.Sprintf("package variable %q can change", key)))
					}
				}
			}
		}
	}
	for key := range allowed {
		if !needed[key] {
			findings = append(findings, fmt.Sprintf("stateful: %q holds no state: remove its row", key))
		}
	}
	slices.Sort(findings)
	return findings
}

// variables returns the names in a declaration of package variables that can change.
func variables(files []*file, f *file, decl *ast.GenDecl) []*ast.Ident {
	if decl.Tok != token.VAR {
		return nil
	}
	var names []*ast.Ident
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		if embedded(decl.Doc) || embedded(spec.Doc) {
			continue
		}
		for i, name := range spec.Names {
			if name.Name == "_" || len(spec.Values) == len(spec.Names) && constant(files, f, name, spec.Values[i]) {
				continue
			}
			names = append(names, name)
		}
	}
	return names
}

// embedded tells whether a variable is a file of the source tree.
func embedded(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:embed ")
	})
}

// constant tells whether a variable is as good as a constant: an error, a compiled pattern or replacer, or an unexported
// literal that nothing in the package writes to. What a called function does to a map or slice is not followed.
func constant(files []*file, f *file, name *ast.Ident, value ast.Expr) bool {
	switch value := value.(type) {
	case *ast.CallExpr:
		function, ok := value.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		from, ok := function.X.(*ast.Ident)
		return ok && slices.Contains([]string{
			"errors.New", "fmt.Errorf", "regexp.MustCompile", "strings.NewReplacer",
		}, from.Name+"."+function.Sel.Name)
	case *ast.CompositeLit:
		return !name.IsExported() && !slices.ContainsFunc(files, func(other *file) bool {
			return other.dir == f.dir && !other.test && writes(other.syntax, name.Name)
		})
	}
	return false
}

// writes tells whether a file assigns to a variable or a part of it, or takes its address. It knows names, not scopes: a
// local variable of the same name counts.
func writes(syntax *ast.File, name string) bool {
	found := false
	is := func(e ast.Expr) bool { return root(e) == name }
	ast.Inspect(syntax, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			found = found || node.Tok != token.DEFINE && slices.ContainsFunc(node.Lhs, is)
		case *ast.IncDecStmt:
			found = found || is(node.X)
		case *ast.UnaryExpr:
			found = found || node.Op == token.AND && is(node.X)
		case *ast.CallExpr:
			function, ok := node.Fun.(*ast.Ident)
			found = found || ok && slices.Contains([]string{"delete", "clear", "copy"}, function.Name) && is(node.Args[0])
		}
		return !found
	})
	return found
}

// root is the name of the variable that an expression is a part of.
func root(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.ParenExpr:
		return root(e.X)
	case *ast.SelectorExpr:
		return root(e.X)
	case *ast.IndexExpr:
		return root(e.X)
	case *ast.SliceExpr:
		return root(e.X)
	case *ast.StarExpr:
		return root(e.X)
	}
	return ""
}

func TestState(t *testing.T) {
	rule := func(files []*file) []string { return state(files, nil) }
	check(t, rule, []example{
		{"init", "tool/a.go", "package p; func init() {}", "no init functions"},
		{"a variable without a value", "tool/a.go", "package p; var n int", `"tool.n" can change`},
		{"a lock", "runtime/a.go", "package p; var mu sync.Mutex", "can change"},
		{"a number", "abi/a.go", "package p; var n = 1", "can change"},
		{"a registry", "runtime/a.go", "package p; var all = map[string]int{}; func Add(k string) { all[k]++ }", "can change"},
		{"a list that grows", "runtime/a.go", "package p; var all = []int{}; func Add() { all = append(all, 1) }", "can change"},
		{"a field", "runtime/a.go", "package p; var o = T{}; func Set() { o.on.off = true }", "can change"},
		{"an address", "runtime/a.go", "package p; var o = T{}; func Get() *T { return &o }", "can change"},
		{"a cleared map", "runtime/a.go", "package p; var o = M{1: 2}; func Reset() { clear(o) }", "can change"},
		{"a pointer", "runtime/a.go", "package p; var o = &T{}", "can change"},
		{"an exported table", "runtime/a.go", "package p; var Names = []string{`a`}", "can change"},
		{"a value from elsewhere", "runtime/a.go", "package p; var a = f()", "can change"},

		{"an error", "tool/a.go", "package p; var ErrX = errors.New(`x`)", ""},
		{"a pattern", "tool/a.go", "package p; var pattern = regexp.MustCompile(`x`)", ""},
		{"a table", "tool/a.go", "package p; var names = []string{`a`}; func F() string { return names[0] }", ""},
		{"an assertion", "tool/a.go", "package p; var _ I = (*T)(nil)", ""},
		{"an embedded file", "tool/a.go", "package p\n\n//go:embed x.txt\nvar text string", ""},
		{"a method called init", "tool/a.go", "package p; func (t T) init() {}", ""},
		{"a guest", "examples/x/main.go", "package main; var n int; func init() {}", ""},
		{"a test", "tool/a_test.go", "package p; var n int", ""},
	})
}

func TestStateAllowed(t *testing.T) {
	files := parse(t, "runtime/a.go", "package p; var n int")
	require.Empty(t, state(files, map[string]string{"runtime.n": "counts"}))
	require.Len(t, state(files, map[string]string{"runtime.n": ""}), 1, "an allowance gives its reason")

	findings := state(nil, map[string]string{"runtime.n": "counts"})
	require.Equal(t, []string{`stateful: "runtime.n" holds no state: remove its row`}, findings)
}
