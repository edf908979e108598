package runtime

import "github.com/wasmtools/wasmtools/tool"

// TotalLimits bound all that a [Runtime] holds at a time, whoever calls. A zero field means the default named here,
// tool.Unlimited no limit.
type TotalLimits struct {
	Modules   int64 // modules that are loaded, the same bytes counted once; 1000
	Instances int64 // instances of modules; calls that need more wait in order, until their context ends; 1000
	Memory    int64 // linear memory of all instances together, idle ones included, which go when there is no room; in bytes; 4 GiB

	// Abandoned is how many host functions, such as loggers and approvers, may be left behind and still not have come back.
	// When there are more, something is stuck, and calls fail with tool.Unavailable; 100.
	Abandoned int64
}

func (l TotalLimits) withDefaults() TotalLimits {
	return TotalLimits{
		Modules: or(l.Modules, 1000), Instances: or(l.Instances, 1000), Memory: or(l.Memory, 4<<30), Abandoned: or(l.Abandoned, 100),
	}
}

func or[T ~int64](v, d T) T {
	if v == 0 {
		return d
	}
	return v
}

// Stats are what a [Runtime] holds at a moment, and what it has left behind.
type Stats struct {
	Modules   int   // loaded, the same bytes counted once
	Instances int64 // of modules, in use
	Idle      int64 // instances that wait for calls
	Memory    int64 // linear memory of all instances together, idle ones included, in bytes
	Abandoned int64 // host functions that were left behind and have not come back
	Late      int64 // those that came back since the runtime was made; what they returned was dropped
}

// stuck returns the error for calls while too many host functions do not come back.
func (r *Runtime) stuck() error {
	n := r.leash.Abandoned()
	if !tool.Exceeded(r.opts.Totals.Abandoned, n) {
		return nil
	}
	return tool.Errorf(tool.Unavailable, "the host is overloaded").
		WithCause(&tool.LimitError{Name: tool.LimitAbandoned, Max: r.opts.Totals.Abandoned, Actual: n}).
		WithHint("find out why the logger or the approver does not return")
}

// Stats returns what r holds now.
func (r *Runtime) Stats() Stats {
	r.mu.Lock()
	modules := len(r.modules)
	r.mu.Unlock()
	r.pool.mu.Lock()
	defer r.pool.mu.Unlock()
	return Stats{
		Modules: modules, Instances: r.pool.lent, Idle: r.pool.idle, Memory: r.pool.memory,
		Abandoned: r.leash.Abandoned(), Late: r.leash.Late(),
	}
}
