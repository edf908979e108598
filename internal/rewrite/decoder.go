package rewrite

import (
	"errors"
	"fmt"

	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// bounds are how many of each thing the module has by itself. An index past them could name what the rewriter adds.
type bounds struct {
	types, funcs, globals uint32
}

// decoder reads a function body instruction by instruction. It checks all that the rewriter relies on: that every encoding
// has one reading only, that blocks nest, and that no index leaves its bounds. Types are for the compiler to check.
//
// What a compiler may read in another way is refused, even where it is valid, such as an opcode written longer than it needs
// to be: both must see the same instructions.
type decoder struct {
	bounds
	limits     Limits
	immediates *[256]immediate
	r          *binary.Reader
	locals     uint32
	blocks     []opcode // that are open, the outermost being the function

	// The present instruction.
	at     int // where it starts
	op     opcode
	closed opcode   // of an end: what starts the block
	index  uint32   // of a function, a local, a global or the type of a function that is called by reference
	block  int64    // type of a block, by its index, or negative
	arg    int      // where the index starts
	value  int64    // of i32.const and i64.const
	labels []uint32 // of a branch, or the start of a block: of its catch clauses, counted from the block around it
}

// body starts a function body behind its locals.
func (d *decoder) body(r *binary.Reader, locals uint32) {
	d.r, d.locals = r, locals
	d.blocks = append(d.blocks[:0], opBlock)
}

// next reads one instruction. It returns false behind the last one and after an error.
func (d *decoder) next() bool {
	if len(d.blocks) == 0 || d.r.Err() != nil {
		return false
	}
	d.at = d.r.Pos()
	d.op = opcode(d.r.Byte())
	if kind := d.immediates[d.op]; kind != immNone {
		d.operands(kind)
	}
	return d.r.Err() == nil
}

// finish checks that the body ends where it should.
func (d *decoder) finish() error {
	if err := d.r.End(); err != nil {
		return fmt.Errorf("instruction %#x at %d: %w", uint16(d.op), d.at, err)
	}
	return nil
}

func (d *decoder) operands(kind immediate) {
	r := d.r
	switch kind {
	case immLocal:
		d.index = r.Index(d.locals, "local")
	case immBlock:
		d.labels = d.labels[:0]
		d.block = r.BlockType(d.types)
		d.open()
	case immTry:
		d.labels = d.labels[:0]
		d.try()
	case immElse:
		d.otherwise()
	case immEnd:
		d.closed = d.blocks[len(d.blocks)-1]
		d.blocks = d.blocks[:len(d.blocks)-1]
	case immLabel:
		d.labels = d.labels[:0]
		d.label()
	case immLabels:
		d.labels = d.labels[:0]
		d.table()
	case immFunc:
		d.arg = r.Pos()
		d.index = r.Index(d.funcs, "function")
	case immIndirect:
		d.index = r.Index(d.types, "type")
		r.U32()
	case immType:
		d.index = r.Index(d.types, "type")
	case immGlobal:
		d.index = r.Index(d.globals, "global")
	case immIndex:
		r.U32()
	case immPrefix:
		d.prefixed()
	default:
		d.constant(kind)
	}
}

// constant reads what is no index.
func (d *decoder) constant(kind immediate) {
	r := d.r
	switch kind {
	case immMemArg:
		d.memArg()
	case immMemory:
		r.Expect(0)
	case immI32:
		d.value = r.Varint(32)
	case immI64:
		d.value = r.Varint(64)
	case immF32:
		r.Bytes(4)
	case immF64:
		r.Bytes(8)
	case immSelect:
		r.Expect(1)
		r.ValType(d.types)
	case immHeap:
		r.HeapType(d.types)
	default:
		r.Fail(errors.New("not an instruction"))
	}
}

func (d *decoder) open() {
	d.r.Fail(exceeded(WhatDepth, d.limits.Depth, len(d.blocks)))
	d.blocks = append(d.blocks, d.op)
}

func (d *decoder) otherwise() {
	if d.blocks[len(d.blocks)-1] != opIf {
		d.r.Fail(errors.New("else without if"))
		return
	}
	d.blocks[len(d.blocks)-1] = opElse
}

func (d *decoder) label() {
	d.labels = append(d.labels, d.r.Index(uint32(len(d.blocks)), "label"))
}

func (d *decoder) table() {
	n := d.r.Count()
	d.r.Fail(exceeded(WhatTargets, d.limits.Targets, n))
	for ; n >= 0 && d.r.Err() == nil; n-- {
		d.label()
	}
}

// try reads a try_table. Its catch clauses branch from outside of it.
func (d *decoder) try() {
	d.block = d.r.BlockType(d.types)
	n := d.r.Count()
	d.r.Fail(exceeded(WhatCatches, d.limits.Targets, n))
	for ; n > 0 && d.r.Err() == nil; n-- {
		switch kind := d.r.Byte(); kind {
		case 0, 1: // catch, catch_ref
			d.r.U32()
			d.label()
		case 2, 3: // catch_all, catch_all_ref
			d.label()
		default:
			d.r.Fail(fmt.Errorf("catch clause %#x is not known", kind))
		}
	}
	d.open()
}

func (d *decoder) memArg() {
	if align := d.r.U32(); align >= 32 {
		d.r.Fail(fmt.Errorf("alignment %d is not known", align))
	}
	d.r.U32()
}

// prefixed reads the rest of an instruction of two bytes.
func (d *decoder) prefixed() {
	prefix, r := d.op, d.r
	if prefix == prefixMisc {
		d.op = prefix<<8 | opcode(r.Index(uint32(opTableFill&0xff)+1, "instruction"))
		d.misc()
		return
	}
	sub := r.Byte()
	d.op = prefix<<8 | opcode(sub)
	switch prefix {
	case prefixVector:
		// From 0x80 on the number takes two bytes. Some compilers read one, and the other as a nop, which is what it would be.
		if sub >= 0x80 {
			r.Expect(1)
		}
		d.vector(sub)
	case prefixAtomic:
		switch {
		case sub >= 0x80:
			r.Fail(errors.New("not an instruction"))
		case d.op == opAtomicFence:
			r.Expect(0)
		default:
			d.memArg()
		}
	}
}

func (d *decoder) misc() {
	r := d.r
	switch d.op {
	case opMemoryInit:
		d.index = r.U32()
		r.Expect(0)
	case opDataDrop, opElemDrop, opTableGrow, opTableSize, opTableFill:
		r.U32()
	case opMemoryCopy:
		r.Expect(0)
		r.Expect(0)
	case opMemoryFill:
		r.Expect(0)
	case opTableInit, opTableCopy:
		r.U32()
		r.U32()
	}
}

func (d *decoder) vector(sub byte) {
	switch {
	case sub <= 11, sub == 92, sub == 93: // loads and stores
		d.memArg()
	case sub <= 13: // const, shuffle
		d.r.Bytes(16)
	case sub >= 21 && sub <= 34: // lanes
		d.r.Byte()
	case sub >= 84 && sub <= 91: // loads and stores of lanes
		d.memArg()
		d.r.Byte()
	}
}
