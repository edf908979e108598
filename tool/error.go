package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Code says what kind of error an [Error] is. The strings are stable. A Code is itself an error, so that
// errors.Is(err, tool.Timeout) works.
type Code string

const (
	// InvalidArguments: the arguments do not satisfy the tool's schema, or the tool refused them.
	InvalidArguments Code = "invalid_arguments"
	// NotFound: there is no tool of that name.
	NotFound Code = "not_found"
	// Denied: a person or a policy said no, or nobody was there to say yes.
	Denied Code = "denied"
	// Timeout: the time limit was reached. Such errors match context.DeadlineExceeded too.
	Timeout Code = "timeout"
	// Canceled: the caller gave up. Such errors match context.Canceled too.
	Canceled Code = "canceled"
	// LimitExceeded: a limit other than time was reached. The error holds a [*LimitError].
	LimitExceeded Code = "limit_exceeded"
	// Trap: the guest crashed or broke the ABI. The error holds a [*TrapError].
	Trap Code = "trap"
	// ToolFailed: the tool ran and reports that it failed.
	ToolFailed Code = "tool_failed"
	// BadModule: the module cannot be used.
	BadModule Code = "bad_module"
	// ExitEarly: a person asked to stop the whole run, not only this call. It passes through everything that turns errors
	// into results.
	ExitEarly Code = "exit_early"
	// Misconfigured: the application has not provided something that the tool needs. It is never the model's to mend.
	Misconfigured Code = "misconfigured"
	// Unavailable: something that the tool needs is not there at the moment.
	Unavailable Code = "unavailable"
	// Closed: the runtime or the module was closed.
	Closed Code = "closed"
	// Internal: a defect of the host.
	Internal Code = "internal"
)

// Error returns the code's text.
func (c Code) Error() string { return string(c) }

// Error is the one error type of wasmtools.
type Error struct {
	// Code is the kind of error.
	Code Code

	// Status is the tool's own integer code, such as 422. Nil means none. 400 to 499 are by convention the caller's
	// fault and 500 to 599 the service's; other values pass untouched.
	Status *int32

	// Message is fit for a model: short, specific, and free of paths, stacks and host names.
	Message string

	// Cause is for the operator only and never reaches a model. It may be nil.
	Cause error

	// Hint tells the operator what to do now. It may be empty, and never reaches a model.
	Hint string
}

// Errorf returns an [*Error] whose message is formatted as by fmt.Sprintf. Set Cause on it where there is one.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// WithCause returns a copy of e with the cause set.
func (e *Error) WithCause(cause error) *Error {
	c := *e
	c.Cause = cause
	return &c
}

// WithHint returns a copy of e with the hint set.
func (e *Error) WithHint(format string, args ...any) *Error {
	c := *e
	c.Hint = fmt.Sprintf(format, args...)
	return &c
}

// Error returns the message and, behind a colon, the cause.
func (e *Error) Error() string {
	switch {
	case e.Cause == nil:
		return e.Message
	case e.Message == "":
		return e.Cause.Error()
	}
	return e.Message + ": " + e.Cause.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is makes an Error match its [Code], and the context errors that correspond to it.
func (e *Error) Is(target error) bool {
	switch e.Code {
	case Timeout:
		if target == context.DeadlineExceeded {
			return true
		}
	case Canceled:
		if target == context.Canceled {
			return true
		}
	}
	code, ok := target.(Code)
	return ok && code == e.Code
}

// CodeOf returns the code of the [*Error] in err's chain, and [Internal] for any other error. It returns "" for nil.
func CodeOf(err error) Code {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	}
	return Internal
}

// MessageOf returns what a model may be told of err: the message of the [*Error] in its chain, without causes, or a fixed
// text. Never send err.Error() to a model.
func MessageOf(err error) string {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e) && e.Message != "":
		return e.Message
	}
	return "the tool could not be run"
}

// HintOf returns the first hint in err's chain, or "".
func HintOf(err error) string {
	for err != nil {
		var e *Error
		if !errors.As(err, &e) {
			return ""
		}
		if e.Hint != "" {
			return e.Hint
		}
		err = e.Cause
	}
	return ""
}

// TrapError is the cause of an [Error] whose code is [Trap]: what is known about a guest's crash.
type TrapError struct {
	// Kind is what went wrong, such as "unreachable" or "out of bounds memory access". Control characters and the like are
	// escaped in it, as in Function.
	Kind string

	// Function is the innermost guest function by its debug name, or "" where it is not known. The guest chose it.
	Function string

	// LastWords is the end of what the guest wrote to its standard error and output: a panic's message, as a rule. It is
	// the guest's text and may hold anything.
	LastWords string

	// ID is the error ID that the model was told.
	ID string
}

// Error describes the trap on one line. Of the last words it has the line that names a panic, or else the last one.
func (e *TrapError) Error() string {
	text := e.Kind
	if e.Function != "" {
		text += " in " + e.Function
	}
	if words := e.lastLine(); words != "" {
		text += fmt.Sprintf(": %q", words)
	}
	return text
}

func (e *TrapError) lastLine() string {
	last := ""
	for line := range strings.Lines(e.LastWords) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return line
		}
		if line != "" {
			last = line
		}
	}
	return last
}
