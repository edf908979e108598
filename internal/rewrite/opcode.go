package rewrite

// opcode is an instruction. One with a prefix has the prefix in its upper byte.
type opcode uint16

// The instructions that something is done about.
const (
	opUnreachable        opcode = 0x00
	opNop                opcode = 0x01
	opBlock              opcode = 0x02
	opLoop               opcode = 0x03
	opIf                 opcode = 0x04
	opElse               opcode = 0x05
	opThrow              opcode = 0x08
	opThrowRef           opcode = 0x0a
	opEnd                opcode = 0x0b
	opBr                 opcode = 0x0c
	opBrIf               opcode = 0x0d
	opBrTable            opcode = 0x0e
	opReturn             opcode = 0x0f
	opCall               opcode = 0x10
	opCallIndirect       opcode = 0x11
	opReturnCall         opcode = 0x12
	opReturnCallIndirect opcode = 0x13
	opCallRef            opcode = 0x14
	opReturnCallRef      opcode = 0x15
	opTryTable           opcode = 0x1f
	opLocalGet           opcode = 0x20
	opLocalSet           opcode = 0x21
	opLocalTee           opcode = 0x22
	opGlobalGet          opcode = 0x23
	opGlobalSet          opcode = 0x24
	opTableSet           opcode = 0x26
	opMemorySize         opcode = 0x3f
	opMemoryGrow         opcode = 0x40
	opI32Const           opcode = 0x41
	opI64Const           opcode = 0x42
	opI32Eqz             opcode = 0x45
	opI32GtU             opcode = 0x4b
	opI64Eqz             opcode = 0x50
	opI64LtS             opcode = 0x53
	opI64GtU             opcode = 0x56
	opI32Add             opcode = 0x6a
	opI32Sub             opcode = 0x6b
	opI64Add             opcode = 0x7c
	opI64Sub             opcode = 0x7d
	opI64Mul             opcode = 0x7e
	opI64Shl             opcode = 0x86
	opI64ShrU            opcode = 0x88
	opI64ExtendI32U      opcode = 0xad
	opRefFunc            opcode = 0xd2
	opBrOnNull           opcode = 0xd5
	opBrOnNonNull        opcode = 0xd6

	opMemoryInit opcode = 0xfc08
	opDataDrop   opcode = 0xfc09
	opMemoryCopy opcode = 0xfc0a
	opMemoryFill opcode = 0xfc0b
	opTableInit  opcode = 0xfc0c
	opElemDrop   opcode = 0xfc0d
	opTableCopy  opcode = 0xfc0e
	opTableGrow  opcode = 0xfc0f
	opTableSize  opcode = 0xfc10
	opTableFill  opcode = 0xfc11

	opV128Const    opcode = 0xfd0c
	opAtomicWait32 opcode = 0xfe01
	opAtomicWait64 opcode = 0xfe02
	opAtomicFence  opcode = 0xfe03
)

// The prefixes of the instructions of two bytes.
const (
	prefixMisc   = 0xfc
	prefixVector = 0xfd
	prefixAtomic = 0xfe
)

// immediate is what follows the first byte of an instruction.
type immediate byte

const (
	immUnknown immediate = iota // not an instruction
	immNone
	immBlock    // block type; opens a block
	immTry      // block type and catch clauses; opens a block
	immElse     // nothing; in an if only
	immEnd      // nothing; closes a block
	immLabel    // label
	immLabels   // labels and a default one
	immFunc     // function
	immIndirect // type and table
	immType     // type
	immLocal    // local
	immGlobal   // global
	immIndex    // table or tag: nothing is added to these, so the compiler's check is enough
	immMemArg   // alignment and offset
	immMemory   // the byte 0
	immI32
	immI64
	immF32
	immF64
	immSelect // one value type, with its count
	immHeap   // heap type
	immPrefix // the rest of the opcode, and what belongs to that
)

// newImmediates returns what follows each first byte.
func newImmediates() *[256]immediate {
	m := &[256]immediate{
		opUnreachable: immNone, opNop: immNone, opBlock: immBlock, opLoop: immBlock, opIf: immBlock, opElse: immElse,
		opThrow: immIndex, opThrowRef: immNone, opEnd: immEnd, opBr: immLabel, opBrIf: immLabel, opBrTable: immLabels,
		opReturn: immNone, opCall: immFunc, opCallIndirect: immIndirect, opReturnCall: immFunc,
		opReturnCallIndirect: immIndirect, opCallRef: immType, opReturnCallRef: immType,
		0x1a: immNone, 0x1b: immNone, 0x1c: immSelect, opTryTable: immTry,
		0x20: immLocal, 0x21: immLocal, 0x22: immLocal, opGlobalGet: immGlobal, opGlobalSet: immGlobal,
		0x25: immIndex, opTableSet: immIndex, 0x3f: immMemory, opMemoryGrow: immMemory,
		opI32Const: immI32, opI64Const: immI64, 0x43: immF32, 0x44: immF64,
		0xd0: immHeap, 0xd1: immNone, opRefFunc: immFunc, 0xd4: immNone, opBrOnNull: immLabel, opBrOnNonNull: immLabel,
		prefixMisc: immPrefix, prefixVector: immPrefix, prefixAtomic: immPrefix,
	}
	for op := 0x28; op <= 0x3e; op++ { // loads and stores
		m[op] = immMemArg
	}
	for op := 0x45; op <= 0xc4; op++ { // arithmetic
		m[op] = immNone
	}
	return m
}
