package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/tool"
)

// TestExitCode holds the table A20-149, also for what no script can bring about.
func TestExitCode(t *testing.T) {
	for want, errs := range map[int][]error{
		0:   {nil},
		1:   {tool.ToolFailed, tool.Trap, tool.Unavailable, tool.Closed, tool.Internal},
		3:   {tool.InvalidArguments},
		4:   {tool.NotFound},
		5:   {tool.BadModule},
		6:   {tool.Denied, tool.ExitEarly},
		7:   {tool.Timeout, tool.LimitExceeded},
		8:   {tool.Misconfigured},
		130: {tool.Canceled},
	} {
		for _, err := range errs {
			if code, ok := err.(tool.Code); ok {
				err = fmt.Errorf("around: %w", tool.Errorf(code, "x"))
			}
			require.Equal(t, want, exitCode(err), "%v", err)
		}
		require.Contains(t, exitCodes, fmt.Sprintf("\n  %-3d  ", want), "the help says what the code is")
	}
	require.Equal(t, 1, exitCode(errors.New("an error that nobody gave a code")))
	require.Equal(t, 2, exitCode(&usageError{err: errors.New("x")}))
	require.Equal(t, 5, exitCode(errors.Join(nil, tool.Errorf(tool.BadModule, "x"), tool.Errorf(tool.NotFound, "y"))), "the first counts")
	require.Equal(t, 5, exitCode(tool.Errorf(tool.BadModule, "x").WithCause(tool.Errorf(tool.Timeout, "y"))), "the outermost counts")
}

// TestReport: an error is one line, whatever a guest put into it, and each joined error has its own.
func TestReport(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{errors.New("plain"), "wasmtools: error: plain\n"},
		{tool.Errorf(tool.ToolFailed, "a\nwasmtools: error: b\x1b[2J"), `wasmtools: error: a\nwasmtools: error: b\x1b[2J` + "\n"},
		{tool.Errorf(tool.BadModule, "x").WithHint("do\ny"), "wasmtools: error: x\nhint: do\\ny\n"},
		{&advisedError{tool.Errorf(tool.BadModule, "x").WithHint("its own"), "better"}, "wasmtools: error: x\nhint: better\n"},
		{errors.Join(errors.New("x"), errors.New("y")), "wasmtools: error: x\nwasmtools: error: y\n"},
		{errors.New(strings.Repeat("x", 5000)),
			"wasmtools: error: " + strings.Repeat("x", 4000) + "... [truncated, full length: 5000 chars]\n"},
	} {
		var b strings.Builder
		report(&b, c.err)
		require.Equal(t, c.want, b.String())
	}
}

// TestExamples runs what every help text suggests, in the repository's root.
func TestExamples(t *testing.T) {
	if underRace {
		t.Skip("the guests are large")
	}
	cache := filepath.Join(t.TempDir(), "cache")
	for _, cmd := range append(newRoot().Commands(), newRoot()) {
		if cmd.Name() == "completion" { // cobra's
			continue
		}
		require.NotEmpty(t, cmd.Example, "command %s", cmd.Name())
		for _, example := range strings.Split(cmd.Example, "\n") {
			t.Run(strings.TrimSpace(example), func(t *testing.T) {
				t.Parallel()
				shell := exec.Command("sh", "-c", example)
				shell.Dir = "../.."
				shell.Env = append(os.Environ(), "WASMTOOLS_CACHE="+cache)
				out, err := shell.CombinedOutput()
				require.NoError(t, err, "%s", out)
			})
		}
	}
}

// TestHelp: every command says what it does, takes its flags where they are, and writes nothing but the help.
func TestHelp(t *testing.T) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		require.NotEmpty(t, cmd.Short, cmd.CommandPath())
		for _, child := range cmd.Commands() {
			visit(child)
		}
		var stdout, stderr strings.Builder
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		require.Zero(t, run(t.Context(), args, strings.NewReader(""), &stdout, &stderr))
		require.Contains(t, stdout.String(), "Usage:")
		require.Empty(t, stderr.String())
	}
	visit(newRoot())
}
