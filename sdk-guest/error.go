package guest

import (
	"errors"
	"reflect"
	"strings"

	"github.com/wasmtools/wasmtools/abi"
)

// Error is an error that says whose fault it is. Any other error that a tool returns is a failed execution with that error's
// text. An Error that is wrapped in another one keeps its kind and code and takes the outer text.
type Error struct {
	kind    abi.Kind
	message string
	code    *int32
	cause   error
}

// Failed says that the execution failed. The message is for the model. If it is blank, the cause's text takes its place.
func Failed(message string) *Error { return &Error{kind: abi.KindFailed, message: message} }

// BadArguments says that the tool refuses its arguments, for a reason that the schema could not express. The message is for
// the model, which may try again; if it is blank, the cause's text takes its place.
func BadArguments(message string) *Error {
	return &Error{kind: abi.KindBadArguments, message: message}
}

// WithCode returns the error with a code of the tool's own. By convention 400 to 499 mean that the caller is at fault, and
// 500 to 599 that the service is.
func (e *Error) WithCode(code int32) *Error {
	with := *e
	with.code = &code
	return &with
}

// WithCause returns the error with a cause, which the operator gets to see and the model does not.
func (e *Error) WithCause(cause error) *Error {
	with := *e
	with.cause = cause
	return &with
}

// Error returns the message.
func (e *Error) Error() string {
	if strings.TrimSpace(e.message) == "" && e.cause != nil {
		return e.cause.Error()
	}
	return e.message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// Code returns the code, and whether there is one.
func (e *Error) Code() (code int32, ok bool) {
	if e.code == nil {
		return 0, false
	}
	return *e.code, true
}

// classify returns what the ABI wants to know about an error.
func classify(err error) (abi.Kind, abi.Error) {
	kind, out := abi.KindFailed, abi.Error{Message: err.Error()}
	var e *Error
	switch {
	case errors.As(err, &e):
		kind, out.Code = e.kind, e.code
		if e.cause != nil {
			out.Cause = e.cause.Error()
		}
	case errors.Is(err, ErrRejected), errors.Is(err, ErrDenied):
		kind = abi.KindRejected
	}
	if strings.TrimSpace(out.Message) == "" {
		out.Message = typeName(err)
	}
	switch kind {
	case abi.KindBadArguments:
		out.Kind = abi.ErrorArguments
	case abi.KindRejected:
		out.Kind = abi.ErrorRejected
	default:
		out.Kind = abi.ErrorExecution
	}
	return kind, out
}

// typeName names the type of an error, of its cause for one of ours.
func typeName(err error) string {
	if e, ok := err.(*Error); ok && e.cause != nil {
		err = e.cause
	}
	t := reflect.TypeOf(err)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}
