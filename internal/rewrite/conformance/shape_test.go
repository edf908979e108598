package conformance_test

import (
	"strings"

	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// shape is a module whose first function, of type () -> () and without a name, has the code. It has a table, a memory, and a
// mutable global of type i64, as well as whatever else is said. Lists have their length in front, but for those with a count here.
type shape struct {
	code      string
	locals    string   // declarations; none if empty
	types     []string // behind that of the function
	functions []string // further bodies, of the same type
	imports   int      // functions of the same type, which come first
	globals   int      // mutable ones of type i32, behind the first
	tables    string   // in place of the one
	elements  string
	data      string
}

func (s shape) wasm() []byte {
	section := func(b []byte, id byte, n int, items string) []byte {
		return binary.AppendSection(b, id, append(binary.AppendU32(nil, uint32(n)), items...))
	}
	optional := func(b []byte, id byte, body string) []byte {
		if body == "" {
			return b
		}
		return binary.AppendSection(b, id, []byte(body))
	}
	n := 1 + len(s.functions)
	b := section([]byte("\x00asm\x01\x00\x00\x00"), wasm.SectionType, 1+len(s.types), "\x60\x00\x00"+strings.Join(s.types, ""))
	b = section(b, wasm.SectionImport, s.imports, strings.Repeat("\x01m\x01f\x00\x00", s.imports))
	b = section(b, wasm.SectionFunction, n, strings.Repeat("\x00", n))
	b = optional(b, wasm.SectionTable, or(s.tables, "\x01\x70\x00\x10"))
	b = section(b, wasm.SectionMemory, 1, "\x00\x01")
	b = section(b, wasm.SectionGlobal, 1+s.globals, "\x7e\x01\x42\x00\x0b"+strings.Repeat("\x7f\x01\x41\x00\x0b", s.globals))
	b = optional(b, wasm.SectionElement, s.elements)
	b = section(b, wasm.SectionCode, n, body(or(s.locals, "\x00")+s.code+"\x0b")+strings.Join(s.functions, ""))
	return optional(b, wasm.SectionData, s.data)
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// body is a function's body with its length.
func body(code string) string { return string(binary.AppendName(nil, code)) }

// i32s declares locals.
func i32s(n int) string { return "\x01" + u32(n) + "\x7f" }

// typeOf is a type with as many parameters and results.
func typeOf(params, results int) string {
	return "\x60" + u32(params) + strings.Repeat("\x7f", params) + u32(results) + strings.Repeat("\x7f", results)
}

func u32(n int) string { return string(binary.AppendU32(nil, uint32(n))) }

// repeat repeats code.
func repeat(n int, code ...string) string { return strings.Repeat(strings.Join(code, ""), n) }

// list repeats code for the functions of a shape.
func list(n int, code string) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = code
	}
	return all
}

// each concatenates what f makes of the numbers below n.
func each(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}
