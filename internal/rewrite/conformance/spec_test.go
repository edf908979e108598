package conformance_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/wasmtools/wasmtools/internal/rewrite"
)

const (
	references  = experimental.CoreFeaturesTypedFunctionReferences | experimental.CoreFeaturesTailCall
	allFeatures = api.CoreFeaturesV2 | references | experimental.CoreFeaturesExceptionHandling |
		experimental.CoreFeaturesExtendedConst | experimental.CoreFeaturesThreads
)

// suite is a folder of the engine's module that holds the specification's tests.
type suite struct {
	name     string
	features api.CoreFeatures
	commands int // at least, so that a suite that is not found is not taken for one that passes
}

func suites() []suite {
	return []suite{
		{"v1", api.CoreFeaturesV1, 17_000},
		{"v2", api.CoreFeaturesV2, 45_000},
		{"extended-const", api.CoreFeaturesV2 | experimental.CoreFeaturesExtendedConst, 100},
		{"tail-call", api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall, 100},
		{"exception-handling", api.CoreFeaturesV2 | references | experimental.CoreFeaturesExceptionHandling, 50},
		{"typed-function-references", api.CoreFeaturesV2 | references, 500},
		{"threads", api.CoreFeaturesV2 | experimental.CoreFeaturesThreads, 200},
	}
}

// skipped are the commands whose outcome may differ, by suite, file and line, with the reason.
func skipped() map[string]string {
	const null = "the engine checks a null as if it were a reference to function 0, which this module, having no functions, has " +
		"only when it is rewritten"
	return map[string]string{
		"typed-function-references/table.json:57": null,
		"typed-function-references/table.json:61": null,
	}
}

// script is what the specification's tests are compiled to.
type script struct {
	Commands []command
}

type command struct {
	Type       string
	Line       int
	Name       string
	Filename   string
	As         string
	ModuleType string `json:"module_type"`
	Action     struct {
		Type, Module, Field string
		Args                []value
	}
	Expected []value
}

// TestSpecification runs each script on the modules as they are and rewritten, and compares command by command. They are also
// rewritten so that the fuel is nowhere in a local: as much has to be used.
func TestSpecification(t *testing.T) {
	root := filepath.Join(moduleDir(t, "github.com/tetratelabs/wazero"), "internal", "integration_test", "spectest")
	host, err := os.ReadFile(filepath.Join(root, "testdata", "spectest.wasm"))
	require.NoError(t, err)
	for _, s := range suites() {
		t.Run(s.name, func(t *testing.T) {
			paths, err := filepath.Glob(filepath.Join(root, s.name, "testdata", "*.json"))
			require.NoError(t, err)
			commands := 0
			for _, path := range paths {
				t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
					commands += runScript(t, s, path, host)
				})
			}
			if !t.Failed() && flag.Lookup("test.run").Value.String() == "" {
				require.GreaterOrEqual(t, commands, s.commands)
			}
		})
	}
}

func runScript(t *testing.T, s suite, path string, host []byte) int {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var all script
	require.NoError(t, json.Unmarshal(text, &all))

	ctx := context.Background()
	plain, rewritten := newWorld(t, ctx, s.features, host, nil), newWorld(t, ctx, s.features, host, &rewrite.Options{})
	global := newWorld(t, ctx, s.features, host, &rewrite.Options{NoLocal: true})
	dir := filepath.Dir(path)
	for i, c := range all.Commands {
		if c.Type == "module" && i+1 < len(all.Commands) && all.Commands[i+1].Type == "register" {
			c.As = all.Commands[i+1].As // the engine names a module when it is instantiated
		}
		if skipped()[s.name+"/"+filepath.Base(path)+":"+strconv.Itoa(c.Line)] != "" {
			continue
		}
		want, got := plain.run(ctx, dir, c), rewritten.run(ctx, dir, c)
		require.Equal(t, want.refused, got.refused, "%s:%d %s: plain: %s, rewritten: %s", path, c.Line, c.Type, want.text, got.text)
		if c.Type != "assert_malformed" && c.Type != "assert_invalid" {
			require.Equal(t, want.text, got.text, "%s:%d %s", path, c.Line, c.Type)
		}
		require.Equal(t, want.results, got.results, "%s:%d %s %s", path, c.Line, c.Type, c.Action.Field)
		require.NoError(t, want.expected(c), "%s:%d %s", path, c.Line, c.Type)
		require.Equal(t, global.run(ctx, dir, c), got, "%s:%d %s", path, c.Line, c.Type)
	}
	return len(all.Commands)
}

// moduleDir is where the module cache has a module of this module's requirements.
func moduleDir(t testing.TB, module string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	require.NoError(t, err)
	dir := strings.TrimSpace(string(out))
	require.NotEmpty(t, dir)
	return dir
}
