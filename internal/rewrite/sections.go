package rewrite

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

const preamble = "\x00asm\x01\x00\x00\x00"

// sections appends the new module.
func (w *rewriter) sections(out []byte) ([]byte, error) {
	w.report.Module = w.module
	data, err := w.dataSection()
	if err != nil {
		return nil, err
	}
	var added []section
	for _, s := range []struct {
		id    byte
		write func(*binary.Reader) ([]byte, error)
		added bool // even where the module has none
	}{
		{wasm.SectionType, w.typeSection, true},
		{wasm.SectionImport, w.imports, true},
		{wasm.SectionFunction, w.same, true},
		{wasm.SectionTable, w.tables, false},
		{wasm.SectionMemory, w.memories, false},
		{wasm.SectionTag, w.tags, false},
		{wasm.SectionGlobal, w.globalSection, true},
		{wasm.SectionExport, w.exports, true},
		{wasm.SectionStart, w.startSection, false},
		{wasm.SectionElement, w.elements, false},
		{wasm.SectionDataCount, w.same, false},
		{wasm.SectionCode, w.code, true},
		{wasm.SectionData, func(*binary.Reader) ([]byte, error) { return data, nil }, false},
	} {
		old := w.module.Sections[s.id]
		switch {
		case w.options.ExportStart && s.id == wasm.SectionStart:
			continue
		case w.report.DataCut && (s.id == wasm.SectionDataCount || s.id == wasm.SectionData):
			continue
		case old == nil && !s.added:
			continue
		case old == nil:
			old = []byte{0}
		}
		body, err := s.write(binary.NewReader(old))
		if err != nil {
			return nil, fmt.Errorf("section %d: %w", s.id, err)
		}
		added = append(added, section{s.id, body})
	}
	out = append(out, preamble...)
	for _, s := range added {
		if s.id == wasm.SectionFunction { // how many there are is known now
			s.body = w.functions(s.body)
		}
		out = binary.AppendSection(out, s.id, s.body)
	}
	return w.customs(out), nil
}

// section is one of the new module's.
type section struct {
	id   byte
	body []byte
}

// functions adds the types of the added functions.
func (w *rewriter) functions(old []byte) []byte {
	b := binary.AppendU32(extended(binary.NewReader(old), 1+len(w.splitters)), w.markType())
	for range w.splitters {
		b = binary.AppendU32(b, w.bulkType())
	}
	return b
}

// same is a section that stays as it is.
func (w *rewriter) same(r *binary.Reader) ([]byte, error) { return r.Rest(), nil }

// extended is a section with one more entry, which is still to be appended.
func extended(r *binary.Reader, more int) []byte {
	n := r.U32()
	return append(binary.AppendU32(make([]byte, 0, r.Len()+64), n+uint32(more)), r.Rest()...)
}

func (w *rewriter) typeSection(r *binary.Reader) ([]byte, error) {
	b := append(extended(r, 3), 0x60, 1, binary.I64, 1, binary.I64)
	b = append(b, 0x60, 3, binary.I32, binary.I32, binary.I32, 0)
	return append(b, 0x60, 0, 1, binary.I32), nil
}

func (w *rewriter) imports(r *binary.Reader) ([]byte, error) {
	b := binary.AppendName(extended(r, 1), FuelModule)
	b = binary.AppendName(b, FuelImport)
	return binary.AppendU32(append(b, byte(wasm.Func)), uint32(len(w.module.Types))), nil
}

func (w *rewriter) memories(r *binary.Reader) ([]byte, error) {
	if w.options.MemoryMax == 0 {
		return w.same(r)
	}
	b := binary.AppendU32(nil, r.U32())
	for _, m := range w.module.Memories {
		switch {
		case m.Is64:
			return nil, errors.New("memory with 64 bit addresses is not supported")
		case uint64(w.options.MemoryMax) < m.Min:
			return nil, fmt.Errorf("memory of %d pages: the maximum is set to %d", m.Min, w.options.MemoryMax)
		}
		flags := byte(1)
		if m.Shared {
			flags |= 2
		}
		b = binary.AppendU32(append(b, flags), uint32(m.Min))
		b = binary.AppendU32(b, w.options.MemoryMax)
	}
	return b, nil
}

func (w *rewriter) tags(r *binary.Reader) ([]byte, error) {
	all := r.Rest()
	r.Each(func() {
		r.Expect(0)
		r.Index(w.decoder.types, "type")
	})
	return all, r.End()
}

// globalSection adds the fuel and notes the mutable globals.
func (w *rewriter) globalSection(r *binary.Reader) ([]byte, error) {
	n := r.U32()
	b := binary.AppendU32(make([]byte, 0, r.Len()+16), n+1)
	for _, i := range w.module.Imports {
		if i.Kind == wasm.Global && i.Mutable {
			w.report.LostGlobals++
		}
	}
	for i := w.globals - n; i < w.globals && r.Err() == nil; i++ {
		at := r.Pos()
		t, mutable := r.ValType(w.decoder.types), r.Byte()
		b = append(b, r.Since(at)...)
		b, _, _ = w.constExpr(r, b)
		switch {
		case mutable > 1:
			r.Fail(fmt.Errorf("mutability %#x is not known", mutable))
		case mutable == 0:
		case t == binary.I32, t == binary.I64, t == binary.F32, t == binary.F64:
			name := GlobalPrefix + strconv.FormatUint(uint64(i), 10)
			w.report.Globals = append(w.report.Globals, Global{i, t, name})
		default:
			w.report.LostGlobals++
		}
	}
	return append(b, binary.I64, 1, byte(opI64Const), 0, byte(opEnd)), r.End()
}

func (w *rewriter) exports(*binary.Reader) ([]byte, error) {
	all, err := w.withStart(w.module.Exports)
	if err != nil {
		return nil, err
	}
	b := binary.AppendU32(nil, uint32(len(all)+len(w.report.Globals)+2))
	add := func(name string, kind wasm.Kind, index uint32) {
		b = binary.AppendU32(append(binary.AppendName(b, name), byte(kind)), index)
	}
	for _, e := range all {
		switch e.Kind {
		case wasm.Func:
			e.Index = w.shift(e.Index)
		case wasm.Global:
			if e.Index >= w.globals {
				return nil, fmt.Errorf("export %q: global %d does not exist", e.Name, e.Index)
			}
		}
		add(e.Name, e.Kind, e.Index)
	}
	for _, g := range w.report.Globals {
		add(g.Export, wasm.Global, g.Index)
	}
	add(FuelGlobal, wasm.Global, w.globals)
	add(MarkExport, wasm.Func, w.added(0))
	return b, nil
}

func (w *rewriter) startSection(r *binary.Reader) ([]byte, error) {
	f, err := w.start(r)
	return binary.AppendU32(nil, w.shift(f)), err
}

// start reads the start function. A compiler will not see that it is one if it is exported, so its type is checked here.
func (w *rewriter) start(r *binary.Reader) (uint32, error) {
	f := r.Index(w.decoder.funcs, "function")
	if err := r.End(); err != nil {
		return 0, err
	}
	if t := w.module.Types[w.module.FuncTypes[f]]; t != (wasm.FuncType{}) {
		return 0, fmt.Errorf("start function of type %s", t)
	}
	return f, nil
}

// withStart adds the start function to the exports, where the options say so.
func (w *rewriter) withStart(exports []wasm.Export) ([]wasm.Export, error) {
	section := w.module.Sections[wasm.SectionStart]
	if section == nil || !w.options.ExportStart {
		return exports, nil
	}
	f, err := w.start(binary.NewReader(section))
	return append(slices.Clip(exports), wasm.Export{Name: StartExport, Index: f}), err
}

func (w *rewriter) code(r *binary.Reader) ([]byte, error) {
	b := make([]byte, 0, r.Len()+r.Len()/2)
	w.settle()
	for i := range w.module.Funcs {
		if err := w.instrument(uint32(i)); err != nil {
			return nil, err
		}
		b = w.emit(b, &w.funcs[i])
		if err := exceeded(WhatRewritten, w.limits.Code, len(b)); err != nil {
			return nil, err
		}
	}
	b = append(b, 4, 0, byte(opI32Const), 1, byte(opEnd)) // the mark
	for _, s := range w.splitters {
		b = w.splitterBody(b, s)
	}
	w.report.Added = 1 + len(w.splitters)
	return append(binary.AppendU32(make([]byte, 0, len(b)+5), uint32(w.module.Funcs+w.report.Added)), b...), nil
}
