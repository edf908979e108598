// Package readmetest runs the commands of a README, so that what it tells its readers to do works and shows what it says.
//
// A test calls [Run] with the file. Commands are those of its code blocks in the language "console": a command follows "$ ",
// goes on behind a backslash at a line's end, and is followed by what it prints. Three dots in that stand for anything
// within a line. A command has to succeed, unless the next one is "echo $?".
//
// Commands run in the module's root by sh, with a freshly built wasmtools on PATH and nothing on standard input.
package readmetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Run runs every command of a README, given by its path from the module's root, and fails the test where one of them does
// not print what the file shows, or where there is none.
func Run(t *testing.T, readme string) {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	markdown, err := os.ReadFile(filepath.Join(root, readme))
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := parse(string(markdown))
	if err != nil {
		t.Fatalf("%s: %v", readme, err)
	}
	if len(blocks) == 0 {
		t.Fatalf("%s: there is no console block", readme)
	}
	sh := shell{root, build(t, root)}
	for _, block := range blocks {
		if err := sh.run(block); err != nil {
			t.Errorf("%s: %v", readme, err)
		}
	}
}

// moduleRoot is the closest folder above that holds a go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("find the module's root: no go.mod")
		}
		dir = parent
	}
}

// build builds wasmtools and returns its folder.
func build(t *testing.T, root string) string {
	t.Helper()
	bin := t.TempDir()
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/wasmtools")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build wasmtools: %v\n%s", err, out)
	}
	return bin
}

type shell struct {
	dir string // where commands run
	bin string // is first on PATH
}

// run runs the commands of a block and returns what is wrong with them.
func (s shell) run(block []command) error {
	var wrong []error
	status := 0
	for _, c := range block {
		// The subshell hands on the status of the command before.
		cmd := exec.Command("sh", "-c", fmt.Sprintf("(exit %d)\n%s", status, c.text))
		cmd.Dir = s.dir
		cmd.Env = append(os.Environ(), "PATH="+s.bin+string(filepath.ListSeparator)+os.Getenv("PATH"),
			"WASMTOOLS_CACHE="+filepath.Join(s.bin, "cache"))
		output, err := cmd.CombinedOutput()
		status = cmd.ProcessState.ExitCode()
		switch exit := (*exec.ExitError)(nil); {
		case err != nil && !errors.As(err, &exit):
			return fmt.Errorf("line %d: %s: %w", c.line, c.text, err)
		case err != nil && !c.status:
			wrong = append(wrong, fmt.Errorf("line %d: %s: %w\n%s", c.line, c.text, err, output))
		case !c.matches(string(output)):
			wrong = append(wrong, fmt.Errorf("line %d: %s\nprints:\n%s\nthe file shows:\n%s", c.line, c.text, output, c.output))
		}
	}
	return errors.Join(wrong...)
}
