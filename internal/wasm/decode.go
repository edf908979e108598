package wasm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// Decode reads the outline of bin. It copies nothing: the module's sections and custom sections are parts of bin.
func Decode(bin []byte) (*Module, error) {
	if err := checkPreamble(bin); err != nil {
		return nil, err
	}
	m := &Module{}
	r := binary.NewReader(bin[8:])
	last := 0
	for r.More() {
		id := r.Byte()
		body := r.Bytes(r.Count())
		if r.Err() != nil {
			return nil, fmt.Errorf("section %d: %w", id, r.Err())
		}
		if id != SectionCustom {
			if id > SectionTag || rank(id) <= last {
				return nil, fmt.Errorf("section %d is unknown or out of order", id)
			}
			last = rank(id)
			m.Sections[id] = body
		}
		if err := m.section(id, body); err != nil {
			return nil, fmt.Errorf("section %d: %w", id, err)
		}
	}
	return m, m.resolveExports()
}

func checkPreamble(bin []byte) error {
	switch {
	case len(bin) < 8 || string(bin[:4]) != "\x00asm":
		return ErrNotWasm
	case bin[6] == 1 && bin[7] == 0:
		return ErrComponent
	case string(bin[4:8]) != "\x01\x00\x00\x00":
		return fmt.Errorf("WebAssembly version %x is not known", bin[4:8])
	}
	return nil
}

func (m *Module) section(id byte, body []byte) error {
	r := binary.NewReader(body)
	switch id {
	case SectionCustom:
		name := r.Name()
		if len(m.Customs) == maxTables {
			return fmt.Errorf("more than %d custom sections", maxTables)
		}
		m.Customs = append(m.Customs, Custom{name, r.Rest()})
		return r.Err()
	case SectionType:
		r.EachOf(maxItems, func() { m.typeEntry(r) })
	case SectionImport:
		r.EachOf(maxNames, func() { m.importEntry(r) })
	case SectionFunction:
		r.EachOf(maxItems, func() { m.function(r); m.Funcs++ })
	case SectionTable:
		m.tables(r)
	case SectionMemory:
		r.EachOf(maxTables, func() { m.Memories = append(m.Memories, memory(r)) })
	case SectionExport:
		r.EachOf(maxNames, func() { m.Exports = append(m.Exports, Export{Name: r.Name(), Kind: Kind(r.Byte()), Index: r.U32()}) })
	case SectionCode:
		m.CodeSize = len(body)
		return nil
	default:
		return nil
	}
	return r.End()
}

// Ceilings on what a module may hold. The outline of an item takes many times its size in the binary; no toolchain gets
// near these.
const (
	maxItems  = 1_000_000 // types, functions
	maxNames  = 100_000   // imports, exports
	maxTables = 1000      // tables, memories, custom sections
)

// tables reads the module's own tables. One with an expression for its elements, which only engines with typed references
// know, ends what is read of the section.
func (m *Module) tables(r *binary.Reader) {
	const initialised = 0x40
	n := r.Count()
	if n > maxTables {
		r.Fail(fmt.Errorf("%d tables, at most %d are allowed", n, maxTables))
	}
	for ; n > 0 && r.Err() == nil; n-- {
		if rest := r.Rest(); len(rest) > 0 && rest[0] == initialised {
			r.Bytes(len(rest))
			return
		}
		r.ValType(uint32(len(m.Types)))
		m.TableMin += Limits(r).Min
	}
}

func (m *Module) function(r *binary.Reader) FuncType {
	i := r.Index(uint32(len(m.Types)), "type")
	if r.Err() != nil {
		return FuncType{}
	}
	m.FuncTypes = append(m.FuncTypes, i)
	return m.Types[i]
}

func (m *Module) importEntry(r *binary.Reader) {
	imp := Import{Module: r.Name(), Name: r.Name(), Kind: Kind(r.Byte())}
	types := uint32(len(m.Types))
	switch imp.Kind {
	case Func:
		imp.Type = m.function(r)
	case Table:
		r.ValType(types)
		Limits(r)
	case Mem:
		memory(r)
	case Global:
		r.ValType(types)
		imp.Mutable = r.Byte() != 0
	case Tag:
		r.Byte()
		r.Index(types, "type")
	default:
		r.Fail(fmt.Errorf("import %q %q has unknown %s", imp.Module, imp.Name, imp.Kind))
	}
	m.Imports = append(m.Imports, imp)
}

func (m *Module) resolveExports() error {
	for i, e := range m.Exports {
		if e.Kind > Tag {
			return fmt.Errorf("export %q has unknown %s", e.Name, e.Kind)
		}
		if e.Kind != Func {
			continue
		}
		if int64(e.Index) >= int64(len(m.FuncTypes)) {
			return fmt.Errorf("export %q: function %d does not exist", e.Name, e.Index)
		}
		m.Exports[i].Type = m.Types[m.FuncTypes[e.Index]]
	}
	return nil
}

// recursive starts a group of types that may refer to each other.
const recursive = 0x4e

func (m *Module) typeEntry(r *binary.Reader) {
	known := uint32(len(m.Types))
	form := r.Byte()
	if form != recursive {
		m.Types = append(m.Types, funcType(r, form, known))
		return
	}
	n := uint32(r.Count())
	for i := uint32(0); i < n && r.Err() == nil; i++ {
		m.Types = append(m.Types, funcType(r, r.Byte(), known+n))
	}
}

func funcType(r *binary.Reader, form byte, types uint32) FuncType {
	if r.Err() == nil && form != 0x60 {
		r.Fail(fmt.Errorf("type form %#x is not a function", form))
	}
	return FuncType{valueTypes(r, types), valueTypes(r, types)}
}

func valueTypes(r *binary.Reader, types uint32) string {
	var b strings.Builder
	r.Each(func() { b.WriteByte(r.ValType(types)) })
	return b.String()
}

// Limits reads the limits of a memory, or of a table, whose unit is the element.
func Limits(r *binary.Reader) Memory {
	flags := r.Byte()
	if flags > 7 {
		r.Fail(fmt.Errorf("limits flags %#x are not known", flags))
	}
	m := Memory{HasMax: flags&1 != 0, Shared: flags&2 != 0, Is64: flags&4 != 0}
	bits := 32
	if m.Is64 {
		bits = 64
	}
	m.Min = r.Uvarint(bits)
	if m.HasMax {
		m.Max = r.Uvarint(bits)
	}
	return m
}

func memory(r *binary.Reader) Memory {
	m := Limits(r)
	if r.Err() == nil && m.HasMax && m.Max < m.Min {
		r.Fail(errors.New("memory maximum is below its minimum"))
	}
	return m
}
