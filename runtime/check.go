package runtime

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/tool"
)

// wasiModule is the import module of WASI preview 1.
const wasiModule = "wasi_snapshot_preview1"

// refused says why a module cannot be loaded and what to do about it.
func refused(hint, format string, args ...any) *tool.Error {
	return tool.Errorf(tool.BadModule, format, args...).WithHint("%s", hint)
}

// outline decodes bin as far as is needed to judge it.
func outline(bin []byte) (*wasm.Module, error) {
	m, err := wasm.Decode(bin)
	switch {
	case errors.Is(err, wasm.ErrNotWasm):
		return nil, refused("a module begins with the bytes 00 61 73 6d; build one with TinyGo: see docs/writing-tools.md", "not a WebAssembly module")
	case errors.Is(err, wasm.ErrComponent):
		return nil, refused("build a core module: with TinyGo -target=wasip1 -buildmode=c-shared, or take the module out of the component with wasm-tools component unbundle",
			"a WebAssembly component, not a core module")
	case err != nil:
		return nil, refused("the file is damaged, or uses a feature that is not supported", "malformed WebAssembly").WithCause(err)
	}
	return m, nil
}

// checkModule reports the first reason why m is no module of tools.
func checkModule(m *wasm.Module, wasi map[string]wasm.FuncType, limits tool.Limits, load LoadLimits) error {
	if err := checkSize(m, load); err != nil {
		return err
	}
	for _, imp := range m.Imports { // first, since imports tell best what a module was built for
		if err := checkImport(imp, wasi); err != nil {
			return err
		}
	}
	if err := checkKind(m); err != nil {
		return err
	}
	if err := checkExports(m); err != nil {
		return err
	}
	return checkMemory(m, limits)
}

// checkSize holds a module to the limits that say how large it may be.
func checkSize(m *wasm.Module, limits LoadLimits) error {
	for _, l := range []struct {
		name        tool.LimitName
		max, actual int64
	}{
		{tool.LimitFunctions, limits.Functions, int64(len(m.FuncTypes))},
		{tool.LimitCode, limits.Code, int64(m.CodeSize)},
		{tool.LimitTable, limits.Table, int64(min(m.TableMin, 1<<62))},
	} {
		if tool.Exceeded(l.max, l.actual) {
			return refused("if it is to be trusted, raise the limit in Options.Load", "is too large").
				WithCause(&tool.LimitError{Name: l.name, Max: l.max, Actual: l.actual})
		}
	}
	return nil
}

func checkKind(m *wasm.Module) error {
	if _, ok := m.Export("_start", wasm.Func); ok {
		return refused("build it as a library: with TinyGo or Go -buildmode=c-shared, with clang -mexec-model=reactor",
			"a WASI command (it exports _start), not a module of tools")
	}
	return nil
}

func checkImport(imp wasm.Import, wasi map[string]wasm.FuncType) error {
	switch {
	case imp.Module == wasiModule:
		want, ok := wasi[imp.Name]
		if imp.Kind != wasm.Func || !ok {
			return refused("only the functions of WASI preview 1 are there", "imports unknown %s %.200q from %.200q", imp.Kind, imp.Name, wasiModule)
		}
		return checkImportType(imp, want)
	case imp.Module == abi.ImportModule:
		return checkHostImport(imp)
	case strings.HasPrefix(imp.Module, abi.ImportModulePrefix):
		return refused("build the module with a version of the SDK that matches this host, or use another version of wasmtools",
			"was built for another version of the ABI: it imports from %.200q, and this host has %.200q", imp.Module, abi.ImportModule)
	}
	return unknownImport(imp)
}

func checkHostImport(imp wasm.Import) error {
	i := slices.IndexFunc(abi.Functions(), func(f abi.Function) bool { return f.Name == imp.Name })
	if imp.Kind != wasm.Func || i < 0 {
		return refused("see docs/abi.md for the functions that this version has; a newer wasmtools may have more",
			"imports unknown %s %.200q from %.200q", imp.Kind, imp.Name, abi.ImportModule)
	}
	f := abi.Functions()[i]
	want := wasm.FuncType{Params: strings.Repeat(wasm.I32, f.Params), Results: strings.Repeat(wasm.I32, f.Results)}
	return checkImportType(imp, want)
}

func checkImportType(imp wasm.Import, want wasm.FuncType) error {
	if imp.Type != want {
		return refused("see docs/abi.md", "imports %.200q from %.200q as %s; it is %s", imp.Name, imp.Module, imp.Type, want)
	}
	return nil
}

func unknownImport(imp wasm.Import) error {
	hint := "a module of tools imports only from " + abi.ImportModule + " and " + wasiModule
	switch {
	case strings.HasPrefix(imp.Module, "extism:"):
		hint = "this is an Extism plugin; plugins of other systems are not supported yet"
	case imp.Module == "gojs" || imp.Module == "go":
		hint = "this was built for browsers; build it with GOOS=wasip1, or with TinyGo -target=wasip1"
	case imp.Module == "env" && imp.Kind == wasm.Mem:
		hint = "link without --import-memory: the module has to define its own memory"
	case imp.Module == "env":
		hint = "an undefined symbol became an import; link without --allow-undefined to find it, and declare host functions with " +
			"import_module(\"" + abi.ImportModule + "\")"
	}
	return refused(hint, "imports unknown %s %.200q from %.200q", imp.Kind, imp.Name, imp.Module)
}

func checkExports(m *wasm.Module) error {
	const hint = "a module of tools exports memory, spec: () -> (i32) and execute: (i32) -> (i32), see docs/abi.md; " +
		"with the guest SDK, build with -target=wasip1 -buildmode=c-shared"
	if _, ok := m.Export(abi.ExportMemory, wasm.Mem); !ok {
		return refused(hint, "does not export its memory as %.200q", abi.ExportMemory)
	}
	for _, want := range []struct {
		name     string
		typ      wasm.FuncType
		optional bool
	}{
		{abi.ExportSpec, wasm.FuncType{Results: wasm.I32}, false},
		{abi.ExportExecute, wasm.FuncType{Params: wasm.I32, Results: wasm.I32}, false},
		{abi.ExportInitialize, wasm.FuncType{}, true},
		{abi.ExportWarmUp, wasm.FuncType{}, true},
	} {
		exp, ok := m.Export(want.name, wasm.Func)
		switch {
		case !ok && want.optional:
		case !ok:
			return refused(hint, "does not export a function %.200q", want.name)
		case exp.Type != want.typ:
			return refused(hint, "exports %.200q as %s; want %s", want.name, exp.Type, want.typ)
		case int(exp.Index) < len(m.FuncTypes)-m.Funcs: // the engine would call it without a guest, whose memory and stack it is to use
			return refused("define the function in the module", "exports an import as %.200q", want.name)
		}
	}
	for _, exp := range m.Exports { // kept free for later revisions of the ABI
		if strings.HasPrefix(exp.Name, "wasmtools_") && exp.Name != abi.ExportWarmUp || strings.HasPrefix(exp.Name, rewrite.Prefix) {
			return refused("rename the export", "exports %.200q: names that begin with wasmtools_ or %s are reserved", exp.Name, rewrite.Prefix)
		}
	}
	return nil
}

func checkMemory(m *wasm.Module, limits tool.Limits) error {
	if len(m.Memories) != 1 {
		return refused("a module defines exactly one memory", "defines %d memories", len(m.Memories))
	}
	mem := m.Memories[0]
	switch {
	case mem.Shared:
		return refused("build it without threads", "its memory is shared")
	case mem.Is64:
		return refused("build it for wasm32", "its memory is 64-bit")
	case mem.Min > 65536:
		return refused("", "its memory has more than 65536 pages")
	case pages(mem.Min) > memoryCeiling(limits.Memory):
		return refused("raise the memory limit", "needs more memory than it may have").
			WithCause(&tool.LimitError{Name: tool.LimitMemory, Max: memoryCeiling(limits.Memory), Actual: pages(mem.Min)})
	}
	return nil
}

// imports tells whether m imports that function of the ABI.
func imports(m *wasm.Module, name string) bool {
	return slices.ContainsFunc(m.Imports, func(imp wasm.Import) bool { return imp.Module == abi.ImportModule && imp.Name == name })
}

// checkInjection makes sure that a tool that says it needs a value of the invocation could read it.
func checkInjection(m *wasm.Module, spec tool.Spec) error {
	if len(spec.Inject) > 0 && !imports(m, abi.ImportContext) {
		return fmt.Errorf("tool %q injects %s but the module does not import %q", spec.Name, strings.Join(spec.Inject, ", "), abi.ImportContext)
	}
	return nil
}
