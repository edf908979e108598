package runtime

import "github.com/wasmtools/wasmtools/internal/snapshot"

// Compiled returns how many modules r holds machine code for.
func Compiled(r *Runtime) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.modules)
}

// References returns how many Modules and loads they are shared by.
func References(r *Runtime) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, c := range r.modules {
		n += c.refs
	}
	return n
}

// Running returns how many calls of m are under way.
func Running(m *Module) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls
}

// Mapped returns what r has mapped of memory.
func Mapped(r *Runtime) snapshot.Usage { return r.snapshots.Usage() }

// AddMonotonic makes the monotonic clock of guests that are loaded from now on go fast, by what since returns.
func AddMonotonic(r *Runtime, since func() int64) {
	now := r.engine.monotonicTime
	r.engine.monotonicTime = func() int64 { return now() + since() }
}
