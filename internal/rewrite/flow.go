package rewrite

// flow is how control gets to a place in a function.
type flow struct {
	origin    int32  // the charge that the place is on the path of, or none
	dist      uint32 // cost of the dearest way from there
	unchecked uint32 // cost of the dearest way from the last check
	local     bool   // the local holds the fuel, whichever way control came
}

// none is the origin of a place that control does not get to.
const none = -1

func nowhere() flow { return flow{origin: none} }

func (f flow) alive() bool { return f.origin != none }

// charge is a place where fuel is taken: for the dearest way from there to the next such place.
type charge struct {
	cost  uint32
	kind  chargeKind
	local bool // the local holds the fuel, and is to hold what is left
}

// chargeKind says what a charge does besides.
type chargeKind byte

const (
	pay   chargeKind = iota // nothing
	check                   // calls the host if the fuel is used up
	head                    // does so at the head of a loop that it can go back to
)

// frame is a block that is open.
type frame struct {
	op     opcode
	before flow   // at its start; of an if, with the condition false
	in     flow   // by the branches to its end
	joined bool   // in comes from several charges, so that a new one is due
	loops  uint32 // how many loops are open, this one included
}

// meter follows the control flow of one function and decides where to charge what. It charges each way through the function
// at least what its instructions cost, and as little more as it can without charging everywhere.
//
// Branches go forward but to loops, so one pass suffices. Each loop is charged by itself, at its head; the way on behind the
// loop belongs to the path that led to it.
type meter struct {
	charges []charge
	frames  []frame
	loops   []flow // at the start of each open loop
	now     flow

	straight bool  // nothing but plain instructions since the function's start
	prologue int32 // the charge of a loop that the function starts with, or none
}

// start begins a function. Its entry is charge 0.
func (m *meter) start(kind chargeKind) {
	m.charges = append(m.charges[:0], charge{kind: kind})
	m.frames = append(m.frames[:0], frame{op: opBlock, in: nowhere()})
	m.loops = m.loops[:0]
	m.now = flow{}
	m.straight, m.prologue = true, none
}

// due tells whether a charge has to be placed before the next instruction.
func (m *meter) due() bool {
	return m.now.alive() && (m.now.dist >= maxCharge || m.now.unchecked >= maxUnchecked+maxAfterCall)
}

// place starts a charge here and returns its number.
func (m *meter) place(kind chargeKind) int32 {
	m.close(m.now)
	if kind == pay && m.now.unchecked >= maxUnchecked {
		kind = check
	}
	if kind != pay {
		m.now.unchecked = 0
	}
	m.charges = append(m.charges, charge{kind: kind, local: m.now.local})
	m.now.origin, m.now.dist = int32(len(m.charges)-1), 0
	return m.now.origin
}

// close ends a path: what it starts with is charged for all of it.
func (m *meter) close(f flow) {
	if f.alive() {
		c := &m.charges[f.origin]
		c.cost = max(c.cost, f.dist)
	}
}

// spend goes on by a cost.
func (m *meter) spend(cost uint32) {
	m.now.dist += cost
	m.now.unchecked += cost
}

// called goes on behind a call that may have gone far since the last check.
func (m *meter) called() {
	m.now.unchecked = max(m.now.unchecked, maxUnchecked)
	m.straight = false
}

// stop ends the path.
func (m *meter) stop() {
	m.close(m.now)
	m.now = nowhere()
	m.straight = false
}

// open starts a block. That of a loop still needs its charge.
func (m *meter) open(op opcode) {
	m.frames = append(m.frames, frame{op: op, before: m.now, in: nowhere(), loops: uint32(len(m.loops))})
	if op == opIf {
		m.straight = false
	}
}

// loop starts a loop, with a charge of its own where control gets to it. In a tight one the local holds the fuel throughout. At
// the head of another it may be out of date, because of a turn before.
func (m *meter) loop(kind chargeKind, tight bool) (int32, bool) {
	m.now.local = tight
	m.loops = append(m.loops, m.now)
	m.open(opLoop)
	if !m.now.alive() {
		return none, false
	}
	straight := m.straight
	n := m.place(kind)
	if straight {
		m.prologue, m.straight = n, false
	}
	return n, true
}

// branch is a way to the end of a block, or to the head of a loop.
func (m *meter) branch(label uint32) {
	m.straight = false
	if !m.now.alive() {
		return
	}
	to := &m.frames[len(m.frames)-1-int(label)]
	if to.op == opLoop {
		m.close(m.now)
		return
	}
	m.merge(to, m.leave(m.now, to.loops))
}

// throw is a way from anywhere in the block that is about to start to the end of one around it.
func (m *meter) throw(label uint32) {
	m.straight = false
	to := &m.frames[len(m.frames)-1-int(label)]
	if m.now.alive() && to.op != opLoop {
		f := m.leave(m.now, to.loops)
		f.unchecked, f.local = max(f.unchecked, maxUnchecked), false
		m.merge(to, f)
		to.joined = true // instructions before the throw are paid for, but not counted as a part of this way
	}
}

// leave is the flow at a place outside of the loops that are open beyond the first n: for a loop's inside its own charges
// pay, so the way on is one from the loop's start.
func (m *meter) leave(f flow, n uint32) flow {
	if int(n) == len(m.loops) {
		return f
	}
	m.close(f)
	before := m.loops[n]
	return flow{before.origin, before.dist, f.unchecked, f.local}
}

func (m *meter) merge(to *frame, f flow) {
	switch {
	case !f.alive():
		return
	case !to.in.alive():
		to.in = f
		return
	case to.in.origin != f.origin:
		m.close(f)
		to.joined = true
	default:
		to.in.dist = max(to.in.dist, f.dist)
	}
	to.in.unchecked = max(to.in.unchecked, f.unchecked)
	to.in.local = to.in.local && f.local
}

// otherwise goes from the first arm of an if to the second.
func (m *meter) otherwise() {
	f := &m.frames[len(m.frames)-1]
	m.merge(f, m.now)
	f.op = opElse
	m.now = f.before
}

// end closes the innermost block. It returns the number of a charge that is due behind it, if there is one.
func (m *meter) end() (int32, bool) {
	f := &m.frames[len(m.frames)-1]
	if f.op == opLoop {
		if m.now.alive() {
			m.now = m.leave(m.now, f.loops-1)
		}
		m.loops = m.loops[:f.loops-1]
	}
	if f.op == opIf {
		m.merge(f, f.before)
	}
	m.merge(f, m.now)
	m.now = f.in
	joined := f.joined
	m.frames = m.frames[:len(m.frames)-1]
	if len(m.frames) == 0 {
		m.close(m.now)
		return none, false
	}
	if !joined {
		return none, false
	}
	return m.place(pay), true
}

// finish settles the charges at the function's entry. A function that starts with a loop needs no check before it, and what
// is before the loop, if it is little, is charged with the loop.
func (m *meter) finish() {
	if m.prologue == none {
		return
	}
	entry := &m.charges[0]
	entry.kind = pay
	if entry.cost <= maxPrologue {
		m.charges[m.prologue].cost += entry.cost
		entry.cost = 0
	}
}
