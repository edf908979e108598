package rewrite

import (
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// The names subsection of functions in the custom section "name".
const functionNames = 1

// customs appends the custom sections that stay right: what built the module, and the names of functions. The others, such
// as DWARF, speak of places in the code, which has moved.
func (w *rewriter) customs(out []byte) []byte {
	seen := map[string]bool{}
	for _, c := range w.module.Customs {
		data := []byte(nil)
		switch {
		case seen[c.Name]:
		case c.Name == "producers":
			data = c.Data
		case c.Name == "name":
			data = w.names(c.Data)
		}
		seen[c.Name] = true
		if data == nil {
			w.report.Dropped = append(w.report.Dropped, c.Name)
			continue
		}
		out = binary.AppendSection(out, 0, append(binary.AppendName(nil, c.Name), data...))
	}
	return out
}

// names returns a name section with the functions' names alone, by their new indices, or nothing for a malformed one: the
// compiler would refuse the module for what only people read.
func (w *rewriter) names(data []byte) []byte {
	r := binary.NewReader(data)
	var b []byte
	for r.More() {
		id := r.Byte()
		sub := r.Bytes(r.Count())
		if id == functionNames && b == nil && r.Err() == nil {
			b = w.functionNames(sub)
			if b == nil {
				return nil
			}
		}
	}
	if r.Err() != nil || b == nil {
		return nil
	}
	return binary.AppendSection(nil, functionNames, b)
}

func (w *rewriter) functionNames(data []byte) []byte {
	r := binary.NewReader(data)
	n := r.Count()
	b := binary.AppendU32(make([]byte, 0, len(data)+len(data)/8), uint32(n))
	for ; n > 0 && r.Err() == nil; n-- {
		f := w.shift(r.Index(w.decoder.funcs, "function"))
		name := r.Name()
		r.Fail(exceeded(WhatFuncName, w.limits.Name, len(name)))
		b = binary.AppendName(binary.AppendU32(b, f), name)
	}
	if r.End() != nil {
		return nil
	}
	return b
}
