package runtime

import (
	"slices"
	"strings"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/tool"
)

// Info is what can be told of a module without running it.
type Info struct {
	Digest    string   `json:"digest"`              // sha256:...
	Size      int      `json:"size"`                // in bytes
	Toolchain string   `json:"toolchain,omitempty"` // as the module claims; empty if it does not
	Functions int      `json:"functions"`           // defined in the module
	Imports   []Import `json:"imports"`             // all it could ever ask the host for, sorted
	Exports   []string `json:"exports"`             // sorted names of functions

	// MemoryMin and MemoryMax bound the linear memory, in bytes. MemoryMax is 0 if the module names none.
	MemoryMin int64 `json:"memoryMin"`
	MemoryMax int64 `json:"memoryMax,omitempty"`

	// Rewriting tells what is added to the module before it is compiled. It is nil if the module is not fit for that.
	Rewriting *Rewriting `json:"rewriting,omitempty"`
}

// Rewriting is what is added to a module so that its work can be counted and ended, and what that showed of it.
type Rewriting struct {
	// Loops, Charges, Checks and Bulk count the loops, the places where fuel is only taken, those where the host is also asked
	// when it is used up, and the instructions that are charged by the length that they are given.
	Loops   int `json:"loops"`
	Charges int `json:"charges"`
	Checks  int `json:"checks"`
	Bulk    int `json:"bulk"`

	// Globals is the number of mutable globals that can be saved and restored.
	Globals int `json:"globals"`

	// Obstacles say why saving and restoring memory and globals would not bring back all of the module's state.
	Obstacles []string `json:"obstacles,omitempty"`

	// Dropped are the names of custom sections that are left out.
	Dropped []string `json:"dropped,omitempty"`
}

func newRewriting(r *rewrite.Report) *Rewriting {
	return &Rewriting{
		Loops: r.Loops, Charges: r.Charges, Checks: r.Checks, Bulk: r.Bulk,
		Globals: len(r.Globals), Obstacles: r.Obstacles(), Dropped: r.Dropped,
	}
}

// Import is one function that a module imports.
type Import struct {
	Module string `json:"module"`
	Name   string `json:"name"`

	// Capability says in a few words what the import lets the module do. It is empty where the import is part of every
	// call, such as reading the arguments.
	Capability string `json:"capability,omitempty"`
}

// Inspect reports what can be told of the module bin without running or compiling it. It works for modules that cannot be
// loaded, too. The error is tool.BadModule where bin is not a WebAssembly module.
func Inspect(bin []byte) (Info, error) {
	m, err := outline(bin)
	if err != nil {
		return Info{}, err
	}
	info := newInfo(wasm.Digest(bin), len(bin), m)
	if _, report, err := rewrite.Rewrite(bin, nil); err == nil {
		info.Rewriting = newRewriting(report)
	}
	return info, nil
}

// InspectFile does the same for the module in the file at path.
func InspectFile(path string) (Info, error) {
	bin, err := readModule(path, tool.Unlimited)
	if err != nil {
		return Info{}, err
	}
	return Inspect(bin)
}

func newInfo(digest string, size int, m *wasm.Module) Info {
	info := Info{Digest: digest, Size: size, Toolchain: m.Toolchain(), Functions: m.Funcs, Imports: []Import{}, Exports: []string{}}
	for _, imp := range m.Imports {
		info.Imports = append(info.Imports, Import{imp.Module, imp.Name, capability(imp)})
	}
	slices.SortFunc(info.Imports, func(a, b Import) int {
		return strings.Compare(a.Module+"\x00"+a.Name, b.Module+"\x00"+b.Name)
	})
	for _, exp := range m.Exports {
		if exp.Kind == wasm.Func {
			info.Exports = append(info.Exports, exp.Name)
		}
	}
	slices.Sort(info.Exports)
	if len(m.Memories) > 0 {
		info.MemoryMin = pages(m.Memories[0].Min)
		info.MemoryMax = pages(m.Memories[0].Max)
	}
	return info
}

func pages(n uint64) int64 { return int64(min(n, 1<<32)) * pageSize }

// capability describes what an import is good for. Everything unknown is named as such.
func capability(imp wasm.Import) string {
	if imp.Module == abi.ImportModule {
		switch imp.Name {
		case abi.ImportInput, abi.ImportRead, abi.ImportWrite:
			return ""
		case abi.ImportContext:
			return "read the call's ID, memory ID and parameters"
		case abi.ImportLog:
			return "log"
		case abi.ImportApprove:
			return "ask a person for approval"
		}
	}
	if imp.Module == wasiModule {
		return wasiCapability(imp.Name)
	}
	return "unknown"
}

func wasiCapability(name string) string {
	switch {
	case strings.HasPrefix(name, "clock_"):
		return "read clocks"
	case name == "random_get":
		return "draw random numbers"
	case name == "poll_oneoff", name == "sched_yield":
		return "sleep"
	case name == "fd_write":
		return "write to the log (standard output and error)"
	case strings.HasPrefix(name, "path_"), strings.HasPrefix(name, "fd_"):
		return "files (there are none)"
	case strings.HasPrefix(name, "args_"), strings.HasPrefix(name, "environ_"):
		return "arguments and environment (there are none)"
	case strings.HasPrefix(name, "sock_"):
		return "sockets (there are none)"
	case name == "proc_exit":
		return "end its own call"
	}
	return ""
}
