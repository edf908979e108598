package rewrite

import (
	"fmt"

	"github.com/wasmtools/wasmtools/internal/wasm"
)

// Report is what the rewriter found and did.
type Report struct {
	// Module is the outline of the module as it was: its imports, exports, memories and toolchain.
	Module *wasm.Module

	// Globals are the mutable globals that a host can save and restore, by their exports.
	Globals []Global

	// Data are the active data segments, in their order. Passive ones are counted.
	Data        []Data
	PassiveData int
	DataCut     bool // the new module has none of them

	// What saving memory and globals does not save.
	LostGlobals int // mutable globals that are imported, or whose type cannot be read and written as 64 bits
	TableWrites int // instructions that change a table
	Drops       int // elem.drop and data.drop
	Waits       int // memory.atomic.wait

	// MemoryInits counts memory.init.
	MemoryInits int

	// Loops, Charges, Checks and Bulk count what was added: loop heads, places that take fuel, places that also ask whether it
	// is used up, and bulk instructions that are charged by their length.
	Loops, Charges, Checks, Bulk int

	// Added counts the functions behind the module's own: those that do large bulk instructions piece by piece, and the mark.
	Added int

	// Complexity is that of the most complex function, Effort that of the module, as in Limits.
	Complexity, Effort int

	// Dropped are the names of the custom sections that are left out.
	Dropped []string
}

// Global is a mutable global.
type Global struct {
	Index  uint32
	Type   byte   // i32, i64, f32 or f64, by its binary encoding
	Export string // its added name
}

// Data is an active data segment.
type Data struct {
	Offset uint32
	Fixed  bool   // Offset is known; otherwise it depends on a global
	Bytes  []byte // a part of the module
}

// Obstacles says why saving memory and globals, and restoring them, would not bring back the whole state of an instance, for
// people. There are none for a module that only its memory and ordinary globals are the state of.
func (r *Report) Obstacles() []string {
	var found []string
	add := func(n int, what string) {
		if n > 0 {
			found = append(found, fmt.Sprintf("%d %s", n, what))
		}
	}
	imports := map[wasm.Kind]int{}
	for _, i := range r.Module.Imports {
		imports[i.Kind]++
	}
	add(imports[wasm.Mem], "imported memories")
	add(imports[wasm.Table], "imported tables")
	add(r.LostGlobals, "globals that are imported or hold vectors or references")
	add(r.TableWrites, "instructions that change a table")
	add(r.Drops, "instructions that drop a segment")
	add(r.Waits, "instructions that wait for another thread")
	for _, m := range r.Module.Memories {
		if m.Shared {
			add(1, "shared memory")
		}
	}
	return found
}
