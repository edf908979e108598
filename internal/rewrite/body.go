package rewrite

import (
	"fmt"

	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// edit is a change to a function body, in the order of their places. It is small: there can be one for every two bytes.
type edit struct {
	at, end uint32 // what it replaces; an insertion replaces nothing
	n       uint32 // the charge, the function's new index, or the bulk instruction
	kind    editKind
}

type editKind byte

const (
	editCharge editKind = iota
	editIndex
	editBulk
	editSplit // n is the added function
	editSplitEnd
	editLoad
)

// instrument reads the body of the defined function i again and notes what to change.
func (w *rewriter) instrument(i uint32) error {
	p := &w.funcs[i]
	w.edits = w.edits[:0]
	kind := pay
	if p.recursive || p.cost > maxKnown {
		kind = check
	}
	w.meter.start(kind)
	if p.recursive { // others are never on the stack more than a few times
		w.meter.spend(p.frame)
	}
	w.loop = p.loops
	w.chargeAt(p, p.bodyAt, 0)
	r := binary.NewReader(p.body)
	r.Bytes(p.bodyAt)
	w.constant = -1
	for w.decoder.body(r, p.locals); w.decoder.next(); {
		w.instruction(p)
	}
	if err := w.decoder.finish(); err != nil {
		return fmt.Errorf("function %d: %w", w.imported+i, err)
	}
	w.meter.finish()
	return nil
}

// instruction notes what the present instruction needs.
func (w *rewriter) instruction(p *profile) {
	d, m := &w.decoder, &w.meter
	if m.due() && d.op != opEnd && d.op != opElse {
		w.chargeAt(p, d.at, m.place(pay))
	}
	constant := w.constant
	w.constant = -1
	m.spend(w.cost(d.op))
	switch d.op {
	case opBlock, opIf, opTryTable, opLoop, opElse, opEnd:
		w.structure(p)
	case opBr, opBrIf, opBrTable, opBrOnNull, opBrOnNonNull:
		for _, label := range d.labels {
			m.branch(label)
		}
		if d.op == opBr || d.op == opBrTable {
			m.stop()
		}
	case opReturn, opUnreachable, opThrow, opThrowRef:
		m.stop()
	case opCall, opReturnCall, opRefFunc:
		w.edits = append(w.edits, edit{uint32(d.arg), uint32(d.r.Pos()), w.shift(d.index), editIndex})
		w.direct()
	case opCallIndirect, opReturnCallIndirect, opCallRef, opReturnCallRef:
		m.spend(costIndirect)
		w.called(w.byType(d.index))
		m.now.local = false
		if d.op == opReturnCallIndirect || d.op == opReturnCallRef {
			m.stop()
		}
	case opI32Const:
		w.constant = int64(uint32(d.value))
	default:
		if b, ok := bulkOf(d.op); ok && m.now.alive() {
			w.bulkAt(b, constant)
		}
	}
}

// structure opens or closes a block.
func (w *rewriter) structure(p *profile) {
	d, m := &w.decoder, &w.meter
	switch d.op {
	case opLoop:
		kind := head
		if d.block >= 0 && w.module.Types[d.block].Params != "" { // a branch to it needs operands
			kind = check
		}
		tight := w.tight[w.loop]
		if w.loop++; tight {
			w.load()
		}
		if n, ok := m.loop(kind, tight); ok {
			w.report.Loops++
			w.chargeAt(p, d.r.Pos(), n)
		}
	case opElse:
		m.otherwise()
	case opEnd:
		if n, ok := m.end(); ok {
			w.chargeAt(p, d.r.Pos(), n)
		}
	default:
		for _, label := range d.labels { // of catch clauses
			m.throw(label)
		}
		m.open(d.op)
	}
}

// direct goes on behind a call of a function by its index.
func (w *rewriter) direct() {
	d, m := &w.decoder, &w.meter
	switch {
	case d.op == opRefFunc:
		return
	case d.index < w.imported:
		m.spend(costImport)
	default:
		m.spend(costCall)
		w.called(d.index - w.imported)
	}
	m.now.local = false
	if d.op == opReturnCall {
		m.stop()
	}
}

// called goes on behind a call of a function of the module.
func (w *rewriter) called(i uint32) {
	switch m, callee := &w.meter, &w.funcs[i]; {
	case callee.cheap:
		m.spend(callee.cost)
	case callee.recursive:
		m.called()
	default:
		m.now.unchecked += callee.cost
	}
}

// bulkAt charges an instruction by its last operand, before it runs: with the path if that is a small constant.
func (w *rewriter) bulkAt(b bulk, constant int64) {
	if constant >= 0 && constant <= maxStaticBulk && b.times == 1 {
		w.meter.spend(uint32(constant >> b.shift))
		return
	}
	splitter, split := w.splitterOf()
	if split {
		w.insert(w.decoder.at, splitter, editSplit)
	}
	w.insert(w.decoder.at, uint32(w.decoder.op), editBulk)
	if split {
		w.insert(w.decoder.r.Pos(), 0, editSplitEnd)
	}
	w.report.Bulk++
	w.meter.now.unchecked, w.meter.now.local = 0, false
}

// chargeAt notes where a charge goes. A cheap function is charged by its callers instead.
func (w *rewriter) chargeAt(p *profile, at int, n int32) {
	if !p.cheap {
		w.insert(at, uint32(n), editCharge)
	}
}

func (w *rewriter) insert(at int, n uint32, kind editKind) {
	w.edits = append(w.edits, edit{uint32(at), uint32(at), n, kind})
}
