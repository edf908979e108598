package rewrite_test

import (
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// sections is a module by its sections' bodies. They are written in the order of a module.
type sections map[byte]string

func (s sections) with(id byte, body string) sections {
	m := sections{}
	for id, body := range s {
		m[id] = body
	}
	m[id] = body
	return m
}

func (s sections) wasm() []byte {
	b := []byte("\x00asm\x01\x00\x00\x00")
	for _, id := range []byte{1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11, 0} {
		if body, ok := s[id]; ok {
			b = binary.AppendSection(b, id, []byte(body))
		}
	}
	return b
}

// bodies is a code section of functions without locals.
func bodies(code ...string) string {
	b := binary.AppendU32(nil, uint32(len(code)))
	for _, c := range code {
		b = binary.AppendName(b, "\x00"+c)
	}
	return string(b)
}

// one is a module with an imported function, and one of type () -> () with a body, a table, a memory, and a mutable i32 and
// an immutable global.
func one(code string) sections {
	return sections{
		wasm.SectionType:     "\x02\x60\x00\x00\x60\x01\x7f\x00",
		wasm.SectionImport:   "\x01\x03env\x01f\x00\x01",
		wasm.SectionFunction: "\x01\x00",
		wasm.SectionTable:    "\x01\x70\x00\x02",
		wasm.SectionMemory:   "\x01\x01\x01\x02",
		wasm.SectionGlobal:   "\x02\x7f\x01\x41\x07\x0b\x7e\x00\x42\x01\x0b",
		wasm.SectionExport:   "\x02\x01f\x00\x01\x01g\x03\x00",
		wasm.SectionCode:     bodies(code),
	}
}
