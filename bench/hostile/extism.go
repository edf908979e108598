package main

import (
	"context"
	"io"
	"log"

	extism "github.com/extism/go-sdk"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/internal/hostile"
)

// plugins is the Extism SDK for Go.
type plugins struct{}

func startExtism(context.Context, string) (attacked, error) {
	log.SetOutput(io.Discard) // where the SDK logs to
	return plugins{}, nil
}

func (plugins) meet(ctx context.Context, _ hostile.Attack, bin []byte) (got answer) {
	manifest := extism.Manifest{
		Wasm:    []extism.Wasm{extism.WasmData{Data: bin}},
		Memory:  &extism.ManifestMemory{MaxPages: memoryPages},
		Timeout: uint64(timeLimit.Milliseconds()),
	}
	config := extism.PluginConfig{RuntimeConfig: engineConfig(), EnableWasi: true}
	var plugin *extism.Plugin
	var err error
	got.Load, err = timed(func() error {
		compiled, err := extism.NewCompiledPlugin(ctx, manifest, config, hostFunctions())
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, timeLimit) // the manifest's is for calls
		defer cancel()
		plugin, err = compiled.Instance(ctx, extism.PluginInstanceConfig{ModuleConfig: guestConfig()})
		return err
	})
	if err != nil {
		got.Failed = true
		got.finish(err)
		return got
	}
	got.Call, err = timed(func() error {
		_, _, err := plugin.CallWithContext(ctx, "run", nil)
		return err
	})
	got.finish(err)
	return got
}

// hostFunctions offers the functions of the ABI. An Extism host function sees the SDK's memory and not the guest's, so these
// do nothing and say so: there is no input, and nobody to ask.
func hostFunctions() []extism.HostFunction {
	var functions []extism.HostFunction
	for _, f := range abi.Functions() {
		body := func(_ context.Context, _ *extism.CurrentPlugin, stack []uint64) {
			switch {
			case f.Name == abi.ImportApprove:
				stack[0] = extism.EncodeI32(abi.ErrDenied)
			case f.Results > 0:
				stack[0] = 0
			}
		}
		fn := extism.NewHostFunctionWithStack(f.Name, body, i32s(f.Params), i32s(f.Results))
		fn.SetNamespace(abi.ImportModule)
		functions = append(functions, fn)
	}
	return functions
}
