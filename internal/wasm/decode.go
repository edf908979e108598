package wasm

import (
	"errors"
	"fmt"
	"strings"
)

// Section IDs, and their order in a module.
const (
	secCustom   = 0
	secType     = 1
	secImport   = 2
	secFunction = 3
	secTable    = 4
	secMemory   = 5
	secGlobal   = 6
	secExport   = 7
	secStart    = 8
	secElement  = 9
	secCode     = 10
	secData     = 11
	secCount    = 12 // DataCount, between Element and Code
	secTag      = 13 // between Memory and Global
)

func rank(id byte) int {
	switch id {
	case secTag:
		return 2*secMemory + 1
	case secCount:
		return 2*secElement + 1
	}
	return 2 * int(id)
}

// Decode reads the outline of bin. It keeps no reference to bin but for the data of custom sections.
func Decode(bin []byte) (*Module, error) {
	if err := checkPreamble(bin); err != nil {
		return nil, err
	}
	m := &Module{}
	r := &reader{data: bin, pos: 8}
	last := 0
	for r.more() {
		id := r.byte()
		body := r.bytes(r.count())
		if r.err != nil {
			return nil, fmt.Errorf("section %d: %w", id, r.err)
		}
		if id != secCustom {
			if id > secTag || rank(id) <= last {
				return nil, fmt.Errorf("section %d is unknown or out of order", id)
			}
			last = rank(id)
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
	r := &reader{data: body}
	switch id {
	case secCustom:
		name := r.name()
		if len(m.Customs) == maxTables {
			return fmt.Errorf("more than %d custom sections", maxTables)
		}
		m.Customs = append(m.Customs, Custom{name, r.data[r.pos:]})
		return r.err
	case secType:
		each(r, maxItems, func() { m.types = append(m.types, r.funcType()) })
	case secImport:
		each(r, maxNames, func() { m.importEntry(r) })
	case secFunction:
		each(r, maxItems, func() { m.function(r, r.u32()); m.Funcs++ })
	case secTable:
		each(r, maxTables, func() { m.table(r) })
	case secMemory:
		each(r, maxTables, func() { m.Memories = append(m.Memories, r.memory()) })
	case secExport:
		each(r, maxNames, func() { m.Exports = append(m.Exports, Export{Name: r.name(), Kind: Kind(r.byte()), Index: r.u32()}) })
	default:
		return nil
	}
	if r.err == nil && r.rest() > 0 {
		return fmt.Errorf("%d bytes too many", r.rest())
	}
	return r.err
}

// Ceilings on what a module may hold. The outline of an item takes many times its size in the binary; no toolchain gets
// near these.
const (
	maxItems  = 1_000_000 // types, functions
	maxNames  = 100_000   // imports, exports
	maxTables = 1000      // tables, memories, custom sections
)

// each reads a vector of at most limit items, calling item until all of it is read or something fails.
func each(r *reader, limit int, item func()) {
	n := r.count()
	if n > limit {
		r.fail(fmt.Errorf("%d items, at most %d are allowed", n, limit))
	}
	for ; n > 0 && r.err == nil; n-- {
		item()
	}
}

// table reads a table of the module's own, with or without an expression for its elements.
func (m *Module) table(r *reader) {
	if first := r.refType(); first == 0x40 { // typed references: 0x40 0x00 reftype limits expression
		r.fail(errors.New("table with an initialiser is not supported"))
	}
	m.TableMin += r.limits().Min
}

func (m *Module) function(r *reader, typeIndex uint32) FuncType {
	if int64(typeIndex) >= int64(len(m.types)) {
		r.fail(fmt.Errorf("type %d does not exist", typeIndex))
		return FuncType{}
	}
	m.funcTypes = append(m.funcTypes, typeIndex)
	return m.types[typeIndex]
}

func (m *Module) importEntry(r *reader) {
	imp := Import{Module: r.name(), Name: r.name(), Kind: Kind(r.byte())}
	switch imp.Kind {
	case Func:
		imp.Type = m.function(r, r.u32())
	case Table:
		r.refType()
		r.limits()
	case Mem:
		r.memory()
	case Global:
		r.refType() // any value type
		r.byte()
	case Tag:
		r.byte()
		r.u32()
	default:
		r.fail(fmt.Errorf("import %q %q has unknown %s", imp.Module, imp.Name, imp.Kind))
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
		if int64(e.Index) >= int64(len(m.funcTypes)) {
			return fmt.Errorf("export %q: function %d does not exist", e.Name, e.Index)
		}
		m.Exports[i].Type = m.types[m.funcTypes[e.Index]]
	}
	return nil
}

func (r *reader) funcType() FuncType {
	if form := r.byte(); r.err == nil && form != 0x60 {
		r.fail(fmt.Errorf("type form %#x is not a function", form))
	}
	return FuncType{r.valTypes(), r.valTypes()}
}

func (r *reader) valTypes() string {
	var b strings.Builder
	each(r, maxItems, func() { b.WriteByte(r.refType()) })
	return b.String()
}

// refType reads a value type. Of a typed reference, which takes several bytes, it returns the first.
func (r *reader) refType() byte {
	t := r.byte()
	if t == 0x63 || t == 0x64 { // (ref null ht), (ref ht)
		r.uvarint(33)
	}
	return t
}

func (r *reader) limits() Memory {
	flags := r.byte()
	if flags > 7 {
		r.fail(fmt.Errorf("limits flags %#x are not known", flags))
	}
	m := Memory{HasMax: flags&1 != 0, Shared: flags&2 != 0, Is64: flags&4 != 0}
	bits := 32
	if m.Is64 {
		bits = 64
	}
	m.Min = r.uvarint(bits)
	if m.HasMax {
		m.Max = r.uvarint(bits)
	}
	return m
}

func (r *reader) memory() Memory {
	m := r.limits()
	if r.err == nil && m.HasMax && m.Max < m.Min {
		r.fail(errors.New("memory maximum is below its minimum"))
	}
	return m
}
