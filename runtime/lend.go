package runtime

import "context"

// lend returns an instance of the module, which is as its snapshot, for one call. It waits until there is room for one.
func (r *Runtime) lend(ctx context.Context, c *compiled) (*instance, error) {
	if err := r.pool.enter(ctx); err != nil {
		return nil, err
	}
	inst := r.pool.take(c)
	if inst == nil {
		var err error
		if inst, err = r.snapshotInstance(c); err != nil {
			r.pool.exit(true)
			return nil, err
		}
	}
	inst.state.core = true
	return inst, nil
}

// heavy is how large a memory is whose restoring may take milliseconds, in bytes.
const heavy = 16 << 20

// giveBack ends a call's use of an instance. No call waits until a large one is restored.
func (r *Runtime) giveBack(inst *instance, sound bool) {
	c := inst.compiled
	if inst.memory.peak < heavy || !r.retainAgain(c) {
		r.takeBack(inst, sound)
		return
	}
	go func() { // ends when the instance is restored or destroyed
		defer r.calls.Done()
		defer r.release(c)
		r.takeBack(inst, sound)
	}()
}

// takeBack keeps an instance for another call if it is sound and can be restored.
func (r *Runtime) takeBack(inst *instance, sound bool) {
	c, core := inst.compiled, inst.state.core
	sound = sound && !inst.state.doubt && c.restorable()
	kept := sound && inst.restore() && r.pool.put(inst)
	r.pool.exit(core)
	if kept {
		return
	}
	inst.destroy()
	if !sound {
		r.refill(c)
	}
}

// refill makes an instance for a later call, where the last one could not be kept, so that no call waits for that.
func (r *Runtime) refill(c *compiled) {
	if !r.pool.wantsOne(c) {
		return
	}
	if !r.retainAgain(c) {
		r.pool.refilled(c)
		return
	}
	go func() { // ends when the instance is made
		defer r.calls.Done()
		defer r.release(c)
		inst, err := r.snapshotInstance(c)
		if err == nil && !r.pool.put(inst) {
			inst.destroy()
		}
		r.pool.refilled(c)
	}()
}

// retainAgain takes one reference more to a module in use, and keeps Close waiting until the caller calls r.calls.Done.
func (r *Runtime) retainAgain(c *compiled) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || c.refs == 0 {
		return false
	}
	c.refs++
	r.calls.Add(1)
	return true
}
