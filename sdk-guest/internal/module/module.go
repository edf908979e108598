// Package module holds the tools of this guest module and answers the host's two questions, spec and execute.
//
// Like package host it stays free of fmt, reflect and encoding/json.
package module

import (
	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/host"
)

// Tool is one tool of the module.
type Tool struct {
	// Spec returns an abi.Tool as JSON, the same at every call, or says what is wrong with the registration.
	Spec func() (string, error)

	// Run reads the arguments, does the work, writes the output and returns its status.
	Run func(host.Host) abi.Status

	// WarmUp does what is the same for all calls. Nil means that there is nothing.
	WarmUp func()
}

// Tools are those of a module, in the order of their registration, which is the order of their indices.
type Tools struct {
	list    []Tool
	warmUps []func()
}

// registered are the tools of this module. A package variable is the only place for them: the host never runs main in
// a guest, so registration happens while the author's packages initialise, and the exports below take no argument that
// could lead to them. It changes during initialisation only.
var registered Tools

// Registered returns the tools of this module.
func Registered() *Tools { return &registered }

// Add appends a tool.
func (t *Tools) Add(tool Tool) { t.list = append(t.list, tool) }

// AddWarmUp adds a function that [Tools.WarmUp] calls.
func (t *Tools) AddWarmUp(fn func()) { t.warmUps = append(t.warmUps, fn) }

// WarmUp does what is the same for all calls. The host calls it while the module is loaded, any number of times.
func (t *Tools) WarmUp() {
	for _, tool := range t.list {
		if tool.WarmUp != nil {
			tool.WarmUp()
		}
	}
	for _, fn := range t.warmUps {
		fn()
	}
}

// Spec returns the description of the module. If ok is false, the text says what is wrong, one line for each tool.
func (t *Tools) Spec() (text string, ok bool) {
	var specs, wrong []byte
	for _, tool := range t.list {
		spec, err := tool.Spec()
		if err != nil {
			wrong = append(append(wrong, err.Error()...), '\n')
			continue
		}
		if len(specs) > 0 {
			specs = append(specs, ',')
		}
		specs = append(specs, spec...)
	}
	if len(wrong) > 0 {
		return string(wrong[:len(wrong)-1]), false
	}
	return `{"tools":[` + string(specs) + `]}`, true
}

// Execute runs the tool at that index.
func (t *Tools) Execute(h host.Host, index int32) abi.Status {
	if index < 0 || int(index) >= len(t.list) {
		h.Write("execute: the module has no tool of that index")
		return abi.NewStatus(abi.KindFailed, 0)
	}
	return t.list[index].Run(h)
}
