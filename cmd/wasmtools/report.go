package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/wasmtools/wasmtools/internal/printable"
	"github.com/wasmtools/wasmtools/tool"
)

// maxLine is how many characters of an error are shown. It may be a guest's text.
const maxLine = 4000

// report prints err and what to do about it. Joined errors are printed one by one.
func report(w io.Writer, err error) {
	if err == nil {
		return
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range several.Unwrap() {
			report(w, err)
		}
		return
	}
	fmt.Fprintf(w, "wasmtools: error: %s\n", line(message(err)))
	if hint := hintFor(err); hint != "" {
		fmt.Fprintf(w, "hint: %s\n", line(hint))
	}
}

// line makes text fit to be shown on one line of a terminal.
func line(text string) string { return printable.Escape(printable.Truncate(text, maxLine)) }

// message is the text of err with the tool's own code, if it has one.
func message(err error) string {
	var e *tool.Error
	if errors.As(err, &e) && e.Status != nil {
		return fmt.Sprintf("%v (code %d)", err, *e.Status)
	}
	return err.Error()
}

// hintFor returns what to do about err. A flag is a better answer than what the library, which knows none, can say.
func hintFor(err error) string {
	var usage *usageError
	var advised *advisedError
	var limit *tool.LimitError
	switch {
	case errors.As(err, &usage):
		return usage.hint
	case errors.As(err, &advised):
		return advised.hint
	case errors.As(err, &limit) && tool.CodeOf(err) == tool.BadModule && flagFor(limit, true) != "":
		return "if the module is to be trusted, raise the limit with " + flagFor(limit, true)
	case errors.As(err, &limit) && flagFor(limit, false) != "":
		return "raise the limit with " + flagFor(limit, false) + ", or give the tool less to do"
	}
	return tool.HintOf(err)
}

// advisedError is an error with a hint from whoever knows more than the error tells.
type advisedError struct {
	error
	hint string
}

func (e *advisedError) Unwrap() error { return e.error }
