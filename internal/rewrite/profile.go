package rewrite

import (
	"fmt"

	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// profile is what the first reading of a function finds.
type profile struct {
	// looping says that the function has loops, or instructions that take as long as a loop.
	looping bool
	loops   int // of the functions before it

	// recursive says that it may get to itself again, as far as is known.
	recursive bool
	depth     int // of the calls from it, if it is not recursive

	// cheap says that its callers are charged for it, instead of the function.
	cheap bool

	// frame is what its part of the machine's stack costs.
	frame uint32

	// cost is that of each instruction once, up to just over maxKnown. If the function is not recursive, this includes the
	// functions that it calls.
	cost uint32

	calls []uint32 // the profiles of the defined functions that it calls, once for each time

	locals   uint32 // parameters and declared ones
	groups   uint32 // count of declarations
	declared []byte // the declarations
	bodyAt   int    // where in body the instructions start
	body     []byte
}

// add adds a cost.
func (p *profile) add(cost uint32) { p.cost = min(p.cost+cost, maxKnown+1) }

// profiles reads all function bodies.
func (w *rewriter) profiles() error {
	r := binary.NewReader(w.module.Sections[wasm.SectionCode])
	n := 0
	if r.Len() > 0 {
		n = r.Count()
	}
	if n != w.module.Funcs {
		return fmt.Errorf("%d functions have %d bodies", w.module.Funcs, n)
	}
	w.funcs = make([]profile, n, n+len(w.module.Types))
	w.effort.begin(w.module, uint64(w.globals), uint64(w.imported), w.limits.Complexity)
	for i := range n {
		body := r.Bytes(r.Count())
		if r.Err() != nil {
			return fmt.Errorf("function %d: %w", w.imported+uint32(i), r.Err())
		}
		if err := w.profile(uint32(i), body); err != nil {
			return fmt.Errorf("function %d: %w", w.imported+uint32(i), err)
		}
	}
	return r.End()
}

// profile reads the body of the defined function i.
func (w *rewriter) profile(i uint32, body []byte) error {
	if err := exceeded(WhatBody, w.limits.Body, len(body)); err != nil {
		return err
	}
	p := &w.funcs[i]
	p.body, p.recursive, p.loops = body, true, len(w.tight)
	w.open = w.open[:0]
	d := &w.decoder
	r := binary.NewReader(body)
	if err := w.localsOf(i, r); err != nil {
		return err
	}
	calls := len(w.calls)
	w.effort.start(p.locals)
	for d.body(r, p.locals); d.next(); {
		w.find(p)
		cost := w.cost(d.op)
		p.add(cost)
		w.weigh(cost)
	}
	p.frame = uint32((len(body) + w.effort.highest*bytesOfValue) / frameBytes)
	p.calls = w.calls[calls:len(w.calls):len(w.calls)]
	if err := d.finish(); err != nil {
		return err
	}
	w.effort.finish()
	return w.addEffort()
}

// addEffort adds the effort for a function to that for the module.
func (w *rewriter) addEffort() error {
	e := &w.effort
	if err := exceeded(WhatComplexity, w.limits.Complexity, micros(e.spent)); err != nil {
		return err
	}
	w.report.Complexity = max(w.report.Complexity, micros(e.spent))
	e.total += e.spent
	e.most = max(e.most, e.blocks)
	return w.checkEffort()
}

func (w *rewriter) checkEffort() error {
	w.report.Effort = micros(w.effort.ofModule(uint64(w.module.Funcs)))
	return exceeded(WhatEffort, w.limits.Effort, w.report.Effort)
}

// localsOf reads the declarations of locals.
func (w *rewriter) localsOf(i uint32, r *binary.Reader) error {
	p := &w.funcs[i]
	sum := int64(len(w.module.Types[w.module.FuncTypes[w.imported+i]].Params))
	groups := r.Count()
	start := r.Pos()
	for n := groups; n > 0 && r.Err() == nil; n-- {
		sum += int64(r.U32())
		r.ValType(w.decoder.types)
	}
	if r.Err() != nil {
		return fmt.Errorf("locals: %w", r.Err())
	}
	if err := exceeded(WhatLocals, w.limits.Locals, int(sum)); err != nil {
		return err
	}
	if sum >= 1<<32-2 { // two may be added
		return fmt.Errorf("locals: %d are too many", sum)
	}
	p.locals, p.groups, p.declared, p.bodyAt = uint32(sum), uint32(groups), r.Since(start), r.Pos()
	return nil
}

// find notes what the present instruction means for its function and for the report.
func (w *rewriter) find(p *profile) {
	d := &w.decoder
	switch d.op {
	case opCall, opReturnCall:
		w.loosen()
		if d.index < w.imported {
			p.add(costImport)
			return
		}
		p.add(costCall)
		w.calls = append(w.calls, d.index-w.imported)
	case opCallIndirect, opReturnCallIndirect, opCallRef, opReturnCallRef:
		w.loosen()
		p.add(costIndirect)
		w.calls = append(w.calls, w.byType(d.index))
	case opRefFunc:
		w.take(d.index)
	case opLoop:
		p.looping = true
		w.openLoop()
	case opEnd:
		if d.closed == opLoop {
			w.closeLoop()
		}
	case opTryTable: // what is caught may come from a call, or from before the fuel was loaded
		p.looping = true
		w.loosen()
	case opTableSet:
		w.report.TableWrites++
	case opElemDrop, opDataDrop:
		w.report.Drops++
	case opMemoryInit:
		w.report.MemoryInits++
	case opAtomicWait32, opAtomicWait64:
		w.report.Waits++
	}
	if b, ok := bulkOf(d.op); ok {
		p.looping = true
		w.loosen()
		if b.table {
			w.report.TableWrites++
		}
	}
}
