package strictjson_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/strictjson"
)

// TestJSONTestSuite runs JSONTestSuite's 318 texts, as the module named here classifies them. The module cache
// holds them if it was ever downloaded. The texts on which RFC 8259 leaves the choice (i_) are listed below where they are taken.
func TestJSONTestSuite(t *testing.T) {
	cases := readSuite(t, "github.com/bytedance/sonic@v1.15.5/testdata/JSONTestSuite/testdata.json.gz")
	taken := []string{"i_structure_UTF-8_BOM_empty_object"}
	var accepted []string
	counts := map[string]int{}
	for name, text := range cases {
		class := name[:1]
		if class != "y" {
			// The file holds the texts as JSON strings, which cost them their invalid bytes. They get one back.
			text = strings.ReplaceAll(text, "\uFFFD", "\xff")
		}
		_, err := strictjson.Parse([]byte(text), nil)
		requireCheckAgrees(t, []byte(text), nil)
		counts[class]++
		switch {
		case class == "y":
			require.NoError(t, err, name)
		case class == "n":
			require.Error(t, err, name)
		case err == nil:
			accepted = append(accepted, name)
		}
	}
	require.ElementsMatch(t, taken, accepted)
	require.Equal(t, map[string]int{"y": 103, "n": 201, "i": 14}, counts)
}

func readSuite(t *testing.T, path string) map[string]string {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	f, err := os.Open(filepath.Join(strings.TrimSpace(string(out)), path))
	if err != nil {
		module, _, _ := strings.Cut(path, "/testdata/")
		t.Skipf("the suite is not in the module cache (go mod download %s): %v", module, err)
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	require.NoError(t, err)
	var cases map[string]string
	require.NoError(t, json.NewDecoder(zr).Decode(&cases))
	return cases
}
