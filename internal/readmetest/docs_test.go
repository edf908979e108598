package readmetest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// documents returns the project's own Markdown files outside the examples, which test theirs.
func documents(t *testing.T, root string) []string {
	paths := []string{filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")}
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, docs)
	return append(paths, docs...)
}

// TestDocumentsRun runs the console blocks of the documentation.
func TestDocumentsRun(t *testing.T) {
	root, err := moduleRoot()
	require.NoError(t, err)
	ran := 0
	for _, path := range documents(t, root) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if !strings.Contains(string(text), "```console\n") {
			continue
		}
		rel, err := filepath.Rel(root, path)
		require.NoError(t, err)
		t.Run(rel, func(t *testing.T) { Run(t, rel) })
		ran++
	}
	require.Positive(t, ran)
}

// TestGoBlocksAreCompiled holds every Go block of the documentation equal to a part of a file that is compiled.
func TestGoBlocksAreCompiled(t *testing.T) {
	root, err := moduleRoot()
	require.NoError(t, err)
	var sources bytes.Buffer
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		sources.Write(text)
		return err
	})
	require.NoError(t, err)

	found := 0
	for _, path := range documents(t, root) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for i, block := range goBlocks(string(text)) {
			require.True(t, bytes.Contains(sources.Bytes(), []byte(block)), "%s: Go block %d is in no compiled file:\n%s", path, i+1, block)
			found++
		}
	}
	require.Positive(t, found)
}

// TestTheGuestPackageShowsTheSameTool holds the program in the guest SDK's documentation equal to the one in the README.
func TestTheGuestPackageShowsTheSameTool(t *testing.T) {
	root, err := moduleRoot()
	require.NoError(t, err)
	source, err := os.ReadFile(filepath.Join(root, "testdata", "guests", "forecast", "main.go"))
	require.NoError(t, err)
	doc, err := os.ReadFile(filepath.Join(root, "sdk-guest", "doc.go"))
	require.NoError(t, err)
	var shown strings.Builder
	for line := range strings.Lines(string(source)) {
		if strings.TrimSpace(line) != "" {
			line = "\t" + line
		}
		shown.WriteString(strings.TrimRight("//"+line, " "))
	}
	require.Contains(t, string(doc), shown.String())
}

func goBlocks(markdown string) []string {
	var blocks []string
	for {
		_, rest, ok := strings.Cut(markdown, "```go\n")
		if !ok {
			return blocks
		}
		block, rest, _ := strings.Cut(rest, "```")
		blocks, markdown = append(blocks, block), rest
	}
}
