// Package testguest builds small guest modules for tests, byte by byte, so that a test can say what its guest is like
// without a toolchain.
package testguest

import (
	"encoding/binary"
	"slices"
)

// Import is a function import.
type Import struct {
	Module, Name    string
	Params, Results int // all i32
}

// Guest says what the module is like. Its zero value is a module whose spec writes nothing.
type Guest struct {
	// Spec is what spec writes.
	Spec string

	// SpecStatus is what spec returns.
	SpecStatus int32

	// Status is what execute returns. Its output is the arguments.
	Status int32

	// Output, if not empty, is what execute writes instead of the arguments.
	Output string

	// Pages is the size of the memory. Zero means enough for Spec and Output, and a page for the arguments.
	Pages int

	// Imports are further imports. They are not called.
	Imports []Import

	// SpecCalls makes spec call the import of that name, which takes no parameters and returns an i32, before it writes.
	SpecCalls string

	// StartCalls does the same in _initialize.
	StartCalls string

	// Calls makes execute call the import of that name with CallArgs, instead of everything else.
	Calls    string
	CallArgs []int32

	// First is the import that execute calls before Calls. It takes no parameters and returns an i32.
	First string

	// Extra exports execute under further names.
	Extra []string

	// Omit leaves out the export of that name.
	Omit string

	// Swap makes spec and execute trade places, so that both have the wrong type.
	Swap bool

	// Memories are the binary types of the module's memories, in place of the one memory.
	Memories [][]byte
}

const (
	hostModule = "wasmtools_v1"
	i32        = 0x7f
	pageSize   = 64 << 10
)

// Wasm returns the module's binary.
func (g Guest) Wasm() []byte {
	imports := append([]Import{
		{hostModule, "input", 0, 1},
		{hostModule, "read", 2, 1},
		{hostModule, "write", 2, 0},
	}, g.Imports...)
	n := len(imports)
	bodies := [][]byte{g.spec(imports), g.execute(imports)}
	types := [][2]int{{0, 1}, {1, 1}}
	spec, execute := n, n+1
	if g.Swap {
		spec, execute = execute, spec
	}
	var exports [][]byte
	for _, e := range []struct {
		name  string
		kind  byte
		index int
	}{{"memory", 2, 0}, {"spec", 0, spec}, {"execute", 0, execute}} {
		if e.name != g.Omit {
			exports = append(exports, export(e.name, e.kind, e.index))
		}
	}
	if g.StartCalls != "" {
		bodies = append(bodies, append(call(imports, g.StartCalls), 0x1a, 0x0b))
		types = append(types, [2]int{0, 0})
		exports = append(exports, export("_initialize", 0, n+2))
	}
	for _, name := range g.Extra {
		exports = append(exports, export(name, 0, n+1))
	}

	bin := []byte("\x00asm\x01\x00\x00\x00")
	var typeItems, importItems, funcItems [][]byte
	for i, imp := range imports {
		typeItems = append(typeItems, funcType(imp.Params, imp.Results))
		item := append(name(imp.Module), name(imp.Name)...)
		importItems = append(importItems, leb(append(item, 0), i))
	}
	for i, t := range types {
		typeItems = append(typeItems, funcType(t[0], t[1]))
		funcItems = append(funcItems, leb(nil, n+i))
	}
	bin = section(bin, 1, typeItems)
	bin = section(bin, 2, importItems)
	bin = section(bin, 3, funcItems)
	memories := g.Memories
	if memories == nil {
		memories = [][]byte{leb([]byte{0}, g.pages())}
	}
	bin = section(bin, 5, memories)
	bin = section(bin, 7, exports)
	var code [][]byte
	for _, b := range bodies {
		b = append([]byte{0}, b...) // no locals
		code = append(code, append(leb(nil, len(b)), b...))
	}
	bin = section(bin, 10, code)
	text := g.Spec + g.Output
	data := append([]byte{0, 0x41, 0, 0x0b}, leb(nil, len(text))...)
	return section(bin, 11, [][]byte{append(data, text...)})
}

func (g Guest) pages() int {
	if g.Pages > 0 {
		return g.Pages
	}
	return g.argsAt()/pageSize + 2
}

// argsAt is where the arguments go: the first page behind the data.
func (g Guest) argsAt() int {
	return (len(g.Spec) + len(g.Output) + pageSize - 1) / pageSize * pageSize
}

func (g Guest) spec(imports []Import) []byte {
	var b []byte
	if g.SpecCalls != "" {
		b = append(call(imports, g.SpecCalls), 0x1a) // drop
	}
	b = constant(b, 0)
	b = constant(b, int32(len(g.Spec)))
	b = append(b, 0x10, 2) // write
	return append(constant(b, g.SpecStatus), 0x0b)
}

func (g Guest) execute(imports []Import) []byte {
	var b []byte
	if g.Calls != "" {
		if g.First != "" {
			b = append(call(imports, g.First), 0x1a) // drop
		}
		for _, arg := range g.CallArgs {
			b = constant(b, arg)
		}
		b = append(b, call(imports, g.Calls)...)
		if results(imports, g.Calls) > 0 {
			b = append(b, 0x1a) // drop
		}
		return append(constant(b, g.Status), 0x0b)
	}
	if g.Output != "" {
		b = constant(b, int32(len(g.Spec)))
		b = constant(b, int32(len(g.Output)))
	} else {
		b = constant(b, int32(g.argsAt()))
		b = append(b, 0x10, 0, 0x1a) // input, drop
		b = constant(b, int32(g.argsAt()))
		b = constant(b, pageSize)
		b = append(b, 0x10, 1) // read
	}
	b = append(b, 0x10, 2) // write
	return append(constant(b, g.Status), 0x0b)
}

func call(imports []Import, name string) []byte {
	i := slices.IndexFunc(imports, func(imp Import) bool { return imp.Name == name })
	if i < 0 {
		panic("testguest: no import " + name)
	}
	return leb([]byte{0x10}, i)
}

func results(imports []Import, name string) int {
	i := slices.IndexFunc(imports, func(imp Import) bool { return imp.Name == name })
	return imports[i].Results
}

func constant(b []byte, v int32) []byte {
	b = append(b, 0x41)
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if (v == 0 && c&0x40 == 0) || (v == -1 && c&0x40 != 0) {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

func leb(b []byte, v int) []byte { return binary.AppendUvarint(b, uint64(v)) }

func name(s string) []byte { return append(leb(nil, len(s)), s...) }

func export(s string, kind byte, index int) []byte { return leb(append(name(s), kind), index) }

func funcType(params, results int) []byte {
	b := leb([]byte{0x60}, params)
	for range params {
		b = append(b, i32)
	}
	b = leb(b, results)
	for range results {
		b = append(b, i32)
	}
	return b
}

func section(bin []byte, id byte, items [][]byte) []byte {
	body := leb(nil, len(items))
	for _, item := range items {
		body = append(body, item...)
	}
	bin = leb(append(bin, id), len(body))
	return append(bin, body...)
}
