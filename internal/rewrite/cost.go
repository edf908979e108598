package rewrite

// What things cost, in units of fuel. An ordinary instruction costs 1, whatever it is; the others are dearer in about the
// proportion of their time. A change here changes what every module uses: it has to be said in the release notes.
const (
	costCall     = 6  // and what the function that is called costs
	costIndirect = 16 // knows nothing of the function, which may be one that is not charged by itself
	costImport   = 16 // the host charges for its own work
	costThrow    = 64
	costDivide   = 8 // of integers
	costRoot     = 4 // of floating point numbers, and their division
	costAtomic   = 8
	costVector   = 2

	// What a function's frame takes of the machine's stack, at most: the more code, the more values there can be to keep. In a
	// function that may recurse it costs 1 for each 64 bytes of the body, and of the operand stack where it is highest.
	frameBytes   = 64
	bytesOfValue = 8

	// A bulk instruction costs its length: 8 bytes or one element are 1, and a page of memory is 1024 if it is new.
	shiftBytes    = 3
	shiftElements = 0
	growPage      = 1024
)

// Distances, in the same units.
const (
	// A path is charged at its start, for the dearest way that it may take. So that little is charged for ways not taken, what
	// is behind this distance is charged when it is reached.
	maxCharge = 512

	// A function without loops that costs no more, calls included, is not charged by itself but where it is called.
	maxCheap = 64

	// A path is checked after this distance: it is what the longest function gets between two checks.
	maxUnchecked = 20_000

	// What a function costs, calls included, is known up to this. It is assumed that one dearer than that has used up the
	// distance to the next check.
	maxKnown = 10_000

	// A function that may recurse can come back from far down without a check. After a call of one, a check is due here.
	maxAfterCall = 128

	// A function that reaches its first loop within this distance is charged for the way there with the loop.
	maxPrologue = 8

	// A constant length of a bulk instruction up to this is a part of the path.
	maxStaticBulk = 4096
)

// newCosts returns the costs of the instructions without a prefix.
func newCosts() *[256]uint8 {
	m := &[256]uint8{}
	for op := range m {
		m[op] = 1
	}
	for _, op := range []opcode{opNop, opBlock, opLoop, opElse, opEnd} { // nothing is compiled from these
		m[op] = 0
	}
	for _, op := range []byte{0x6d, 0x6e, 0x6f, 0x70, 0x7f, 0x80, 0x81, 0x82} {
		m[op] = costDivide
	}
	for _, op := range []byte{0x91, 0x95, 0x9f, 0xa3} {
		m[op] = costRoot
	}
	m[opThrow], m[opThrowRef] = costThrow, costThrow
	return m
}

// cost is what an instruction costs, calls and bulk instructions apart.
func (w *rewriter) cost(op opcode) uint32 {
	switch op >> 8 {
	case 0:
		return uint32(w.costs[op])
	case prefixVector:
		return costVector
	case prefixAtomic:
		return costAtomic
	}
	return 1
}

// bulk is an instruction whose work is its last operand.
type bulk struct {
	shift uint8 // of the length, to the right
	times int64 // each unit then costs
	table bool
}

// bulkOf tells whether the instruction is one whose work depends on its last operand.
func bulkOf(op opcode) (bulk, bool) {
	if op < prefixMisc<<8 && op != opMemoryGrow { // nearly always
		return bulk{}, false
	}
	switch op {
	case opMemoryCopy, opMemoryFill, opMemoryInit:
		return bulk{shiftBytes, 1, false}, true
	case opTableCopy, opTableFill, opTableInit, opTableGrow:
		return bulk{shiftElements, 1, true}, true
	case opMemoryGrow:
		return bulk{0, growPage, false}, true
	}
	return bulk{}, false
}
