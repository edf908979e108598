// Package runtime loads WebAssembly modules that hold tools and runs the tools in a sandbox.
//
// Start with three names:
//
//   - [New] makes a [Runtime], which holds the limits, the logger and the approver that all its modules share.
//   - [Runtime.LoadFile] checks a module, asks it what tools it holds, and returns a [Module].
//   - [Module.Tool] returns one of its tools, a tool.Tool.
//
// A tiny program:
//
//	rt, err := runtime.New(ctx, nil)
//	if err != nil { ... }
//	defer rt.Close(ctx)
//	mod, err := rt.LoadFile(ctx, "calculator.wasm")
//	if err != nil { ... }
//	add, err := mod.Tool("add")
//	if err != nil { ... }
//	res, err := add.Call(ctx, tool.Call{Arguments: json.RawMessage(`{"a":1,"b":2}`)})
//
// # What a call may do
//
// Every call starts from the state that the module has right after initialisation, and nothing that it leaves behind is
// seen by another. It has no files, no network, no environment and no arguments but those of the call. It may log, ask
// for approval, read clocks and draw random numbers. Limits of time, memory, input, output, log volume and host calls
// end it with an error; the process and all other calls go on.
//
// # Errors
//
// All errors hold a *tool.Error. Loading fails with tool.BadModule, naming what is wrong with the module. See tool.Tool for
// what a call returns.
//
// # Lifetime and concurrency
//
// Everything here is safe for concurrent use. Closing a Module or a Runtime twice is fine; using it afterwards fails
// with tool.Closed. Closing a Runtime cancels the calls that run and closes all its modules.
package runtime
