package rewrite

import (
	"fmt"
	"slices"

	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// constExpr copies a constant expression to b, with its functions' new indices. It returns the value if that is an i32.const
// alone.
func (w *rewriter) constExpr(r *binary.Reader, b []byte) ([]byte, uint32, bool) {
	value, fixed := uint32(0), false
	for n := 0; r.Err() == nil; n++ {
		at := r.Pos()
		switch op := opcode(r.Byte()); op {
		case opEnd:
			return append(b, byte(opEnd)), value, fixed && n == 1
		case opRefFunc:
			b = binary.AppendU32(append(b, byte(opRefFunc)), w.reference(r))
			continue
		case opI32Const:
			value, fixed = uint32(r.Varint(32)), true
		default:
			w.constOperand(r, op)
		}
		b = append(b, r.Since(at)...)
	}
	return b, 0, false
}

// reference reads a function that a reference is made to, and returns its new index.
func (w *rewriter) reference(r *binary.Reader) uint32 {
	f := r.Index(w.decoder.funcs, "function")
	if r.Err() == nil {
		w.take(f)
	}
	return w.shift(f)
}

func (w *rewriter) constOperand(r *binary.Reader, op opcode) {
	switch op {
	case opI64Const:
		r.Varint(64)
	case 0x43: // f32.const
		r.Bytes(4)
	case 0x44: // f64.const
		r.Bytes(8)
	case opGlobalGet:
		r.Index(w.decoder.globals, "global")
	case 0xd0: // ref.null
		r.HeapType(w.decoder.types)
	case 0x6a, 0x6b, 0x6c, 0x7c, 0x7d, 0x7e: // add, sub and mul of i32 and i64
	case prefixVector:
		r.Expect(byte(opV128Const & 0xff))
		r.Bytes(16)
	default:
		r.Fail(fmt.Errorf("instruction %#x is not constant", byte(op)))
	}
}

// The flags of an element segment.
const (
	elemPassive     = 1 // or declared
	elemExplicit    = 2 // has a table, if active
	elemExpressions = 4
)

func (w *rewriter) elements(r *binary.Reader) ([]byte, error) {
	n := r.Count()
	r.Fail(w.countSegments(n))
	b := binary.AppendU32(make([]byte, 0, r.Len()+r.Len()/4), uint32(n))
	for ; n > 0 && r.Err() == nil; n-- {
		b = w.element(r, b)
	}
	return b, r.End()
}

func (w *rewriter) countSegments(n int) error {
	w.segments += n
	return exceeded(WhatSegments, w.limits.Segments, w.segments)
}

func (w *rewriter) element(r *binary.Reader, b []byte) []byte {
	flags := r.U32()
	if flags > elemPassive|elemExplicit|elemExpressions {
		r.Fail(fmt.Errorf("element flags %#x are not known", flags))
		return b
	}
	b = binary.AppendU32(b, flags)
	if flags&elemPassive == 0 {
		if flags&elemExplicit != 0 {
			b = binary.AppendU32(b, r.U32())
		}
		b, _, _ = w.constExpr(r, b)
	}
	if flags&(elemPassive|elemExplicit) != 0 {
		at := r.Pos()
		if flags&elemExpressions != 0 {
			r.ValType(w.decoder.types)
		} else {
			r.Expect(0)
		}
		b = append(b, r.Since(at)...)
	}
	count := r.Count()
	w.elems += count
	r.Fail(exceeded(WhatElements, w.limits.Elements, w.elems))
	b = binary.AppendU32(b, uint32(count))
	for ; count > 0 && r.Err() == nil; count-- {
		if flags&elemExpressions != 0 {
			b, _, _ = w.constExpr(r, b)
		} else {
			b = binary.AppendU32(b, w.reference(r))
		}
	}
	return b
}

// dataSection reads the data segments and decides whether they are left out.
func (w *rewriter) dataSection() ([]byte, error) {
	old := w.module.Sections[wasm.SectionData]
	if old == nil {
		return nil, nil
	}
	data, err := w.data(binary.NewReader(old))
	if err != nil {
		return nil, fmt.Errorf("section %d: %w", wasm.SectionData, err)
	}
	r := w.report
	unneeded := r.PassiveData == 0 && r.MemoryInits == 0 && r.Drops == 0
	r.DataCut = w.options.CutData && unneeded && !slices.ContainsFunc(r.Data, func(d Data) bool { return !d.Fixed })
	return data, nil
}

// data notes the data segments. Only the functions in their constant expressions could change.
func (w *rewriter) data(r *binary.Reader) ([]byte, error) {
	n := r.Count()
	r.Fail(w.countSegments(n))
	b := binary.AppendU32(make([]byte, 0, r.Len()+8), uint32(n))
	w.report.Data = make([]Data, 0, n/4)
	for ; n > 0 && r.Err() == nil; n-- {
		b = w.segment(r, b)
	}
	return b, r.End()
}

// The flags of a data segment.
const (
	dataActive   = 0
	dataPassive  = 1
	dataExplicit = 2 // active, and has a memory
)

func (w *rewriter) segment(r *binary.Reader, b []byte) []byte {
	flags := r.U32()
	b = binary.AppendU32(b, flags)
	switch flags {
	case dataActive, dataPassive:
	case dataExplicit:
		b = binary.AppendU32(b, r.Index(1, "memory"))
	default:
		r.Fail(fmt.Errorf("data flags %#x are not known", flags))
	}
	d := Data{}
	if flags != dataPassive {
		b, d.Offset, d.Fixed = w.constExpr(r, b)
	}
	at := r.Pos()
	d.Bytes = r.Bytes(r.Count())
	w.lengths = append(w.lengths, len(d.Bytes))
	if flags == dataPassive {
		w.report.PassiveData++
	} else {
		w.report.Data = append(w.report.Data, d)
	}
	return append(b, r.Since(at)...)
}
