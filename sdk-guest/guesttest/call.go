//go:build !wasm

package guesttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/wasmtools/wasmtools/abi"
	guest "github.com/wasmtools/wasmtools/sdk-guest"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/host"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/module"
	"github.com/wasmtools/wasmtools/sdk-guest/schema"
)

// Options say what the host knows and does. Nil is the zero value.
type Options struct {
	CallID   string
	MemoryID string
	Params   map[string]any // must be representable as JSON

	// Approve answers the tool's questions: with what was decided, guest.ErrRejected or guest.ErrDenied. Nil denies.
	Approve func(text string) (guest.Decision, error)
}

// Result is what a tool answered.
type Result struct {
	// Text is what the model gets: the text parts of the content joined by newlines, the JSON, or the error's message.
	Text string

	// Content has the parts of the result.
	Content []abi.Part

	// Structured is the result as JSON, nil if there is none.
	Structured json.RawMessage

	// Attributes are for the application.
	Attributes map[string]json.RawMessage

	// Error is set if the tool reports a failure.
	Error *abi.Error

	// Logs are the records that the tool logged.
	Logs []Record

	// Asked are the texts that the tool requested approval for.
	Asked []string
}

// Record is one log record.
type Record struct {
	Level   slog.Level
	Message string
	Attrs   string // a JSON object, or empty
}

// Module returns the description of the registered tools, or what is wrong with their registration.
func Module() (abi.Module, error) {
	var m abi.Module
	text, ok := module.Registered().Spec()
	if !ok {
		return m, errors.New(text)
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return m, fmt.Errorf("spec: %w", err)
	}
	return m, nil
}

// Call runs a tool once. A failure that the tool reports is in Result.Error. The error says that the call could not be made:
// the registration is wrong, there is no such tool, the arguments do not satisfy its schema, or the options lack
// what it needs. A tool that panics, panics.
func Call(tool, arguments string, o *Options) (*Result, error) {
	if o == nil {
		o = &Options{}
	}
	m, err := Module()
	if err != nil {
		return nil, err
	}
	for i, t := range m.Tools {
		if t.Name != tool {
			continue
		}
		input, err := prepare(t, arguments, o)
		if err != nil {
			return nil, fmt.Errorf("call %q: %w", tool, err)
		}
		s, err := newSession(input, o)
		if err != nil {
			return nil, fmt.Errorf("call %q: %w", tool, err)
		}
		return s.result(module.Registered().Execute(host.Host{Functions: s}, int32(i)))
	}
	return nil, fmt.Errorf("call %q: the module has no such tool", tool)
}

// prepare returns what the guest reads.
func prepare(t abi.Tool, arguments string, o *Options) (string, error) {
	for _, name := range t.Inject {
		param, isParam := strings.CutPrefix(name, abi.InjectParam)
		if _, ok := o.Params[param]; isParam && !ok || !isParam && o.MemoryID == "" {
			return "", fmt.Errorf("the tool needs %q and the options have none", name)
		}
	}
	if t.Input == abi.InputText {
		return text(arguments), nil
	}
	if strings.TrimSpace(arguments) == "" {
		arguments = "{}"
	}
	if err := schema.Check(t.InputSchema, []byte(arguments)); err != nil {
		return "", fmt.Errorf("arguments: %w", err)
	}
	return arguments, nil
}

// text returns the argument "input" of a tool that takes text: a string as it is, another value as JSON, and arguments
// without it as they came. It does what the host does, but for arguments with duplicate names.
func text(arguments string) string {
	arguments = strings.TrimPrefix(arguments, "\ufeff")
	var in map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &in) != nil || len(in["input"]) == 0 || string(in["input"]) == "null" {
		return arguments
	}
	var input string
	if json.Unmarshal(in["input"], &input) == nil {
		return input
	}
	var compact bytes.Buffer
	if json.Compact(&compact, in["input"]) != nil {
		return arguments
	}
	return compact.String()
}
