package wasm

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// ErrComponent is returned for a component: a WebAssembly binary of another layer, which is not a module.
var ErrComponent = errors.New("a component, not a core module")

// ErrNotWasm is returned for a file that does not begin as a WebAssembly binary does.
var ErrNotWasm = errors.New("not a WebAssembly binary")

// Module is the outline of a module.
type Module struct {
	Imports  []Import
	Exports  []Export
	Memories []Memory // defined ones, not imported ones
	Customs  []Custom
	Funcs    int    // number of defined functions
	TableMin uint64 // elements that all defined tables have at the start
	CodeSize int    // of the code section, in bytes

	Types     []FuncType
	FuncTypes []uint32 // type index of each function, imported ones first

	// Sections are the bodies of the sections but the custom ones, by ID. One that the module lacks is nil.
	Sections [SectionTag + 1][]byte
}

// Kind is what an import or export is.
type Kind byte

// The kinds, by their binary encoding.
const (
	Func Kind = iota
	Table
	Mem
	Global
	Tag
)

// String returns the kind's name in the text format.
func (k Kind) String() string {
	switch k {
	case Func:
		return "func"
	case Table:
		return "table"
	case Mem:
		return "memory"
	case Global:
		return "global"
	case Tag:
		return "tag"
	}
	return fmt.Sprintf("kind %d", byte(k))
}

// Import is one entry of the import section.
type Import struct {
	Module, Name string
	Kind         Kind
	Type         FuncType // if Kind is Func
	Mutable      bool     // if Kind is Global
}

// Export is one entry of the export section.
type Export struct {
	Name  string
	Kind  Kind
	Index uint32
	Type  FuncType // if Kind is Func
}

// Memory is the type of a linear memory, in pages of 64 KiB.
type Memory struct {
	Min, Max uint64
	HasMax   bool
	Shared   bool
	Is64     bool
}

// Custom is a custom section.
type Custom struct {
	Name string
	Data []byte
}

// FuncType is the type of a function; value types are kept as their binary encoding.
type FuncType struct {
	Params, Results string
}

// I32 is the encoding of the value type i32.
const I32 = "\x7f"

// String writes the type as in (i32, i32) -> (i32).
func (t FuncType) String() string {
	return "(" + valTypes(t.Params) + ") -> (" + valTypes(t.Results) + ")"
}

func valTypes(enc string) string {
	names := make([]string, len(enc))
	for i := range enc {
		switch enc[i] {
		case 0x7f:
			names[i] = "i32"
		case 0x7e:
			names[i] = "i64"
		case 0x7d:
			names[i] = "f32"
		case 0x7c:
			names[i] = "f64"
		case 0x7b:
			names[i] = "v128"
		case 0x70:
			names[i] = "funcref"
		case 0x6f:
			names[i] = "externref"
		default:
			names[i] = fmt.Sprintf("%#x", enc[i])
		}
	}
	return strings.Join(names, ", ")
}

// Digest returns the digest of a binary, as in sha256:0123.
func Digest(bin []byte) string {
	sum := sha256.Sum256(bin)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Export returns the export of that name and kind.
func (m *Module) Export(name string, kind Kind) (Export, bool) {
	for _, e := range m.Exports {
		if e.Name == name && e.Kind == kind {
			return e, true
		}
	}
	return Export{}, false
}

// Custom returns the first custom section of that name.
func (m *Module) Custom(name string) ([]byte, bool) {
	for _, c := range m.Customs {
		if c.Name == name {
			return c.Data, true
		}
	}
	return nil, false
}
