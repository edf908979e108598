// Command wasmtools runs the tools in WebAssembly modules, and tells what is in them.
//
// The result of a command goes to the standard output, everything else to the standard error. An error is one line that
// begins with "wasmtools: error:" and, where something can be done about it, one that begins with "hint:".
//
// The exit codes are stable; see exitCode.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/wasmtools/wasmtools/tool"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole command with everything that it touches, and returns its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := interruptible(ctx)
	defer stop()

	root := newRoot()
	root.SetArgs(append([]string{}, args...)) // cobra takes nil for os.Args
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	started := false
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }

	command, err := root.ExecuteContextC(ctx)
	if err != nil && !started { // cobra did not understand the command line
		err = usageAs(command, err)
	}
	report(stderr, err)
	return exitCode(err)
}

// interruptible returns a context that the first Ctrl-C ends. The second one ends the process.
func interruptible(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	go func() { // ends with the context at the latest
		select {
		case <-signals:
			signal.Stop(signals)
			cancel(interrupted())
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

func interrupted() error { return tool.Errorf(tool.Canceled, "interrupted") }
