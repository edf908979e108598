package runtime

import (
	"context"
	"sync"

	"github.com/wasmtools/wasmtools/tool"
)

// pool lends instances to calls, and bounds what all of them take. One call has an instance at a time; when it gives it back,
// the instance is as the module's snapshot again, or destroyed.
//
// As many guests run at once as there are cores. A call that waits in a host function, or has run for a while, makes room
// for another one but keeps its instance: so guests share the cores as goroutines do, and short calls find caches warm.
type pool struct {
	cores  int
	limits TotalLimits

	mu      sync.Mutex
	running int             // instances that hold a core
	lent    int64           // instances in use
	memory  int64           // linear memory of all instances, idle ones included
	waiting []chan struct{} // calls, in order; closed when its turn has come
	oldest  *instance       // idle instances of all modules, in the order of their last use
	newest  *instance
	idle    int64
}

func newPool(cores int, limits TotalLimits) *pool { return &pool{cores: cores, limits: limits} }

// enter waits until one instance more may be used, and run. The error says how ctx ended.
func (p *pool) enter(ctx context.Context) error {
	p.mu.Lock()
	if len(p.waiting) == 0 && p.room() {
		p.running++
		p.lent++
		p.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	p.waiting = append(p.waiting, turn)
	p.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, w := range p.waiting {
		if w == turn {
			p.waiting = append(p.waiting[:i], p.waiting[i+1:]...)
			return contextError(ctx).WithHint("the call waited for others to end: there is a limit of %d instances in Options.Totals", p.limits.Instances)
		}
	}
	p.leave(true) // its turn came at that moment
	return contextError(ctx)
}

// room tells whether one more may go ahead. The caller holds mu.
func (p *pool) room() bool {
	return p.running < p.cores && !tool.Exceeded(p.limits.Instances, p.lent+1)
}

// exit ends what enter began. The core may have been given up before.
func (p *pool) exit(core bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leave(core)
}

func (p *pool) leave(core bool) {
	p.lent--
	if core {
		p.running--
	}
	p.next()
}

// yield gives up the core of a call that goes on.
func (p *pool) yield() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	p.next()
}

// next lets those go ahead whose turn it is. The caller holds mu.
func (p *pool) next() {
	for len(p.waiting) > 0 && p.room() {
		close(p.waiting[0])
		p.waiting[0] = nil
		p.waiting = p.waiting[1:]
		p.running++
		p.lent++
	}
}

// reserve takes memory off what is left, for which it destroys idle instances if need be. It reports whether there was enough.
func (p *pool) reserve(bytes int64) bool {
	for {
		p.mu.Lock()
		if !tool.Exceeded(p.limits.Memory, p.memory+bytes) {
			p.memory += bytes
			p.mu.Unlock()
			return true
		}
		victim := p.oldest
		if victim == nil {
			p.mu.Unlock()
			return false
		}
		p.unlist(victim)
		p.mu.Unlock()
		victim.destroy()
	}
}

func (p *pool) unreserve(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.memory -= bytes
}

// outOfMemory is the error of an instance that wanted so much memory more than was left.
func (p *pool) outOfMemory(bytes int64) *tool.LimitError {
	p.mu.Lock()
	defer p.mu.Unlock()
	return &tool.LimitError{Name: tool.LimitTotalMemory, Max: p.limits.Memory, Actual: p.memory + bytes}
}

// take returns the module's idle instance that was used last, or nil.
func (p *pool) take(c *compiled) *instance {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(c.idle)
	if n == 0 {
		return nil
	}
	inst := c.idle[n-1]
	p.unlist(inst)
	return inst
}

// put keeps an instance for later calls. It reports false if there are enough, or the module is not used any more: then the
// instance is still the caller's.
func (p *pool) put(inst *instance) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := inst.compiled
	if c.gone || len(c.idle) >= 4*p.cores {
		return false
	}
	c.idle = append(c.idle, inst)
	inst.older, inst.newer = p.newest, nil
	if p.newest != nil {
		p.newest.newer = inst
	} else {
		p.oldest = inst
	}
	p.newest = inst
	p.idle++
	return true
}

// unlist takes an idle instance out of the pool. The caller holds mu.
func (p *pool) unlist(inst *instance) {
	c := inst.compiled
	for i := len(c.idle) - 1; i >= 0; i-- {
		if c.idle[i] == inst {
			c.idle = append(c.idle[:i], c.idle[i+1:]...)
			break
		}
	}
	if inst.older != nil {
		inst.older.newer = inst.newer
	} else {
		p.oldest = inst.newer
	}
	if inst.newer != nil {
		inst.newer.older = inst.older
	} else {
		p.newest = inst.older
	}
	inst.older, inst.newer = nil, nil
	p.idle--
}

// wantsOne tells whether an instance of the module is to be made for later, and by nobody else.
func (p *pool) wantsOne(c *compiled) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.refilling || c.gone || len(c.idle) > 0 {
		return false
	}
	c.refilling = true
	return true
}

func (p *pool) refilled(c *compiled) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.refilling = false
}

// drain destroys the idle instances of a module that is not used any more, and lets it have no others.
func (p *pool) drain(c *compiled) {
	p.mu.Lock()
	c.gone = true
	idle := append([]*instance(nil), c.idle...)
	for _, inst := range idle {
		p.unlist(inst)
	}
	p.mu.Unlock()
	for _, inst := range idle {
		inst.destroy()
	}
}
