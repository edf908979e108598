package importrules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// siblings says which top-level folders the packages of a top-level folder may import. Tests may import all but cmd.
func siblings() map[string][]string {
	return map[string][]string{
		"tool":      {},
		"abi":       {},
		"sdk-guest": {"abi", "sdk-guest"},
		"internal":  {"tool", "abi", "internal"},
		"hostfuncs": {"tool", "abi", "internal", "hostfuncs"},
		"runtime":   {"tool", "abi", "internal", "hostfuncs", "runtime"},
		"cmd":       {"tool", "abi", "internal", "hostfuncs", "runtime", "cmd"},
		"bench":     {"tool", "abi", "sdk-guest", "internal", "hostfuncs", "runtime", "bench"},
		"examples":  {"tool", "sdk-guest", "hostfuncs", "runtime", "examples"},
		"testdata":  {"abi", "sdk-guest"},
	}
}

// owners says which folders may import a third-party module: one package for each, as a rule.
func owners() map[string][]string {
	return map[string][]string{
		"github.com/tetratelabs/wazero":         {"runtime", "internal/rewrite/conformance", "bench"},
		"github.com/extism/go-sdk":              {"bench"},
		"github.com/santhosh-tekuri/jsonschema": {"internal/schema"},
		"golang.org/x/text":                     {"internal/schema"},
		"github.com/invopop/jsonschema":         {"sdk-guest/schema"},
		"github.com/spf13/cobra":                {"cmd"},
		"github.com/spf13/pflag":                {"cmd"},
		"golang.org/x/sys":                      {"cmd", "internal/snapshot", "runtime"},
	}
}

// testOnly are the third-party modules that every test may import and nothing else.
func testOnly() []string {
	return []string{"github.com/stretchr/testify", "github.com/rogpeppe/go-internal"}
}

// imports finds what is imported by a package that must not.
func imports(files []*file) []string {
	var findings []string
	for _, f := range files {
		for _, spec := range f.syntax.Imports {
			if reason := forbidden(f, imported(spec)); reason != "" {
				findings = append(findings, f.finding(spec, reason))
			}
		}
	}
	return findings
}

// forbidden says why the file must not import the path, or nothing.
func forbidden(f *file, name string) string {
	switch {
	case thirdParty(name):
		return foreign(f, name)
	case within(name, module):
		return sibling(f, strings.TrimPrefix(strings.TrimPrefix(name, module), "/"))
	}
	return ""
}

func foreign(f *file, name string) string {
	for _, tests := range testOnly() {
		if within(name, tests) {
			if f.test {
				return ""
			}
			return fmt.Sprintf("only tests may import %q", name)
		}
	}
	for dependency, dirs := range owners() {
		if !within(name, dependency) {
			continue
		}
		if slices.ContainsFunc(dirs, f.in) {
			return ""
		}
		return fmt.Sprintf("only %s may import %q", strings.Join(dirs, ", "), name)
	}
	return fmt.Sprintf("%q has no owner: a dependency is imported by one package, named in owners", name)
}

func sibling(f *file, dir string) string {
	from, _, _ := strings.Cut(f.dir, "/")
	to, _, _ := strings.Cut(dir, "/")
	switch {
	case to == "cmd" && from != "cmd":
		return "nothing imports cmd"
	case f.test:
		return ""
	}
	allowed, known := siblings()[from]
	switch {
	case !known:
		return fmt.Sprintf("folder %q is new: say in siblings what it may import", from)
	case !slices.Contains(allowed, to):
		return fmt.Sprintf("%s must not import %q", from, dir)
	}
	return ""
}

func TestImports(t *testing.T) {
	own := func(dir string) string { return "package p; import _ \"" + module + "/" + dir + "\"" }
	other := func(name string) string { return "package p; import _ \"" + name + "\"" }
	check(t, imports, []example{
		{"tool imports abi", "tool/a.go", own("abi"), `tool must not import "abi"`},
		{"tool imports a dependency", "tool/a.go", other("golang.org/x/text/language"), "only internal/schema"},
		{"abi imports tool", "abi/a.go", own("tool"), `abi must not import "tool"`},
		{"the guest SDK imports tool", "sdk-guest/a.go", own("tool"), `sdk-guest must not import "tool"`},
		{"the guest SDK imports a host package", "sdk-guest/guesttest/a.go", own("internal/schema"), "must not import"},
		{"the guest SDK imports invopop", "sdk-guest/a.go", other("github.com/invopop/jsonschema"), "only sdk-guest/schema"},
		{"a tagged file is no way out", "sdk-guest/a.go", "//go:build tinygo\n\n" + own("runtime"), "must not import"},
		{"hostfuncs imports runtime", "hostfuncs/a.go", own("runtime"), `hostfuncs must not import "runtime"`},
		{"hostfuncs imports wazero", "hostfuncs/a.go", other("github.com/tetratelabs/wazero/api"), "only runtime"},
		{"a test imports wazero", "internal/wasm/a_test.go", other("github.com/tetratelabs/wazero"), "only runtime"},
		{"internal imports runtime", "internal/x/a.go", own("runtime"), `internal must not import "runtime"`},
		{"runtime imports santhosh", "runtime/a.go", other("github.com/santhosh-tekuri/jsonschema/v6"), "only internal/schema"},
		{"runtime imports cobra", "runtime/a.go", other("github.com/spf13/cobra"), "only cmd"},
		{"runtime imports cmd", "runtime/a.go", own("cmd/wasmtools"), "nothing imports cmd"},
		{"a test imports cmd", "runtime/a_test.go", own("cmd/wasmtools"), "nothing imports cmd"},
		{"an example imports internal", "examples/x/main.go", own("internal/schema"), "must not import"},
		{"a test library outside tests", "runtime/a.go", other("github.com/stretchr/testify/require"), "only tests"},
		{"a dependency without an owner", "cmd/x/main.go", other("example.com/new"), "has no owner"},
		{"a folder without a row", "later/a.go", own("tool"), "is new"},
		{"a name that only begins alike", "runtimes/a.go", other("github.com/tetratelabs/wazero"), "only runtime"},

		{"the standard library", "tool/a.go", other("encoding/json"), ""},
		{"the owner", "runtime/internal/x/a.go", other("github.com/tetratelabs/wazero"), ""},
		{"the owner's test", "runtime/a_test.go", other("github.com/tetratelabs/wazero"), ""},
		{"the command", "cmd/wasmtools/main.go", own("runtime"), ""},
		{"a test library", "tool/a_test.go", other("github.com/stretchr/testify/require"), ""},
		{"a test across siblings", "hostfuncs/a_test.go", own("runtime"), ""},
		{"a benchmark", "bench/a.go", other("github.com/tetratelabs/wazero"), ""},
		{"a guest", "testdata/guests/x/main.go", own("sdk-guest"), ""},
	})
}
