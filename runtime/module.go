package runtime

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/wasmtools/wasmtools/tool"
)

// Module is a loaded module. Close it when it is no longer needed.
type Module struct {
	name     string
	runtime  *Runtime
	compiled *compiled

	mu     sync.Mutex
	closed bool
	calls  int // under way; the code is released when it is 0 and closed is true
}

func newModule(r *Runtime, c *compiled, name string) *Module {
	return &Module{name: name, runtime: r, compiled: c}
}

// Name returns the name that the module was loaded under.
func (m *Module) Name() string { return m.name }

// Info returns what is known of the module.
func (m *Module) Info() Info {
	info := m.compiled.info
	info.Imports, info.Exports = slices.Clone(info.Imports), slices.Clone(info.Exports)
	rewriting := *info.Rewriting
	info.Rewriting = &rewriting
	return info
}

// Tools returns the module's tools in the order in which it lists them.
func (m *Module) Tools() []tool.Tool {
	tools := make([]tool.Tool, len(m.compiled.tools))
	for i := range tools {
		tools[i] = &wasmTool{m, i}
	}
	return tools
}

// Tool returns the tool of that exact name. The name may be empty if the module holds one tool only. The error is
// tool.NotFound.
func (m *Module) Tool(name string) (tool.Tool, error) {
	if name == "" && len(m.compiled.tools) == 1 {
		return &wasmTool{m, 0}, nil
	}
	var names []string
	for i, t := range m.compiled.tools {
		if t.spec.Name == name {
			return &wasmTool{m, i}, nil
		}
		names = append(names, t.spec.Name)
	}
	if name == "" {
		return nil, tool.Errorf(tool.NotFound, "module %q holds %d tools: name one of them", m.name, len(names)).
			WithHint("its tools are %s", strings.Join(names, ", "))
	}
	return nil, tool.Errorf(tool.NotFound, "module %q holds no tool %q", m.name, name).
		WithHint("its tools are %s", strings.Join(names, ", "))
}

// begin registers a call. The caller calls end when it is over.
func (m *Module) begin() error {
	if err := m.runtime.begin(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		m.runtime.calls.Done()
		return tool.Errorf(tool.Closed, "module %q is closed", m.name)
	}
	m.calls++
	return nil
}

func (m *Module) end() {
	m.mu.Lock()
	m.calls--
	last := m.closed && m.calls == 0
	m.mu.Unlock()
	if last {
		m.runtime.release(m.compiled)
	}
	m.runtime.calls.Done()
}

// Close releases the module. Calls that run go on to their end; new ones fail with tool.Closed. It returns nil.
func (m *Module) Close(context.Context) error {
	m.mu.Lock()
	first := !m.closed
	m.closed = true
	idle := m.calls == 0
	m.mu.Unlock()
	if first && idle {
		m.runtime.release(m.compiled)
	}
	return nil
}
