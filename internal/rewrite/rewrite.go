package rewrite

import (
	"errors"
	"fmt"
	"strings"

	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// Names that the rewriter adds to a module. A module that has one beginning with Prefix among its exports' names or its
// imports' modules is refused.
const (
	Prefix = "wasmtools:"

	// FuelGlobal exports the fuel: a mutable i64, at first 0. What it falls by is what was used.
	FuelGlobal = Prefix + "fuel"

	// FuelModule and FuelImport name the import, of type (i64) -> (i64), that is called when the fuel is below 0. Its argument
	// is the fuel, its result becomes the fuel.
	FuelModule = Prefix + "fuel"
	FuelImport = "out"

	// StartExport exports the start function, of type () -> (), if the module has one and Options.ExportStart is set.
	StartExport = Prefix + "start"

	// MarkExport exports a function of type () -> (i32) that returns 1. That of a [Skeleton] traps.
	MarkExport = Prefix + "mark"

	// GlobalPrefix and its index, in decimal, export each mutable global that a host can save and restore.
	GlobalPrefix = Prefix + "global:"
)

// Version changes when the same module is rewritten in another way: whoever keeps what came out has to keep it by this, too.
const Version = 3

// ErrReserved is returned for a module that uses a name beginning with Prefix.
var ErrReserved = errors.New("names that begin with " + Prefix + " are reserved")

// Options say what else to do.
type Options struct {
	// MemoryMax is the maximum to declare for the module's memory, in pages of 64 KiB. Zero keeps what the module declares.
	MemoryMax uint32

	// TableMax is how many elements all tables of the module together can have, by the maxima that it is made to declare. Zero
	// keeps what the module declares. A table that is imported is not its own.
	TableMax uint32

	// ExportStart exports the start function as StartExport, in place of having it run before a host can do anything.
	ExportStart bool

	// CutData leaves the data segments out where nothing but the start of the module needs them. The report says whether they
	// are, and holds them: the host has to copy them into a new memory.
	CutData bool

	// NoLocal keeps the fuel in the global alone, even where a loop is faster with it in a local too. The same is used; this is for
	// comparisons.
	NoLocal bool

	// Limits are ceilings. Nil means the defaults.
	Limits *Limits
}

// Rewrite returns a module that does what bin does and counts fuel, and tells what it found. It keeps no reference to bin but
// in the report. An error wraps ErrReserved, is a *LimitError, or says what is malformed; whether types match is left to
// the compiler, before or after.
//
// The same input has the same output. It may be called from several goroutines.
func Rewrite(bin []byte, options *Options) ([]byte, *Report, error) {
	if options == nil {
		options = &Options{}
	}
	w := &rewriter{options: *options, limits: options.Limits.withDefaults(), costs: newCosts(), report: &Report{}}
	out, err := w.run(bin)
	if err != nil {
		return nil, nil, fmt.Errorf("rewrite module: %w", err)
	}
	return out, w.report, nil
}

// rewriter is one run.
type rewriter struct {
	options  Options
	limits   Limits
	costs    *[256]uint8
	module   *wasm.Module
	report   *Report
	imported uint32 // functions, and so the index of the added one
	globals  uint32 // and so the index of the added one

	funcs []profile // of the defined functions, and then of the types in types
	calls []uint32  // that the profiles have parts of
	types map[wasm.FuncType]uint32
	tight []bool // the loops in which a local can hold the fuel
	open  []int  // those of them that the first reading is in
	taken []bool // the defined functions that references are made to

	segments int   // so far, of both kinds
	elems    int   // of element segments, so far
	lengths  []int // of the data segments

	decoder   decoder
	effort    effort
	meter     meter
	edits     []edit
	splitters []splitter
	loop      int    // the next one that the second reading gets to
	local     uint32 // what holds the fuel in the present function
	constant  int64  // what the last instruction pushed, if it was i32.const, or -1
	scratch   []byte
}

func (w *rewriter) run(bin []byte) ([]byte, error) {
	if err := exceeded(WhatModule, w.limits.Module, len(bin)); err != nil {
		return nil, err
	}
	var err error
	if w.module, err = wasm.Decode(bin); err != nil {
		return nil, err
	}
	if err := w.admit(); err != nil {
		return nil, err
	}
	if err := w.count(); err != nil {
		return nil, err
	}
	w.types, w.taken = map[wasm.FuncType]uint32{}, make([]bool, w.module.Funcs)
	w.decoder = decoder{
		bounds:     bounds{uint32(len(w.module.Types)), uint32(len(w.module.FuncTypes)), w.globals},
		limits:     w.limits,
		immediates: newImmediates(),
	}
	if err := w.profiles(); err != nil {
		return nil, err
	}
	return w.sections(make([]byte, 0, len(bin)+len(bin)/4))
}

// admit refuses reserved names and what is over a limit.
func (w *rewriter) admit() error {
	m := w.module
	for _, i := range m.Imports {
		if strings.HasPrefix(i.Module, Prefix) {
			return fmt.Errorf("import %q %q: %w", i.Module, i.Name, ErrReserved)
		}
		if err := exceeded(WhatImportName, w.limits.Name, max(len(i.Module), len(i.Name))); err != nil {
			return err
		}
	}
	for _, e := range m.Exports {
		if strings.HasPrefix(e.Name, Prefix) {
			return fmt.Errorf("export %q: %w", e.Name, ErrReserved)
		}
		if err := exceeded(WhatExportName, w.limits.Name, len(e.Name)); err != nil {
			return err
		}
	}
	for _, t := range m.Types {
		if err := exceeded(WhatValues, w.limits.Values, max(len(t.Params), len(t.Results))); err != nil {
			return err
		}
	}
	for _, c := range m.Customs {
		if err := exceeded(WhatCustomName, w.limits.Name, len(c.Name)); err != nil {
			return err
		}
	}
	if err := exceeded(WhatFunctions, w.limits.Functions, len(m.FuncTypes)); err != nil {
		return err
	}
	if err := exceeded(WhatCode, w.limits.Code, m.CodeSize); err != nil {
		return err
	}
	return exceeded(WhatImports, w.limits.Imports, len(m.Imports))
}

// count finds how many functions are imported and how many globals there are, and counts the tables.
func (w *rewriter) count() error {
	w.imported = uint32(len(w.module.FuncTypes) - w.module.Funcs)
	var err error
	if w.globals, err = w.all(wasm.Global, wasm.SectionGlobal, WhatGlobals, w.limits.Globals); err != nil {
		return err
	}
	_, err = w.all(wasm.Table, wasm.SectionTable, WhatTables, w.limits.Tables)
	return err
}

// all counts the imports of a kind and what the module has of it in a section.
func (w *rewriter) all(kind wasm.Kind, section byte, what What, limit int) (uint32, error) {
	n := uint32(0)
	for _, i := range w.module.Imports {
		if i.Kind == kind {
			n++
		}
	}
	r := binary.NewReader(w.module.Sections[section])
	if r.Len() > 0 {
		n += uint32(r.Count())
	}
	if r.Err() != nil {
		return 0, r.Err()
	}
	return n, exceeded(what, limit, int(n))
}

// shift is the new index of a function.
func (w *rewriter) shift(f uint32) uint32 {
	if f >= w.imported {
		f++
	}
	return f
}
