// Package tool is the vocabulary that every other package of wasmtools speaks: what a tool is, how it is called and
// what comes back.
//
// Start with three names:
//
//   - [Tool] has a [Spec] and can be called. A Wasm export is a Tool, and so is anything else that can be described by
//     a JSON Schema and run with JSON arguments. Middleware is a function from Tool to Tool.
//   - [Call] is one request: an ID, the tool's name, the arguments as raw JSON, and the [Invocation] that the model
//     neither sees nor sets.
//   - [Result] is what the tool answered: content for the model, a structured value for the application, or an
//     [*Error] that the tool reported.
//
// # Errors
//
// There are two channels. A tool that ran and failed returns a Result whose Error field is set: it is meant for the
// model, which may correct its arguments and try again. A call that could not be carried out at all returns a Go error
// that holds an [*Error]; its [Code] works with errors.Is:
//
//	res, err := t.Call(ctx, tool.Call{Arguments: args})
//	switch {
//	case errors.Is(err, tool.Timeout): // the sandbox cut the tool off
//	case err != nil: // it did not run to its end for another reason
//	case res.Error != nil: // it ran, and reports a failure
//	}
//
// # Concurrency
//
// All types here are plain values. They are safe to share between goroutines as long as nobody writes to them; byte
// slices inside them are to be treated as read-only once they were handed over.
package tool
