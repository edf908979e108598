package runtime

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
