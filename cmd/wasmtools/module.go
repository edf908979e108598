package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// reference is what a person writes to name a module or a tool in it: MODULE or MODULE#TOOL.
type reference struct {
	path string
	tool string // empty if none is named
}

// parseReference splits at the last '#', unless there is a file of the whole name.
func parseReference(text string) reference {
	path, name, ok := cutLast(text, "#")
	if _, err := os.Stat(text); !ok || err == nil {
		return reference{path: text}
	}
	return reference{path, name}
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// load loads the module in the file at path.
func load(ctx context.Context, rt *runtime.Runtime, path string) (*runtime.Module, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	return rt.LoadFile(ctx, path)
}

// checkPath finds the slips that a person makes, so that the hint can name the way out.
func checkPath(path string) error {
	info, err := os.Stat(path)
	var pathErr *os.PathError
	switch {
	case errors.As(err, &pathErr):
		return refusedPath(path).WithCause(pathErr.Err).WithHint("%s", missingHint(path))
	case err != nil:
		return refusedPath(path).WithCause(err)
	case info.IsDir():
		return refusedPath(path).WithCause(errors.New("a directory, not a module")).WithHint("%s", directoryHint(path))
	case filepath.Ext(path) == ".go":
		return refusedPath(path).WithCause(errors.New("source code in Go, not a module")).
			WithHint("build it first: tinygo build -o tool.wasm -target=wasip1 -buildmode=c-shared -scheduler=none -gc=leaking %s",
				filepath.Dir(path))
	case filepath.Ext(path) == ".wat":
		return refusedPath(path).WithCause(errors.New("a module in text form")).WithHint("assemble it first: wat2wasm %s", path)
	}
	return nil
}

func refusedPath(path string) *tool.Error { return tool.Errorf(tool.BadModule, "load %q", path) }

func missingHint(path string) string {
	if _, err := os.Stat(path + ".wasm"); err == nil {
		return "did you mean " + path + ".wasm?"
	}
	return "check the path of the module"
}

func directoryHint(path string) string {
	entries, _ := os.ReadDir(path) // what cannot be read has no modules to name
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".wasm" {
			return "name the module in it: " + filepath.Join(path, entry.Name())
		}
	}
	return "there is no .wasm file in it"
}

// moduleThenFiles makes a shell complete a module, and after it any file.
func moduleThenFiles(cmd *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return modulesOnly(cmd, args, text)
}

// modulesOnly makes a shell complete names of modules.
func modulesOnly(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"wasm"}, cobra.ShellCompDirectiveFilterFileExt
}
