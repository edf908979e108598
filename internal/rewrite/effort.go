package rewrite

import (
	"math"

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

	total uint64 // of the functions before
	fixed uint64 // for each function
	most  uint64 // blocks that one of them has

	locals  uint64 // of the function
	globals uint64 // that a call can change
	imports uint64
	height  int    // of the operand stack
	uses    uint64 // of locals, so far
	sets    uint64
	shifts  uint64 // that may be by zero: their result is another name of their operand
	blocks  uint64 // of the compiler

	unchecked uint32 // what ran since the last check, roughly

	highest  int  // the operand stack was
	shifting bool // the last instruction pushed a constant that is not zero for a shift
}

// place is how far from the function's start a block of the compiler's is.
type place struct {
	alive bool
	depth uint64 // in the tree of dominators, at most
	chain uint64 // blocks since several ways joined: all of them are asked for the value of a local
	known uint64 // addresses that are known to be in bounds, at most
}

// span is a block of the module that is open.
type span struct {
	op              opcode
	base            int // of its part of the operand stack
	params, results int
	uses, sets      uint64 // before it
	before          place  // of an if

	ways   uint64 // that lead to its end, or back to its head
	chains uint64 // their length
	least  place  // of theirs
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
	perArgument    = 2_000 // or result, of a call or a branch
	perImport      = 2     // of the module, for each call of one
	perGlobal      = 1_000 // that is loaded again after each call
	perStep        = 24    // up the tree of dominators
	perName        = 4     // of a value that has many
	perDead        = 100   // instruction, parameter or result that control does not get to: it is still validated
	perLookup      = 50    // in a block, of a local
	perMerge       = 1_000 // of a local, in each block where several ways join
	perPhi         = 12    // for each pair of values that get to such a block, and each way
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
func (e *effort) begin(m *wasm.Module, globals, imports uint64) {
	*e = effort{weight: newWeights(), globals: globals, imports: imports}
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
	e.locals, e.uses, e.sets, e.shifts, e.shifting, e.unchecked = uint64(locals), 0, 0, 0, false, 0
	e.now, e.frames = place{alive: true}, e.frames[:0]
	e.open(opBlock, 0, 0)
}

// open starts a block of the module.
func (e *effort) open(op opcode, params, results int) {
	e.frames = append(e.frames, span{
		op: op, base: e.height - params, params: params, results: results, uses: e.uses, sets: e.sets, before: e.now,
		least: place{depth: math.MaxUint64, known: math.MaxUint64},
	})
}

// block starts a block of the compiler's.
func (e *effort) block(p place) {
	e.now = p
	e.blocks++
	e.spent += p.depth*perStep + (uint64(max(e.height, 0))+e.locals)*perLive + p.known*perKnown
}

// under starts a block that one way leads to.
func (e *effort) under() {
	e.spent += e.now.depth * perStep
	e.block(place{true, e.now.depth + 1, e.now.chain + 1, e.now.known})
}

// way leads to the end of a span, or back to its head.
func (e *effort) way(s *span) {
	if !e.now.alive {
		return
	}
	s.ways++
	s.chains += e.now.chain + 1
	s.least.depth = min(s.least.depth, e.now.depth)
	s.least.known = min(s.least.known, e.now.known)
	e.spent += e.now.depth*perStep + s.ways*perPair
}

// join is where the ways of a span meet: values values may differ by the way.
func (e *effort) join(s *span, values uint64) {
	e.spent += values*values*s.ways*perPhi + e.locals*(s.ways*perMerge+s.chains*perLookup) + perInstruction
}

// loop starts a loop, with its check of the fuel.
func (e *effort) loop(params, results int) {
	if e.now.alive {
		e.spent += e.now.depth * perStep
		e.block(place{true, e.now.depth + 1, 0, e.now.known})
		e.check()
	}
	e.open(opLoop, params, results)
}

// check is a branch around a call of an import.
func (e *effort) check() {
	around := e.now
	e.under()
	e.spent += 4*perInstruction + perCall + e.imports*perImport + e.globals*perGlobal
	e.spent += 2 * (e.now.depth*perStep + e.locals*perMerge)
	e.block(place{true, around.depth + 1, 0, around.known})
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
		e.join(s, min(e.uses-s.uses+e.sets-s.sets, e.locals)+uint64(s.params))
		s.ways, s.chains, s.least = 0, 0, place{depth: math.MaxUint64, known: math.MaxUint64}
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
	case s.ways > 1:
		e.join(s, min(e.sets-s.sets, e.locals)+uint64(s.results))
	}
	e.now = place{}
	if e.frames = e.frames[:len(e.frames)-1]; next.alive {
		e.block(next)
	}
}

// micros is a number of nanoseconds in microseconds.
func micros(nanos uint64) int { return int(min(nanos/1000, math.MaxInt32)) }

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

// maxHeight is more than a compiler gets through.
const maxHeight = 1 << 24

// raise changes the height of the operand stack.
func (e *effort) raise(n int) {
	e.height = min(max(e.height+n, 0), maxHeight)
	e.highest = max(e.highest, e.height)
}

// look is a use of a local, a global or the memory, whose value may be that of another block.
func (e *effort) look() {
	e.uses++
	e.spent += e.now.chain * perLookup
}
