package runtime

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/tool"
)

// TotalLimits bound all that a [Runtime] holds at a time, whoever calls. A zero field means the default named here,
// tool.Unlimited no limit.
type TotalLimits struct {
	Modules   int64 // modules that are loaded, the same bytes counted once; 1000
	Instances int64 // instances of modules; calls that need more wait in order, until their context ends; 1000
	Memory    int64 // linear memory of all instances together, in bytes; 4 GiB

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
	Memory    int64 // linear memory of all instances together, in bytes
	Abandoned int64 // host functions that were left behind and have not come back
	Late      int64 // those that came back since the runtime was made; what they returned was dropped
}

// totals is what a Runtime counts over all calls. It is safe for concurrent use.
type totals struct {
	limits    TotalLimits
	slots     *semaphore.Weighted // nil without a limit
	instances atomic.Int64
	memory    atomic.Int64
	leash     hostfuncs.Leash
}

func newTotals(limits TotalLimits) *totals {
	t := &totals{limits: limits}
	if limits.Instances >= 0 {
		t.slots = semaphore.NewWeighted(limits.Instances)
	}
	return t
}

// acquire waits for room for one instance more. The error says how ctx ended.
func (t *totals) acquire(ctx context.Context) error {
	if t.slots != nil {
		if err := t.slots.Acquire(ctx, 1); err != nil {
			return contextError(ctx).WithHint("all %d instances are in use: raise the limit in Options.Totals, or call less at a time", t.limits.Instances)
		}
	}
	t.instances.Add(1)
	return nil
}

func (t *totals) release() {
	t.instances.Add(-1)
	if t.slots != nil {
		t.slots.Release(1)
	}
}

// take reserves memory and reports whether there is room for it.
func (t *totals) take(bytes int64) bool {
	if sum := t.memory.Add(bytes); tool.Exceeded(t.limits.Memory, sum) {
		t.memory.Add(-bytes)
		return false
	}
	return true
}

func (t *totals) give(bytes int64) { t.memory.Add(-bytes) }

// outOfMemory is the error of an instance that wanted so much memory more than was left.
func (t *totals) outOfMemory(bytes int64) *tool.LimitError {
	return &tool.LimitError{Name: tool.LimitTotalMemory, Max: t.limits.Memory, Actual: t.memory.Load() + bytes}
}

// stuck returns the error for calls while too many host functions do not come back.
func (t *totals) stuck() error {
	n := t.leash.Abandoned()
	if !tool.Exceeded(t.limits.Abandoned, n) {
		return nil
	}
	return tool.Errorf(tool.Unavailable, "the host is overloaded").
		WithCause(&tool.LimitError{Name: tool.LimitAbandoned, Max: t.limits.Abandoned, Actual: n}).
		WithHint("find out why the logger or the approver does not return")
}

// Stats returns what r holds now.
func (r *Runtime) Stats() Stats {
	r.mu.Lock()
	modules := len(r.modules)
	r.mu.Unlock()
	return Stats{
		Modules: modules, Instances: r.totals.instances.Load(), Memory: r.totals.memory.Load(),
		Abandoned: r.totals.leash.Abandoned(), Late: r.totals.leash.Late(),
	}
}
