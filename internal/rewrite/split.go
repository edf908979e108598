package rewrite

import "github.com/wasmtools/wasmtools/internal/wasm/binary"

// A bulk instruction over much memory runs for many milliseconds, and nothing can end it. So where its length can be large, and
// is, the module calls a function that does the same in pieces, which are charged and checked one by one. Such functions are
// added behind all others: one for memory.fill, one for memory.copy, and one for each large segment of memory.init.

// piece is the length of one piece, in bytes: 256 KiB take some tens of microseconds.
const piece = 1 << 18

// splitter is an added function, of type (i32 i32 i32) -> (), that takes the operands of the instruction.
type splitter struct {
	op      opcode
	segment uint32 // of memory.init
}

// splitterOf returns the number of the added function for the present instruction, if it is one that is split.
func (w *rewriter) splitterOf() (uint32, bool) {
	s := splitter{op: w.decoder.op}
	switch s.op {
	case opMemoryFill, opMemoryCopy:
	case opMemoryInit:
		s.segment = w.decoder.index
		if int(s.segment) >= len(w.lengths) || w.lengths[s.segment] <= piece {
			return 0, false
		}
	default:
		return 0, false
	}
	for i, other := range w.splitters {
		if s == other {
			return uint32(i), true
		}
	}
	w.splitters = append(w.splitters, s)
	return uint32(len(w.splitters) - 1), true
}

// bulkType is the index of the type of the added functions.
func (w *rewriter) bulkType() uint32 { return uint32(len(w.module.Types)) + 1 }

// added is the index of an added function: the mark is the first, and those that do pieces follow.
func (w *rewriter) added(n uint32) uint32 { return uint32(len(w.module.FuncTypes)) + 1 + n }

// markType is the index of the type of the mark.
func (w *rewriter) markType() uint32 { return uint32(len(w.module.Types)) + 2 }

// split appends what is before an instruction that is split: if its length is over a piece, the added function is called
// instead. The operands are on the stack.
func (w *rewriter) split(b []byte, local, splitter uint32) []byte {
	b = binary.AppendU32(append(b, byte(opLocalTee)), local)
	b = binary.AppendU32(append(b, byte(opLocalGet)), local)
	b = binary.AppendS64(append(b, byte(opI32Const)), piece)
	b = binary.AppendS64(append(b, byte(opI32GtU), byte(opIf)), int64(w.bulkType()))
	b = binary.AppendU32(append(b, byte(opCall)), w.added(1+splitter))
	return append(b, byte(opElse))
}

// The parameters of an added function. The second is a value, an address or a place in a segment.
const (
	paramTo = iota
	paramFrom
	paramLength
)

// splitterBody appends the body of an added function.
//
// The instruction traps before it writes anything if a part of its range is not there. So does the function: it runs the
// instruction as it is where memory ends before the range does, and with a length of 0 at the end of the range where that
// may be behind the end of the segment.
func (w *rewriter) splitterBody(b []byte, s splitter) []byte {
	a := assembler{w, []byte{0}} // no locals
	a.ifBeyondMemory(paramTo, s)
	switch s.op {
	case opMemoryCopy:
		a.ifBeyondMemory(paramFrom, s)
		a.local(opLocalGet, paramTo).local(opLocalGet, paramFrom).ops(opI32GtU, opIf).raw(emptyBlock)
		a.backwards(s)
		a.ops(opElse)
		a.forwards(s, paramTo, paramFrom)
		a.ops(opEnd)
	case opMemoryInit:
		a.ifWraps(s)
		a.end(paramTo).end(paramFrom).constant(0).instruction(s)
		a.forwards(s, paramTo, paramFrom)
	default:
		a.forwards(s, paramTo)
	}
	a.operands(s)
	a.ops(opEnd)
	b = binary.AppendU32(b, uint32(len(a.code)))
	return append(b, a.code...)
}

// assembler appends instructions.
type assembler struct {
	w    *rewriter
	code []byte
}

func (a *assembler) ops(ops ...opcode) *assembler {
	for _, op := range ops {
		a.code = append(a.code, byte(op))
	}
	return a
}

func (a *assembler) raw(bytes ...byte) *assembler {
	a.code = append(a.code, bytes...)
	return a
}

func (a *assembler) local(op opcode, n uint32) *assembler {
	a.code = binary.AppendU32(append(a.code, byte(op)), n)
	return a
}

func (a *assembler) constant(n int64) *assembler {
	a.code = binary.AppendS64(append(a.code, byte(opI32Const)), n)
	return a
}

// instruction appends the bulk instruction itself.
func (a *assembler) instruction(s splitter) *assembler {
	a.code = binary.AppendU32(append(a.code, byte(s.op>>8)), uint32(s.op&0xff))
	switch s.op {
	case opMemoryInit:
		a.code = append(binary.AppendU32(a.code, s.segment), 0)
	case opMemoryCopy:
		a.code = append(a.code, 0, 0)
	default:
		a.code = append(a.code, 0)
	}
	return a
}

// operands appends the instruction with what the parameters are now.
func (a *assembler) operands(s splitter) {
	a.local(opLocalGet, paramTo).local(opLocalGet, paramFrom).local(opLocalGet, paramLength)
	a.charge()
	a.instruction(s)
}

// charge appends: fuel -= paramLength / 8, and a check.
func (a *assembler) charge() {
	a.code = a.w.global(a.code, opGlobalGet)
	a.local(opLocalGet, paramLength).ops(opI64ExtendI32U, opI64Const).raw(shiftBytes).ops(opI64ShrU, opI64Sub)
	a.code = a.w.check(a.w.global(a.code, opGlobalSet), false)
}

// chargePiece appends the same for a piece.
func (a *assembler) chargePiece() {
	a.code = a.w.global(a.code, opGlobalGet)
	a.code = binary.AppendS64(append(a.code, byte(opI64Const)), piece>>shiftBytes)
	a.ops(opI64Sub)
	a.code = a.w.check(a.w.global(a.code, opGlobalSet), false)
}

// end appends the sum of a parameter and the length.
func (a *assembler) end(param uint32) *assembler {
	return a.local(opLocalGet, param).local(opLocalGet, paramLength).ops(opI32Add)
}

// end64 appends the same as 64 bits, which do not wrap.
func (a *assembler) end64(param uint32) *assembler {
	a.local(opLocalGet, param).ops(opI64ExtendI32U)
	return a.local(opLocalGet, paramLength).ops(opI64ExtendI32U, opI64Add)
}

// ifBeyondMemory appends: if the range from the parameter on is not in memory, the instruction as it is, which traps.
func (a *assembler) ifBeyondMemory(param uint32, s splitter) {
	a.end64(param).ops(opMemorySize).raw(0).ops(opI64ExtendI32U, opI64Const).raw(16).ops(opI64Shl, opI64GtU, opIf).raw(emptyBlock)
	a.whole(s)
	a.ops(opEnd)
}

// ifWraps appends: if the range in the segment is beyond 32 bits, the instruction as it is, which traps.
func (a *assembler) ifWraps(s splitter) {
	a.end64(paramFrom).ops(opI64Const).raw(32).ops(opI64ShrU, opI64Eqz, opI32Eqz, opIf).raw(emptyBlock)
	a.whole(s)
	a.ops(opEnd)
}

// whole appends the instruction with all of its length.
func (a *assembler) whole(s splitter) {
	a.local(opLocalGet, paramTo).local(opLocalGet, paramFrom).local(opLocalGet, paramLength)
	a.instruction(s)
}

// forwards appends a loop that does all pieces but the last, and moves the parameters on.
func (a *assembler) forwards(s splitter, moving ...uint32) {
	a.ops(opLoop).raw(emptyBlock)
	a.chargePiece()
	a.local(opLocalGet, paramTo).local(opLocalGet, paramFrom).constant(piece)
	a.instruction(s)
	for _, param := range moving {
		a.local(opLocalGet, param).constant(piece).ops(opI32Add).local(opLocalSet, param)
	}
	a.shorten().again()
}

// backwards appends a loop that does the pieces from the end on, but the first.
func (a *assembler) backwards(s splitter) {
	a.ops(opLoop).raw(emptyBlock)
	a.chargePiece()
	a.shorten()
	a.end(paramTo).end(paramFrom).constant(piece)
	a.instruction(s)
	a.again()
}

func (a *assembler) shorten() *assembler {
	return a.local(opLocalGet, paramLength).constant(piece).ops(opI32Sub).local(opLocalSet, paramLength)
}

// again appends the end of a loop that goes on while there is more than a piece left.
func (a *assembler) again() {
	a.local(opLocalGet, paramLength).constant(piece).ops(opI32GtU, opBrIf).raw(0).ops(opEnd)
}
