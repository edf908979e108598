// Package exampletest calls the tools of an example's built module as an application does.
package exampletest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// Module is a loaded module that lives as long as the test.
type Module struct {
	t      testing.TB
	module *runtime.Module
}

// Load loads the module in the file. Options may be nil.
func Load(t testing.TB, path string, o *runtime.Options) Module {
	t.Helper()
	rt, err := runtime.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	module, err := rt.LoadFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return Module{t, module}
}

// Tools returns the names and descriptions of the module's tools.
func (m Module) Tools() []string {
	var list []string
	for _, t := range m.module.Tools() {
		list = append(list, t.Spec().Name+": "+t.Spec().Description)
	}
	return list
}

// Call calls a tool with arguments as JSON.
func (m Module) Call(name, arguments string) (tool.Result, error) {
	m.t.Helper()
	called, err := m.module.Tool(name)
	if err != nil {
		m.t.Fatal(err)
	}
	return called.Call(m.t.Context(), tool.Call{ID: "call_1", Arguments: json.RawMessage(arguments)})
}

// Text calls a tool that is to succeed and returns what the model reads.
func (m Module) Text(name, arguments string) string {
	m.t.Helper()
	result, err := m.Call(name, arguments)
	if err != nil {
		m.t.Fatal(err)
	}
	if result.Error != nil {
		m.t.Fatal(result.Error)
	}
	return result.Text()
}

// Refused calls a tool that is to refuse its arguments, either by its schema or by itself, and returns the message.
func (m Module) Refused(name, arguments string) string {
	m.t.Helper()
	result, err := m.Call(name, arguments)
	if err == nil && result.Error != nil {
		err = result.Error
	}
	if tool.CodeOf(err) != tool.InvalidArguments {
		m.t.Fatalf("%s(%s): got %v, want %s", name, arguments, err, tool.InvalidArguments)
	}
	return err.Error()
}
