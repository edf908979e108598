package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// approvalFlags say who decides.
type approvalFlags struct {
	approve   choice
	timeout   time.Duration
	onTimeout choice
}

func (f *approvalFlags) register(flags *pflag.FlagSet) {
	f.approve = oneOf("", "auto", "deny", "console")
	f.onTimeout = oneOf("exit", "continue", "exit", "fail")
	flags.Var(&f.approve, "approve",
		"agree to everything, to nothing, or ask at the terminal (the default where there is one)")
	flags.DurationVar(&f.timeout, "approval-timeout", 5*time.Minute,
		"how long an answer may take; 0 is for ever, and needs a terminal")
	flags.Var(&f.onTimeout, "on-timeout", "what silence means: consent, a rejection, or an error")
}

// options returns the approver and its rules. A person is only ever asked where one can answer: at a terminal that is not
// being read for something else.
func (f *approvalFlags) options(cmd *cobra.Command, stdinTaken bool) (runtime.Approval, error) {
	present := isTerminal(cmd.InOrStdin()) && isTerminal(cmd.ErrOrStderr()) && !stdinTaken
	o := runtime.Approval{Timeout: f.timeout}
	if f.timeout <= 0 {
		o.Timeout = -1
	}
	switch f.onTimeout.value {
	case "continue":
		o.OnTimeout = tool.OnTimeoutContinue
	case "fail":
		o.OnTimeout = tool.OnTimeoutFail
	}
	switch {
	case f.timeout <= 0 && !present:
		return o, nobodyThere("an approval cannot take for ever", "give --approval-timeout a time, such as 1m")
	case f.approve.value == "console" && !present:
		return o, nobodyThere("nobody can be asked for approval", "choose --approve=auto or --approve=deny")
	case f.approve.value == "auto":
		o.Approver = hostfuncs.Auto()
	case f.approve.value == "deny":
		o.Approver = hostfuncs.Deny()
	case present:
		o.Approver = hostfuncs.NewConsole(cmd.InOrStdin(), cmd.ErrOrStderr(), &hostfuncs.ConsoleOptions{
			Discard: func() { discardTyped(cmd.InOrStdin()) },
		})
	}
	return o, nil
}

func nobodyThere(message, hint string) error {
	return tool.Errorf(tool.Misconfigured, "%s", message).
		WithCause(errors.New("standard input and standard error are not a free terminal")).WithHint("%s", hint)
}
