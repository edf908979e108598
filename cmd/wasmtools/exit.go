package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/wasmtools/wasmtools/tool"
)

// exitCodes is the table of exit codes as the help shows it.
const exitCodes = `Exit codes:
  0    ok
  1    the tool reports an error, or crashed
  2    the command line was not understood
  3    the arguments are invalid
  4    unknown tool
  5    the module was refused
  6    denied, or rejected by a person
  7    a time limit or another limit was reached
  8    configuration: something that the tool needs was not provided
  130  interrupted by Ctrl-C`

// exitCode returns the exit code for err. Of several errors the first one counts.
func exitCode(err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		return 2
	}
	switch tool.CodeOf(err) {
	case tool.InvalidArguments:
		return 3
	case tool.NotFound:
		return 4
	case tool.BadModule:
		return 5
	case tool.Denied, tool.ExitEarly:
		return 6
	case tool.Timeout, tool.LimitExceeded:
		return 7
	case tool.Misconfigured:
		return 8
	case tool.Canceled:
		return 130
	}
	return 1
}

// usageError is a command line that was not understood.
type usageError struct {
	err  error
	hint string
}

func (e *usageError) Error() string { return e.err.Error() }

func (e *usageError) Unwrap() error { return e.err }

// usageAs makes err a usage error of the command.
func usageAs(command *cobra.Command, err error) error {
	var usage *usageError
	if errors.As(err, &usage) {
		return err
	}
	return &usageError{err, "see " + command.CommandPath() + " --help"}
}
