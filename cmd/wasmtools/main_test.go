package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/wasmtools/wasmtools/internal/testguest"
)

func TestMain(m *testing.M) {
	if os.Getenv("WASMTOOLS_CACHE") == "" { // this is the command itself, too, as tests run it
		os.Setenv("WASMTOOLS_CACHE", os.DevNull)
	}
	testscript.Main(m, map[string]func(){"wasmtools": main})
}

// TestScripts runs the command as a person does. Every script finds the test guests in its folder.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("WASMTOOLS_CACHE", filepath.Join(env.WorkDir, ".cache"))
			for _, name := range []string{"guests/echo.wasm", "guests/upper.wasm", "guests/sdk/sdk.wasm", "hostile/attacks.wasm"} {
				bin, err := os.ReadFile(filepath.Join("../../testdata", name))
				if err == nil {
					err = os.WriteFile(filepath.Join(env.WorkDir, filepath.Base(name)), bin, 0o666)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "race" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return underRace, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":    exits,
			"mkguest":  mkguest,
			"repeat":   repeat,
			"truncate": truncate,
		},
	})
}

// exits CODE COMMAND... runs a command that has to end with that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// mkguest SPEC MODULE [status=N] [output=FILE] [import=NAME]... builds a module whose spec is the file's text. Its tools answer
// with the output, or with their arguments.
func mkguest(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: mkguest SPEC MODULE [KEY=VALUE...]")
	}
	guest := testguest.Guest{Spec: ts.ReadFile(args[0])}
	for _, arg := range args[2:] {
		key, value, _ := strings.Cut(arg, "=")
		switch key {
		case "status":
			status, err := strconv.ParseInt(value, 0, 32)
			ts.Check(err)
			guest.Status = int32(status)
		case "output":
			guest.Output = ts.ReadFile(value)
		case "import":
			guest.Imports = append(guest.Imports, testguest.Import{Module: "wasmtools_v1", Name: value, Results: 1})
		default:
			ts.Fatalf("mkguest: unknown key %q", key)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), guest.Wasm(), 0o666))
}

// repeat COUNT TEXT FILE writes the text many times.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat COUNT TEXT FILE")
	}
	count, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Repeat(args[1], count)), 0o666))
}

// truncate SIZE FILE makes a file of that size, full of nothing.
func truncate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: truncate SIZE FILE")
	}
	size, err := strconv.ParseInt(args[0], 10, 64)
	ts.Check(err)
	f, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	defer f.Close()
	ts.Check(f.Truncate(size))
}
