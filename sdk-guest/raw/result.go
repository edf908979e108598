package raw

import "github.com/wasmtools/wasmtools/abi"

// Result is the outcome of a call. The zero value is a success with an empty text.
type Result struct {
	Kind   abi.Kind
	Code   int32  // of an error, 0 for none; abi.MinCode to abi.MaxCode, others are dropped
	Output string // what Kind says it is
}

// Text returns a text for the model, passed on as it is.
func Text(text string) Result { return Result{Kind: abi.KindText, Output: text} }

// JSON returns one JSON value, which reaches the model as text and the application as the structured result.
func JSON(value string) Result { return Result{Kind: abi.KindJSON, Output: value} }

// Failed says that the execution failed. The message is for the model; the code is the tool's own, 0 for none.
func Failed(code int32, message string) Result {
	return Result{Kind: abi.KindFailed, Code: code, Output: message}
}

// BadArguments says that the tool refuses its arguments. The message is for the model; the code is the tool's own, 0 for
// none.
func BadArguments(code int32, message string) Result {
	return Result{Kind: abi.KindBadArguments, Code: code, Output: message}
}

// Rejected says that nothing was done because [Context.RequestApproval] returned this error.
func Rejected(err error) Result { return Result{Kind: abi.KindRejected, Output: err.Error()} }
