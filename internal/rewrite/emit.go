package rewrite

import "github.com/wasmtools/wasmtools/internal/wasm/binary"

// emit appends the body of a function with the edits that instrument noted.
func (w *rewriter) emit(out []byte, p *profile) []byte {
	b := w.locals(w.scratch[:0], p)
	last := uint32(p.bodyAt)
	for _, e := range w.edits {
		b = append(b, p.body[last:e.at]...)
		last = e.end
		switch e.kind {
		case editIndex:
			b = binary.AppendU32(b, e.n)
		case editBulk:
			b = w.chargeLength(b, p.locals, opcode(e.n))
		case editSplit:
			b = w.split(b, p.locals, e.n)
		case editSplitEnd:
			b = append(b, byte(opEnd))
		case editLoad:
			b = binary.AppendU32(append(w.get(b, false), byte(opLocalSet)), w.local)
		case editCharge:
			b = w.charge(b, w.meter.charges[e.n])
		}
	}
	b = append(b, p.body[last:]...)
	w.scratch = b
	out = binary.AppendU32(out, uint32(len(b)))
	return append(out, b...)
}

// locals appends the declarations of a function's locals, with one more for the length of a bulk instruction, and one for the
// fuel, if need be.
func (w *rewriter) locals(b []byte, p *profile) []byte {
	var bulk, load uint32
	for _, e := range w.edits {
		switch e.kind {
		case editBulk:
			bulk = 1
		case editLoad:
			load = 1
		}
	}
	w.local = p.locals + bulk
	b = append(binary.AppendU32(b, p.groups+bulk+load), p.declared...)
	if bulk > 0 {
		b = append(b, 1, binary.I32)
	}
	if load > 0 {
		b = append(b, 1, binary.I64)
	}
	return b
}

// charge appends: fuel -= cost, and the check if there is to be one.
func (w *rewriter) charge(b []byte, c charge) []byte {
	if c.cost == 0 && c.kind == pay {
		return b
	}
	b = binary.AppendS64(append(w.get(b, c.local), byte(opI64Const)), int64(c.cost))
	b = w.set(append(b, byte(opI64Sub)), c.local)
	switch c.kind {
	case pay:
		w.report.Charges++
		return b
	case head:
		w.report.Checks++
		return w.retry(b, c)
	}
	w.report.Checks++
	return w.check(b, c.local)
}

// chargeLength appends: fuel -= length of the bulk instruction that follows, and a check. The length is the last operand.
func (w *rewriter) chargeLength(b []byte, local uint32, op opcode) []byte {
	w.report.Checks++
	u, _ := bulkOf(op)
	b = binary.AppendU32(append(b, byte(opLocalTee)), local)
	b = w.global(b, opGlobalGet)
	b = binary.AppendU32(append(b, byte(opLocalGet)), local)
	b = append(b, byte(opI64ExtendI32U))
	if u.shift > 0 {
		b = append(b, byte(opI64Const), u.shift, byte(opI64ShrU))
	}
	if u.times > 1 {
		b = append(binary.AppendS64(append(b, byte(opI64Const)), u.times), byte(opI64Mul))
	}
	return w.check(w.global(append(b, byte(opI64Sub)), opGlobalSet), false)
}

// check appends: if fuel < 0, fuel = out(fuel).
func (w *rewriter) check(b []byte, local bool) []byte {
	return append(w.set(w.refill(b, local), local), byte(opEnd))
}

// retry appends at the head of a loop: if fuel < 0, fuel = out(fuel) + cost, and the loop's head again, where the cost is
// taken once more. Compilers make better code of this than of check, because the way on has no second way that joins it.
func (w *rewriter) retry(b []byte, c charge) []byte {
	b = binary.AppendS64(append(w.refill(b, c.local), byte(opI64Const)), int64(c.cost))
	b = w.set(append(b, byte(opI64Add)), c.local)
	return append(b, byte(opBr), 1, byte(opEnd))
}

// refill appends: if fuel < 0, out(fuel).
func (w *rewriter) refill(b []byte, local bool) []byte {
	b = append(w.get(b, local), byte(opI64Const), 0, byte(opI64LtS), byte(opIf), emptyBlock)
	b = w.get(b, local)
	return binary.AppendU32(append(b, byte(opCall)), w.imported)
}

// emptyBlock is the type of a block without parameters and results.
const (
	emptyBlock = 0x40
	emptyType  = -0x40 // as a number
)

// global appends an access to the fuel.
func (w *rewriter) global(b []byte, op opcode) []byte {
	return binary.AppendU32(append(b, byte(op)), w.globals)
}
