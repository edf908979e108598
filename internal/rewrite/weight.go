package rewrite

// newWeights returns what the instructions without a prefix take, in microseconds, and what they leave on the stack more than
// they pop. Those of blocks, branches and calls depend on types.
func newWeights() *[256]weight {
	m := &[256]weight{}
	set := func(from, to byte, micros uint8, stack int8) {
		for op := int(from); op <= int(to); op++ {
			m[op] = weight{micros, stack}
		}
	}
	const plain, memory, table = 3, 15, 20
	set(0x00, 0xff, plain, 0)
	set(0x1a, 0x1a, 0, -1)       // drop
	set(0x1b, 0x1c, plain, -2)   // select
	set(0x20, 0x20, 1, 1)        // local.get
	set(0x21, 0x21, 1, -1)       // local.set
	set(0x23, 0x23, plain, 1)    // global.get
	set(0x24, 0x24, plain, -1)   // global.set
	set(0x25, 0x25, table, 0)    // table.get
	set(0x26, 0x26, table, -2)   // table.set
	set(0x28, 0x35, memory, 0)   // loads
	set(0x36, 0x3e, memory, -2)  // stores
	set(0x3f, 0x3f, plain, 1)    // memory.size
	set(0x41, 0x44, plain, 1)    // constants
	set(0x46, 0x4f, plain, -1)   // comparisons, the unary ones apart
	set(0x51, 0x66, plain, -1)   // comparisons
	set(0x6a, 0x6c, plain, -1)   // of i32
	set(0x6d, 0x70, 25, -1)      // divisions
	set(0x71, 0x78, plain, -1)   //
	set(0x7c, 0x7e, plain, -1)   // of i64
	set(0x7f, 0x82, 25, -1)      // divisions
	set(0x83, 0x8a, plain, -1)   //
	set(0x92, 0x98, plain+2, -1) // of f32
	set(0xa0, 0xa6, plain+2, -1) // of f64
	set(0xa8, 0xab, 30, 0)       // truncations
	set(0xae, 0xb1, 30, 0)       //
	set(0xb2, 0xbb, plain+2, 0)  // conversions
	set(0xd0, 0xd0, plain, 1)    // ref.null
	set(0xd2, 0xd2, table, 1)    // ref.func
	return m
}

// vectorWeight does the same for vectors.
func vectorWeight(op opcode) weight {
	const plain, memory = 8, 12
	switch sub := op & 0xff; {
	case sub <= 10, sub == 92, sub == 93: // loads
		return weight{memory, 0}
	case sub == 11, sub >= 88 && sub <= 91: // stores
		return weight{memory, -2}
	case sub >= 84 && sub <= 87: // loads of a lane
		return weight{memory, -1}
	case sub == 12:
		return weight{plain, 1}
	case sub == 82: // bitselect
		return weight{plain, -2}
	case isUnary(byte(sub)):
		return weight{plain, 0}
	}
	return weight{plain, -1}
}

// isUnary tells whether an instruction on vectors, by its number, takes one operand.
func isUnary(sub byte) bool {
	switch sub {
	case 15, 16, 17, 18, 19, 20, 21, 22, 24, 25, 27, 29, 31, 33, 77, 83, 94, 95, // splat, extract, not, any_true, demote, promote
		96, 97, 98, 99, 100, 103, 104, 105, 106, 116, 117, 122, 124, 125, 126, 127, // i8x16 and roundings
		128, 129, 131, 132, 135, 136, 137, 138, 148, // i16x8
		160, 161, 163, 164, 167, 168, 169, 170, // i32x4
		192, 193, 195, 196, 199, 200, 201, 202, // i64x2
		224, 225, 227, 236, 237, 239, 248, 249, 250, 251, 252, 253, 254, 255: // floating point, conversions
		return true
	}
	return false
}

// atomicWeight does the same for atomic instructions.
func atomicWeight(op opcode) weight {
	const memory = 20
	switch sub := op & 0xff; {
	case sub == 3, sub >= 0x10 && sub <= 0x16: // fence, loads
		return weight{memory, 0}
	case sub == 1, sub == 2, sub >= 0x17 && sub <= 0x1d, sub >= 0x48: // wait, stores, cmpxchg
		return weight{memory, -2}
	}
	return weight{memory, -1}
}

// miscWeight does the same for saturating truncations and bulk instructions.
func miscWeight(op opcode) weight {
	switch op {
	case opMemoryInit, opMemoryCopy, opMemoryFill, opTableInit, opTableCopy, opTableFill:
		return weight{90, -3}
	case opTableGrow:
		return weight{90, -1}
	case opDataDrop, opElemDrop:
		return weight{20, 0}
	case opTableSize:
		return weight{20, 1}
	}
	return weight{40, 0}
}

// prefixedWeight is what an instruction with a prefix takes by itself.
func prefixedWeight(op opcode) weight {
	switch op >> 8 {
	case prefixVector:
		return vectorWeight(op)
	case prefixAtomic:
		return atomicWeight(op)
	}
	return miscWeight(op)
}

// weigh adds the effort for the present instruction, which costs some fuel.
func (w *rewriter) weigh(cost uint32) {
	d, e := &w.decoder, &w.effort
	e.advance(cost)
	switch d.op {
	case opBlock, opTryTable, opIf, opLoop:
		w.weighBlock()
	case opElse:
		e.otherwise()
	case opEnd:
		e.end()
	case opBr, opBrIf, opBrTable, opBrOnNull, opBrOnNonNull:
		w.weighBranch()
	case opReturn, opUnreachable, opThrow, opThrowRef:
		e.spent += uint64(len(e.frames)) * perFrame
		e.now = place{}
	case opCall, opReturnCall:
		w.weighCall(w.module.FuncTypes[d.index], d.index < w.imported)
	case opCallIndirect, opCallRef, opReturnCallIndirect, opReturnCallRef:
		e.height--
		if e.now.alive {
			e.spent += 50_000
		}
		w.weighCall(d.index, false)
	default:
		w.weighPlain()
	}
	if e.spent > e.limit {
		d.r.Fail(exceeded(WhatComplexity, w.limits.Complexity, micros(e.spent)))
	}
}

func (w *rewriter) weighBlock() {
	d, e := &w.decoder, &w.effort
	if d.op == opIf {
		e.height--
	}
	params, results := 0, 0
	switch {
	case d.block >= 0:
		t := w.module.Types[d.block]
		params, results = len(t.Params), len(t.Results)
	case d.block != emptyType:
		results = 1
	}
	if e.now.alive {
		e.spent += perInstruction + uint64(results)*perArgument
	}
	e.spent += uint64(params+results) * perDead
	if d.op == opLoop {
		e.loop(params, results)
		return
	}
	e.open(d.op, params, results)
	if d.op == opIf && e.now.alive {
		e.under()
	}
}

func (w *rewriter) weighBranch() {
	d, e := &w.decoder, &w.effort
	if d.op != opBr {
		e.height--
	}
	for _, label := range d.labels {
		e.branch(label, d.op == opBrTable)
	}
	switch {
	case d.op == opBr, d.op == opBrTable:
		e.now = place{}
	case e.now.alive:
		e.under()
	}
}

func (w *rewriter) weighCall(index uint32, imported bool) {
	t := w.module.Types[index]
	w.effort.call(len(t.Params), len(t.Results), imported)
	switch w.decoder.op {
	case opReturnCall, opReturnCallIndirect, opReturnCallRef:
		w.effort.now = place{}
	}
}

func (w *rewriter) weighPlain() {
	d, e := &w.decoder, &w.effort
	var what weight
	if d.op < 256 {
		what = e.weight[d.op]
	} else {
		what = prefixedWeight(d.op)
	}
	e.raise(int(what.stack))
	if !e.now.alive {
		e.spent += perDead
		return
	}
	e.spent += uint64(what.micros)*1000 + (e.now.depth+e.shifts)*perName
	switch op := d.op; {
	case op == opLocalGet:
		e.get(d.index)
	case op == opGlobalGet:
		e.look()
	case op == opLocalSet, op == opLocalTee:
		e.sets++
		e.settle(d.index, false)
	case op >= 0x28 && op <= 0x3e, op>>8 == prefixVector && what.micros > 8, op>>8 == prefixAtomic:
		e.look()
		e.now.known++
	case op >= 0x74 && op <= 0x76, op >= 0x86 && op <= 0x88: // shifts
		if !e.shifting {
			e.shifts++
		}
	}
	e.shifting = d.op == opI32Const && d.value&31 != 0 || d.op == opI64Const && d.value&63 != 0
	if _, ok := bulkOf(d.op); ok {
		e.bulk()
	}
}
