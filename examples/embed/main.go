// Embed is the smallest program that calls a tool: it loads a module, calls one of its tools, and prints the answer.
//
//	go run ./examples/embed [module]
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

func main() {
	path := "examples/calculator/calculator.wasm"
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	answer, err := multiply(context.Background(), path)
	if err != nil {
		fmt.Fprintln(os.Stderr, "embed:", err)
		os.Exit(1)
	}
	fmt.Println("15 × 7 =", answer)
}

func multiply(ctx context.Context, path string) (string, error) {
	rt, err := runtime.New(ctx, nil) // default limits, no logs, nobody to ask
	if err != nil {
		return "", err
	}
	defer rt.Close(ctx)

	module, err := rt.LoadFile(ctx, path)
	if err != nil {
		return "", err
	}
	multiply, err := module.Tool("multiply")
	if err != nil {
		return "", err
	}
	result, err := multiply.Call(ctx, tool.Call{Arguments: json.RawMessage(`{"a": 15, "b": 7}`)})
	switch {
	case err != nil: // it did not run to its end
		return "", err
	case result.Error != nil: // it ran, and says that it failed
		return "", result.Error
	}
	return result.Text(), nil
}
