// Package abi is the contract between a host and a guest module, version 1: the names of exports and imports, status and
// error codes, and the JSON that crosses the boundary. docs/abi.md is the normative text.
//
// The package compiles under Go and TinyGo, imports the standard library only, and does nothing by itself: start with
// [Functions] for the imports, [Status] for what execute returns, and [Module] for what spec writes.
package abi

// Version is the version of the ABI that this package describes. Another version has another import module.
const Version = 1

// ImportModule is the name of the module that the host functions are imported from.
const ImportModule = "wasmtools_v1"

// ImportModulePrefix begins the import module's name in every version.
const ImportModulePrefix = "wasmtools_v"

// Exports of a guest module.
const (
	ExportSpec       = "spec"              // () -> i32: writes a Module as JSON, returns 0
	ExportExecute    = "execute"           // (tool i32) -> i32: runs a tool, returns a Status
	ExportInitialize = "_initialize"       // () -> (): optional, called once before all else
	ExportWarmUp     = "wasmtools_warm_up" // () -> (): optional, called after that while the module is loaded, any number of times
	ExportMemory     = "memory"            // the linear memory that all pointers refer to
)

// Imports that every guest may use.
const (
	ImportInput   = "input"   // () -> i32: stages the arguments, returns their size
	ImportRead    = "read"    // (ptr, len i32) -> i32: copies staged bytes, returns how many
	ImportWrite   = "write"   // (ptr, len i32): appends to the output
	ImportContext = "context" // () -> i32: stages a Context as JSON, returns its size
)

// Imports that are capabilities: a host may deny them.
const (
	ImportLog     = "log"     // (level, ptr, len, attrsPtr, attrsLen i32) -> i32
	ImportApprove = "approve" // (ptr, len i32) -> i32: a Decision, an edited text staged; or negative
)

// Function is the type of one import. All values are i32.
type Function struct {
	Name    string
	Params  int
	Results int
}

// Functions returns every import of this version, sorted by name.
func Functions() []Function {
	return []Function{
		{ImportApprove, 2, 1},
		{ImportContext, 0, 1},
		{ImportInput, 0, 1},
		{ImportLog, 5, 1},
		{ImportRead, 2, 1},
		{ImportWrite, 2, 0},
	}
}
