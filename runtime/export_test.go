package runtime

// Compiled returns how many modules r holds machine code for.
func Compiled(r *Runtime) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.modules)
}
