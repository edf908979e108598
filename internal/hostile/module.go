package hostile

import (
	"slices"

	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// module is a guest whose description is valid, whose tool calls run, and whose run is any code. It is built without a check.
type module struct {
	description string   // one tool if empty
	imports     []string // names of functions () -> () from "env"
	exports     []string // further names of run
	memories    []string // types; one memory of 16 pages if nil
	locals      string   // of run: a vector of groups
	body        string   // of run, without its end
	functions   int      // further functions, which do nothing
	segments    []string // further data segments
	customs     []string // sections at the end: name and content
}

const oneTool = `{"tools":[{"name":"attack"}]}`

// Types, by their index.
const (
	typeVoid  = "\x60\x00\x00"
	typeWrite = "\x60\x02\x7f\x7f\x00"
	typeSpec  = "\x60\x00\x01\x7f"
	typeTool  = "\x60\x01\x7f\x01\x7f"
)

func (m module) wasm() []byte {
	if m.description == "" {
		m.description = oneTool
	}
	if m.memories == nil {
		m.memories = []string{"\x00\x10"}
	}
	imports := []string{name("wasmtools_v1") + name("write") + "\x00\x01"}
	for _, n := range m.imports {
		imports = append(imports, name("env")+name(n)+"\x00\x00")
	}
	run := u32(len(imports)) // and behind it spec and execute
	exports := []string{
		name("memory") + "\x02\x00", name("run") + "\x00" + run,
		name("spec") + "\x00" + u32(len(imports)+1), name("execute") + "\x00" + u32(len(imports)+2),
	}
	for _, n := range m.exports {
		exports = append(exports, name(n)+"\x00"+run)
	}
	locals := m.locals
	if locals == "" {
		locals = "\x00"
	}
	bodies := []string{
		locals + m.body + "\x0b",
		"\x00\x41\x00\x41" + s32(len(m.description)) + "\x10\x00\x41\x00\x0b", // write the description, return 0
		"\x00\x10" + run + "\x41\x00\x0b",
	}
	functions := []string{"\x00", "\x02", "\x03"}
	for range m.functions {
		bodies, functions = append(bodies, "\x00\x0b"), append(functions, "\x00")
	}
	segments := append([]string{"\x00\x41\x00\x0b" + name(m.description)}, m.segments...)

	b := []byte("\x00asm\x01\x00\x00\x00")
	b = section(b, 1, []string{typeVoid, typeWrite, typeSpec, typeTool})
	b = section(b, 2, imports)
	b = section(b, 3, functions)
	b = section(b, 5, m.memories)
	b = section(b, 7, exports)
	b = binary.AppendSection(b, 12, []byte(u32(len(segments))))
	b = section(b, 10, sized(bodies))
	b = section(b, 11, segments)
	for _, c := range m.customs {
		b = binary.AppendSection(b, 0, []byte(c))
	}
	return b
}

// section appends a section that is a vector.
func section(b []byte, id byte, items []string) []byte {
	body := binary.AppendU32(nil, uint32(len(items)))
	for _, item := range items {
		body = append(body, item...)
	}
	return binary.AppendSection(b, id, body)
}

func sized(items []string) []string {
	items = slices.Clone(items)
	for i, item := range items {
		items[i] = name(item)
	}
	return items
}

// name is a string behind its length.
func name(s string) string { return string(binary.AppendName(nil, s)) }

func u32(n int) string { return string(binary.AppendU32(nil, uint32(n))) }

func s32(n int) string { return string(binary.AppendS64(nil, int64(n))) }
