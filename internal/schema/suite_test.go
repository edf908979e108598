package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/schema"
)

// group is one schema of the JSON Schema Test Suite with its values.
type group struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// suiteDir finds the suite in the module cache, which holds it if the module named here was ever downloaded.
func suiteDir(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	const module = "github.com/kaptinlin/jsonschema@v0.5.2"
	dir := filepath.Join(strings.TrimSpace(string(out)), module, "testdata", "JSON-Schema-Test-Suite")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the suite is not in the module cache (go mod download %s): %v", module, err)
	}
	return dir
}

// readSuite returns the mandatory tests of draft 2020-12 by file.
func readSuite(t *testing.T, dir string) map[string][]group {
	files, err := filepath.Glob(filepath.Join(dir, "tests", "draft2020-12", "*.json"))
	require.NoError(t, err)
	suite := map[string][]group{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var groups []group
		require.NoError(t, json.Unmarshal(text, &groups))
		suite[strings.TrimSuffix(filepath.Base(file), ".json")] = groups
	}
	return suite
}

// TestSuite runs all mandatory tests of draft 2020-12 without the guards.
func TestSuite(t *testing.T) {
	dir := suiteDir(t)
	load := func(url string) (any, error) {
		path, ok := strings.CutPrefix(url, "http://localhost:1234/")
		if !ok {
			return nil, errors.New("not a remote of the suite")
		}
		text, err := os.ReadFile(filepath.Join(dir, "remotes", filepath.FromSlash(path)))
		if err != nil {
			return nil, err
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		var doc any
		err = dec.Decode(&doc)
		return doc, err
	}
	passed := 0
	for file, groups := range readSuite(t, dir) {
		for _, g := range groups {
			s, err := schema.Compile(g.Schema, schema.Relaxed(load))
			require.NoError(t, err, "%s: %s", file, g.Description)
			for _, c := range g.Tests {
				err := s.Validate(c.Data)
				require.Equal(t, c.Valid, err == nil, "%s: %s: %s: %v", file, g.Description, c.Description, err)
				passed++
			}
		}
	}
	require.Equal(t, 1238, passed)
}

// TestSuiteGuarded runs the same tests as tools meet them. What comes out differently does so by design and is listed.
func TestSuiteGuarded(t *testing.T) {
	type reason struct {
		file    string
		refusal schema.Refusal // empty if a value is judged otherwise
	}
	passed, otherwise := 0, map[reason]int{}
	for file, groups := range readSuite(t, suiteDir(t)) {
		for _, g := range groups {
			s, err := schema.Compile(g.Schema, nil)
			if err != nil {
				var refusal schema.Refusal
				require.ErrorAs(t, err, &refusal)
				otherwise[reason{file, refusal}] += len(g.Tests)
				continue
			}
			for _, c := range g.Tests {
				if c.Valid == (s.Validate(c.Data) == nil) {
					passed++
				} else {
					otherwise[reason{file, ""}]++
				}
			}
		}
	}
	require.Equal(t, map[reason]int{
		{"format", ""}:                               16, // the suite takes formats for annotations
		{"refRemote", schema.RefOutside}:             31,
		{"dynamicRef", schema.RefOutside}:            13,
		{"dynamicRef", schema.DynamicRef}:            27,
		{"unevaluatedItems", schema.DynamicRef}:      2,
		{"unevaluatedProperties", schema.DynamicRef}: 2,
		{"defs", schema.DynamicRef}:                  2, // they refer to the metaschema
		{"ref", schema.DynamicRef}:                   2,
		{"vocabulary", schema.BadDialect}:            5,
	}, otherwise)
	require.Equal(t, 1138, passed)
}
