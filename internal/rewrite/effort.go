package rewrite

import (
	"math"
	"slices"

	"github.com/wasmtools/wasmtools/internal/wasm"
)

// effort estimates how long an optimising compiler takes for a function, in nanoseconds of an ordinary machine. It goes through
// the instructions as one does that builds static single assignment form block by block, finds dominators and allocates
// registers over the whole function. Most of what such a compiler does takes time in proportion to the size; the estimate is
// for the rest, where a small function can take hours. It is no less than what the worst functions take, and some times
// as much as ordinary ones take.
type effort struct {
	spent  uint64
	frames []span
	now    place
	weight *[256]weight

	limit uint64 // for a function
	total uint64 // of the functions before
	fixed uint64 // for each function
	most  uint64 // blocks that one of them has

	locals  []local // of the function
	undo    []undo  // what to forget when a span ends
	merges  []merge // in their order, and one more
	loops   []int   // the spans that are loops
	globals uint64  // that a call can change
	imports uint64
	height  int    // of the operand stack
	sets    uint64 // of locals, so far
	heads   int    // of loops, so far
	shifts  uint64 // that may be by zero: their result is another name of their operand
	blocks  uint64 // of the compiler, so far

	unchecked uint32 // what ran since the last check, roughly

	highest  int  // the operand stack was
	shifting bool // the last instruction pushed a constant that is not zero for a shift
}

// place is how far from the function's start a block of the compiler's is.
type place struct {
	alive bool
	depth uint64 // in the tree of dominators, at most
	since uint64 // the block in which several ways joined last
	chain uint64 // blocks since then: all of them are asked for the value of a local
	known uint64 // addresses that are known to be in bounds, at most
}

// span is a block of the module that is open.
type span struct {
	op              opcode
	base            int // of its part of the operand stack
	params, results int
	undo, merge     int      // that were there before it
	blocks, sets    uint64   // likewise
	heads           int      // likewise
	before          place    // of an if
	asked           []uint32 // of a loop: the locals that its head is asked for

	ways   uint64 // that lead to its end, or back to its head
	chains uint64 // their length
	since  uint64 // of the last
	least  place  // of theirs
}

// local is where the value of a local comes from, as far as that is the same on all ways.
type local struct {
	block uint64 // in which it was last set or asked for
	merge int    // the first one since then

	// The merges that it is asked for through, as far as is known: from first on, before last.
	first, last int
	live        uint64 // the last block for which what it takes to be alive is in the estimate, or in which it was set
}

type undo struct {
	local uint32
	get   bool
	block uint64
	merge int
	live  uint64
}

// merge is a block where several ways join. What is asked for behind it, and set before it, gets a value of its own there.
type merge struct {
	ways, chains uint64
	results      uint64
	most         uint64 // locals that can differ by the way
	more         int64  // locals that are asked for through it than through the one before
}

// weight is what an instruction takes by itself, and what it leaves on the stack.
type weight struct {
	micros uint8
	stack  int8
}

// What things take, in nanoseconds.
const (
	perInstruction = 3_000
	perCall        = 8_000
	perArgument    = 5_000 // or result, of a call or a branch
	perImport      = 2     // of the module, for each call of one
	perGlobal      = 1_000 // that is loaded again after each call
	perStep        = 24    // up the tree of dominators
	perName        = 4     // of a value that has many
	perDead        = 100   // instruction, parameter or result that control does not get to: it is still validated
	perLookup      = 50    // in a block, of a local
	perMerge       = 600   // local that is asked for in a block where several ways join, and way
	perPhi         = 8     // pair of such locals, and way
	perPair        = 2     // of ways to the same block
	perLive        = 150   // value, for each block
	perKnown       = 100   // address, for each block
	perLocal       = 2_000
	perTarget      = 10_000 // of a br_table
	perFrame       = 3      // that a branch leaves
)

// What things take in the module, in nanoseconds.
const (
	perType      = 15_000
	perTypeValue = 30_000 // that is a parameter or a result of a type
	perFunction  = 10_000
	perVariable  = 10 // global or import, for each function
	perMost      = 35 // block of the function with most of them, for each function: compilers do not shrink what they keep
)

// begin begins a module.
func (e *effort) begin(m *wasm.Module, globals, imports uint64, limit int) {
	*e = effort{weight: newWeights(), globals: globals, imports: imports, limit: math.MaxUint64}
	if limit >= 0 {
		e.limit = uint64(limit)*1000 + 999
	}
	e.fixed = perFunction + (globals+uint64(len(m.Imports)))*perVariable
	for _, t := range m.Types {
		e.total += perType + uint64(len(t.Params)+len(t.Results))*perTypeValue
	}
}

// ofModule is the effort for the functions so far, if there are n in all.
func (e *effort) ofModule(n uint64) uint64 { return e.total + n*(e.fixed+e.most*perMost) }

// start begins a function.
func (e *effort) start(locals uint32) {
	e.spent, e.blocks, e.height, e.highest = uint64(locals)*perLocal, 0, 0, 0
	e.sets, e.heads, e.shifts, e.shifting, e.unchecked = 0, 0, 0, false, 0
	e.locals = slices.Grow(e.locals[:0], int(locals))[:locals]
	clear(e.locals)
	e.now, e.frames, e.loops = place{alive: true}, e.frames[:0], e.loops[:0]
	e.undo, e.merges = e.undo[:0], append(e.merges[:0], merge{})
	e.open(opBlock, 0, 0)
}

// open starts a block of the module.
func (e *effort) open(op opcode, params, results int) {
	e.frames = append(e.frames, span{
		op: op, base: e.height - params, params: params, results: results, before: e.now,
		blocks: e.blocks, sets: e.sets, heads: e.heads, undo: len(e.undo), merge: len(e.merges) - 1,
		least: place{depth: math.MaxUint64, known: math.MaxUint64},
	})
}

// block starts a block of the compiler's.
func (e *effort) block(p place) {
	e.blocks++
	if p.chain == 0 {
		p.since = e.blocks
	}
	e.now = p
	e.spent += p.depth*perStep + uint64(e.height)*perLive + p.known*perKnown
}

// under starts a block that one way leads to.
func (e *effort) under() {
	e.spent += e.now.depth * perStep
	e.block(place{true, e.now.depth + 1, e.now.since, e.now.chain + 1, e.now.known})
}

// way leads to the end of a span, or back to its head.
func (e *effort) way(s *span) {
	if !e.now.alive {
		return
	}
	s.ways++
	s.chains += e.now.chain + 1
	s.since = e.now.since
	s.least.depth = min(s.least.depth, e.now.depth)
	s.least.known = min(s.least.known, e.now.known)
	e.spent += e.now.depth*perStep + s.ways*perPair
}

// join is where several ways join.
func (e *effort) join(m merge) {
	last := &e.merges[len(e.merges)-1]
	m.more = last.more
	*last = m
	e.merges = append(e.merges, merge{})
	e.spent += perInstruction
}

// ask notes that the value of a local is asked for through merges.
func (e *effort) ask(from, to int) {
	e.merges[from].more++
	e.merges[to].more--
}

// finish adds what merging takes, which depends on what is asked for behind.
func (e *effort) finish() {
	sum := int64(0)
	for _, m := range e.merges {
		sum += m.more
		n := min(uint64(sum), uint64(len(e.locals)))
		phis := min(n, m.most) + m.results
		e.spent += phis*phis*m.ways*perPhi + (n+m.results)*(m.ways*perMerge+m.chains*perLookup)
	}
}

// get is a use of a local.
func (e *effort) get(i uint32) {
	e.look()
	l := e.locals[i]
	if l.block == e.blocks { // often
		return
	}
	e.spent += (e.blocks - l.live) * perLive
	if l.block < e.now.since {
		e.miss(i)
	}
	e.settle(i, true)
}

// miss is a use of a local whose value is from before several ways joined.
func (e *effort) miss(i uint32) {
	l, now := &e.locals[i], len(e.merges)-1
	if l.merge > l.last {
		l.first, l.last = l.merge, l.merge
	}
	for j := len(e.loops) - 1; j >= 0; j-- {
		s := &e.frames[e.loops[j]]
		if s.merge < l.merge {
			break
		}
		if s.merge < l.first || s.merge >= l.last {
			s.asked = append(s.asked, i)
		}
		e.spent += perStep
	}
	if l.merge < l.first {
		e.ask(l.merge, l.first)
		l.first = l.merge
	}
	e.ask(l.last, now)
	l.last = now
}

// settle notes that the value of a local is known here: it was set or asked for.
func (e *effort) settle(i uint32, get bool) {
	l := &e.locals[i]
	if l.block == e.blocks {
		return
	}
	if len(e.frames) > 1 {
		e.undo = append(e.undo, undo{i, get, l.block, l.merge, l.live})
	}
	l.block, l.merge, l.live = e.blocks, len(e.merges)-1, e.blocks
}

// forget goes back to what was known of locals before: it does not hold on other ways.
func (e *effort) forget(mark int) {
	for i := len(e.undo) - 1; i >= mark; i-- {
		u, l := &e.undo[i], &e.locals[e.undo[i].local]
		l.block, l.merge = u.block, u.merge
		if !u.get {
			l.live = u.live
		}
	}
	e.undo = e.undo[:mark]
}

// loop starts a loop, with its check of the fuel.
func (e *effort) loop(params, results int) {
	if e.now.alive {
		e.spent += e.now.depth * perStep
		e.block(place{true, e.now.depth + 1, 0, 0, e.now.known})
	}
	e.open(opLoop, params, results)
	if e.now.alive {
		e.heads++
		e.loops = append(e.loops, len(e.frames)-1)
		e.join(merge{})
		e.check()
	}
}

// check is a branch around a call of an import.
func (e *effort) check() {
	around := e.now
	e.under()
	e.spent += 4*perInstruction + perCall + e.imports*perImport + e.globals*perGlobal
	e.spent += 2 * e.now.depth * perStep
	e.join(merge{ways: 2, chains: 2 * (around.chain + 1)})
	e.block(place{true, around.depth + 1, 0, 0, around.known})
	e.unchecked = 0
}

// advance goes on by what an instruction costs at run time. A check can be due then.
func (e *effort) advance(cost uint32) {
	if e.unchecked += cost; e.unchecked >= maxUnchecked+maxAfterCall && e.now.alive {
		e.check()
	}
}

// branch is a way to a block around.
func (e *effort) branch(label uint32, apart bool) {
	s := &e.frames[len(e.frames)-1-int(label)]
	if !e.now.alive {
		return
	}
	e.spent += uint64(label) * perFrame
	values := s.results
	if s.op == opLoop {
		values = s.params
	}
	e.spent += uint64(values) * perArgument
	if !apart {
		e.way(s)
		return
	}
	before := e.now
	e.under()
	e.way(s)
	e.spent += perTarget
	e.now = before
}

// otherwise goes from the first arm of an if to the second.
func (e *effort) otherwise() {
	s := &e.frames[len(e.frames)-1]
	e.way(s)
	e.forget(s.undo)
	s.op = opElse
	e.now, e.height = s.before, s.base+s.params
	if e.now.alive {
		e.under()
	}
}

// end closes the innermost block.
func (e *effort) end() {
	s := &e.frames[len(e.frames)-1]
	switch s.op {
	case opLoop:
		e.back(s)
	case opIf:
		e.way(s)
		e.now = s.before
		if e.now.alive {
			e.under()
		}
	}
	e.way(s)
	e.height = s.base + s.results
	next := place{alive: s.ways > 0, depth: s.least.depth + 1, known: s.least.known}
	switch {
	case s.ways == 1:
		next.chain = s.chains
		next.since = s.since
	case s.ways > 1:
		e.join(merge{ways: s.ways, chains: s.chains, results: uint64(s.results), most: e.differing(s)})
	}
	e.forget(s.undo)
	e.now = place{}
	if e.frames = e.frames[:len(e.frames)-1]; next.alive {
		e.block(next)
	}
}

// micros is a number of nanoseconds in microseconds.
func micros(nanos uint64) int { return int(min(nanos/1000, math.MaxInt32)) }

// differing is how many locals can differ by the way to the end of a span: those that were set in it, but what passes the
// head of a loop differs at first.
func (e *effort) differing(s *span) uint64 {
	if e.heads > s.heads {
		return math.MaxUint64
	}
	return e.sets - s.sets
}

// back ends what is in a loop: its head is the merge that it began with, and what was asked for there is asked for on the
// way back too.
func (e *effort) back(s *span) {
	if s.before.alive {
		e.loops = e.loops[:len(e.loops)-1]
		head := &e.merges[s.merge]
		head.ways, head.chains, head.results, head.most = s.ways+1, s.chains+1, uint64(s.params), math.MaxUint64
		for _, i := range s.asked {
			l := &e.locals[i]
			e.ask(l.last, len(e.merges)-1)
			l.last = len(e.merges) - 1
		}
		e.spent += uint64(len(s.asked)) * (e.blocks - s.blocks) * perLive
	}
	s.ways, s.chains, s.least = 0, 0, place{depth: math.MaxUint64, known: math.MaxUint64}
}

// call is a call of a function of a type.
func (e *effort) call(params, results int, imported bool) {
	e.raise(results - params)
	e.unchecked = max(e.unchecked+maxKnown, maxUnchecked) // what is called is not known yet
	e.advance(costCall)
	if !e.now.alive {
		e.spent += uint64(params+results) * perDead
		return
	}
	e.spent += perCall + uint64(params+results)*perArgument + e.globals*perGlobal + e.now.known
	if imported {
		e.spent += e.imports * perImport
	}
}

// bulk is an instruction that is made a loop of, with a check of the fuel before it.
func (e *effort) bulk() {
	if e.now.alive {
		e.check()
		for range 3 {
			e.under()
		}
	}
}

// raise changes the height of the operand stack.
func (e *effort) raise(n int) {
	if e.height += n; e.height > e.highest {
		e.highest = min(e.height, maxHeight)
		e.height = e.highest
	} else if e.height < 0 { // control does not get here
		e.height = 0
	}
}

// maxHeight is more than a compiler gets through.
const maxHeight = 1 << 24

// look is a use of a local, a global or the memory, whose value may be that of another block.
func (e *effort) look() {
	e.spent += e.now.chain * perLookup
}
