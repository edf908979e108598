package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

func Example() {
	ctx := context.Background()
	rt, err := runtime.New(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close(ctx)

	mod, err := rt.LoadFile(ctx, "../examples/calculator/calculator.wasm")
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range mod.Tools() {
		fmt.Println(t.Spec().Name)
	}

	add, err := mod.Tool("add")
	if err != nil {
		log.Fatal(err)
	}
	res, err := add.Call(ctx, tool.Call{Arguments: []byte(`{"a": 1, "b": 2}`)})
	fmt.Println(res.Text(), err)
	_, err = add.Call(ctx, tool.Call{Arguments: []byte(`{"a": 1}`)})
	fmt.Println(err)
	// Output:
	// add
	// multiply
	// divide
	// sqrt
	// 3 <nil>
	// invalid arguments: required parameter "b" is missing or null
}

// A guest that does not stop is cut off, and the error says by which limit.
func Example_limits() {
	ctx := context.Background()
	rt, err := runtime.New(ctx, &runtime.Options{Limits: tool.Limits{Time: 50 * time.Millisecond}})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close(ctx)
	mod, err := rt.LoadFile(ctx, "../testdata/hostile/attacks.wasm")
	if err != nil {
		log.Fatal(err)
	}
	loop, err := mod.Tool("loop")
	if err != nil {
		log.Fatal(err)
	}
	_, err = loop.Call(ctx, tool.Call{})
	fmt.Println(err)
	fmt.Println(errors.Is(err, tool.Timeout), errors.Is(err, tool.LimitTime), errors.Is(err, context.DeadlineExceeded))
	// Output:
	// the tool took too long: time limit of 50ms reached
	// true true true
}

// An approver is asked by a tool that is about to do something.
func Example_approval() {
	ctx := context.Background()
	approver := tool.ApproverFunc(func(_ context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
		fmt.Printf("%s asks: %s\n", req.Tool, req.Description)
		return tool.Decision{Verdict: tool.Edit, Text: "deploy shop 2.4.0 to production"}, nil
	})
	rt, err := runtime.New(ctx, &runtime.Options{Approval: runtime.Approval{Approver: approver}})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close(ctx)
	mod, err := rt.LoadFile(ctx, "../examples/deploy/deploy.wasm")
	if err != nil {
		log.Fatal(err)
	}
	deploy, err := mod.Tool("deploy")
	if err != nil {
		log.Fatal(err)
	}
	res, err := deploy.Call(ctx, tool.Call{Arguments: []byte(`{"service":"shop","version":"2.4.1","environment":"production"}`)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.60s...\n", res.Text())
	// Output:
	// deploy asks: deploy shop 2.4.1 to production
	// {"service":"shop","version":"2.4.0","environment":"productio...
}

func ExampleInspect() {
	bin, err := os.ReadFile("../testdata/guests/echo.wasm")
	if err != nil {
		log.Fatal(err)
	}
	info, err := runtime.Inspect(bin)
	if err != nil {
		log.Fatal(err)
	}
	for _, imp := range info.Imports {
		fmt.Println(imp.Module, imp.Name)
	}
	// Output:
	// wasmtools_v1 input
	// wasmtools_v1 read
	// wasmtools_v1 write
}
