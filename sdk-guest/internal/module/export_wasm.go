//go:build wasm

package module

import "github.com/wasmtools/wasmtools/sdk-guest/internal/host"

//go:wasmexport spec
func exportSpec() int32 {
	defer lastWords()
	text, ok := registered.Spec()
	host.Host{}.Write(text)
	if !ok {
		return 1
	}
	return 0
}

//go:wasmexport wasmtools_warm_up
func exportWarmUp() {
	defer lastWords()
	registered.WarmUp()
}

//go:wasmexport execute
func exportExecute(tool int32) int32 {
	defer lastWords()
	host.Reseed()
	return int32(registered.Execute(host.Host{}, tool))
}
