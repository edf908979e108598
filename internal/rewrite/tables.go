package rewrite

import (
	"errors"

	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// table is one that the module defines, in parts of its binary.
type table struct {
	initial bool
	element []byte // its type
	limits  wasm.Memory
	value   []byte // of its elements, if initial
}

// tableWithInitial starts a table that says what its elements are at first.
const tableWithInitial = 0x40

// tables bounds the tables together by the option.
func (w *rewriter) tables(r *binary.Reader) ([]byte, error) {
	all := make([]table, r.Count())
	for i := range all {
		all[i] = w.table(r)
	}
	if err := r.End(); err != nil {
		return nil, err
	}
	if w.options.TableMax > 0 {
		if err := share(all, uint64(w.options.TableMax)); err != nil {
			return nil, err
		}
	}
	b := binary.AppendU32(nil, uint32(len(all)))
	for _, t := range all {
		b = t.append(b)
	}
	return b, nil
}

func (w *rewriter) table(r *binary.Reader) table {
	var t table
	if rest := r.Rest(); len(rest) > 0 && rest[0] == tableWithInitial {
		t.initial = true
		r.Byte()
		r.Expect(0)
	}
	at := r.Pos()
	r.ValType(w.decoder.types)
	t.element = r.Since(at)
	t.limits = wasm.Limits(r)
	if t.limits.Shared || t.limits.Is64 {
		r.Fail(errors.New("tables that are shared or have 64 bit indexes are not supported"))
	}
	if t.initial {
		t.value, _, _ = w.constExpr(r, nil)
	}
	return t
}

func (t table) append(b []byte) []byte {
	if t.initial {
		b = append(b, tableWithInitial, 0)
	}
	b = append(b, t.element...)
	if !t.limits.HasMax {
		return append(binary.AppendU32(append(b, 0), uint32(t.limits.Min)), t.value...)
	}
	b = binary.AppendU32(append(b, 1), uint32(t.limits.Min))
	return append(binary.AppendU32(b, uint32(t.limits.Max)), t.value...)
}

// share declares maxima, so that all tables together cannot have more elements. What the tables that can grow have at the
// start they keep, and of what is left each gets as much as the others.
func share(all []table, limit uint64) error {
	sum, growing := uint64(0), uint64(0)
	for _, t := range all {
		sum += t.limits.Min
		if t.grows() {
			growing++
		}
	}
	if sum > limit {
		return &LimitError{WhatTableMax, int(limit), int(sum)}
	}
	for i, t := range all {
		if !t.grows() {
			continue
		}
		most := t.limits.Min + (limit-sum)/growing
		if !t.limits.HasMax || most < t.limits.Max {
			all[i].limits.HasMax, all[i].limits.Max = true, most
		}
	}
	return nil
}

func (t table) grows() bool { return !t.limits.HasMax || t.limits.Max > t.limits.Min }
