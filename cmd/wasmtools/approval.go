package main

import (
	"context"
	"errors"
	"io"
	"sync"
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
	f.timeout = hostfuncs.DefaultApprovalTimeout
	f.onTimeout = oneOf("exit", "continue", "exit", "fail")
	flags.Var(&f.approve, "approve",
		"agree to everything, to nothing, or ask at the terminal (the default where there is one)")
	flags.Var(patience{&f.timeout}, "approval-timeout", "how long an answer may take; 0 is for ever")
	flags.Var(&f.onTimeout, "on-timeout", "what silence means: consent, a rejection, or an error")
}

// options returns the approver, which takes its turn at the terminal, and its rules. A person is only ever asked where one
// can answer.
func (f *approvalFlags) options(cmd *cobra.Command, absent *absence, turn *sync.Mutex) (runtime.Approval, error) {
	o := runtime.Approval{Timeout: f.timeout}
	if f.timeout == 0 {
		o.Timeout = -1
	}
	switch f.onTimeout.value {
	case "continue":
		o.OnTimeout = tool.OnTimeoutContinue
	case "fail":
		o.OnTimeout = tool.OnTimeoutFail
	}
	switch {
	case f.approve.value == "auto":
		o.Approver = hostfuncs.Auto()
	case f.approve.value == "deny":
		o.Approver = hostfuncs.Deny()
	case absent == nil:
		console := hostfuncs.NewConsole(cmd.InOrStdin(), cmd.ErrOrStderr(), &hostfuncs.ConsoleOptions{
			Discard: func() { discardTyped(cmd.InOrStdin()) },
		})
		o.Approver = inTurn(console, turn)
	case f.approve.value == "console":
		return o, tool.Errorf(tool.Misconfigured, "nobody can be asked for approval").
			WithCause(errors.New(absent.why)).WithHint("%s", absent.remedy)
	}
	return o, nil
}

// absence says why nobody can be asked for approval, and what to do about it.
type absence struct{ why, remedy string }

// findAbsence returns nil where somebody can be asked: at a terminal that is not being read for something else.
func findAbsence(cmd *cobra.Command, stdinTaken bool) *absence {
	const remedy = "choose --approve=auto to agree to everything"
	switch {
	case stdinTaken:
		return &absence{"standard input holds the arguments", "give the arguments as @FILE, or " + remedy}
	case !isTerminal(cmd.InOrStdin()):
		return &absence{"standard input is not a terminal", remedy}
	case !isTerminal(cmd.ErrOrStderr()):
		return &absence{"standard error is not a terminal", remedy}
	}
	return nil
}

// inTurn makes an approver that holds turn while it asks. A call goes on as soon as its time is up, and would otherwise log
// and report into the line of a question that is just being given up.
func inTurn(console tool.Approver, turn *sync.Mutex) tool.Approver {
	return tool.ApproverFunc(func(ctx context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
		turn.Lock()
		defer turn.Unlock()
		return console.Approve(ctx, req)
	})
}

// turnWriter is a writer that holds turn while it writes.
type turnWriter struct {
	turn *sync.Mutex
	w    io.Writer
}

func (t turnWriter) Write(p []byte) (int, error) {
	t.turn.Lock()
	defer t.turn.Unlock()
	return t.w.Write(p)
}
