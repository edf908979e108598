package main

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/internal/hostile"
)

// bare is the engine alone, set up as its documentation advises for guests that may not end.
type bare struct{}

func startWazero(context.Context, string) (attacked, error) { return bare{}, nil }

// engineConfig has the features that this runtime gives its guests as well.
func engineConfig() wazero.RuntimeConfig {
	return wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall | experimental.CoreFeaturesExtendedConst)
}

// guestConfig gives guests real clocks, sleep and randomness, as this runtime does.
func guestConfig() wazero.ModuleConfig {
	return wazero.NewModuleConfig().WithSysWalltime().WithSysNanotime().WithSysNanosleep().WithRandSource(rand.Reader)
}

func (bare) meet(ctx context.Context, _ hostile.Attack, bin []byte) (got answer) {
	config := engineConfig().WithCloseOnContextDone(true).WithMemoryLimitPages(memoryPages)
	rt := wazero.NewRuntimeWithConfig(ctx, config)
	defer rt.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, rt)
	if err := instantiateHost(ctx, rt); err != nil {
		got.finish(err)
		return got
	}
	var mod api.Module
	var err error
	got.Load, err = timed(func() error {
		code, err := rt.CompileModule(ctx, bin)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, timeLimit)
		defer cancel()
		mod, err = rt.InstantiateModule(ctx, code, guestConfig().WithStartFunctions(abi.ExportInitialize))
		return err
	})
	if err != nil {
		got.Failed = true
		got.finish(err)
		return got
	}
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	got.Call, err = timed(func() error {
		_, err := mod.ExportedFunction("run").Call(ctx)
		return err
	})
	got.finish(err)
	return got
}

// instantiateHost offers the functions of the ABI, each as the least that does what it is for: no input, output that is kept,
// and nobody to ask.
func instantiateHost(ctx context.Context, rt wazero.Runtime) error {
	var output []byte
	bodies := map[string]func(mod api.Module, p []uint64) int32{
		abi.ImportInput:   func(api.Module, []uint64) int32 { return 0 },
		abi.ImportContext: func(api.Module, []uint64) int32 { return 0 },
		abi.ImportRead: func(mod api.Module, p []uint64) int32 {
			view(mod, p[0], p[1])
			return 0
		},
		abi.ImportWrite: func(mod api.Module, p []uint64) int32 {
			output = append(output, view(mod, p[0], p[1])...)
			return 0
		},
		abi.ImportLog: func(mod api.Module, p []uint64) int32 {
			view(mod, p[1], p[2])
			view(mod, p[3], p[4])
			return 0
		},
		abi.ImportApprove: func(mod api.Module, p []uint64) int32 {
			view(mod, p[0], p[1])
			return abi.ErrDenied
		},
	}
	host := rt.NewHostModuleBuilder(abi.ImportModule)
	for _, f := range abi.Functions() {
		body := func(_ context.Context, mod api.Module, stack []uint64) {
			if res := bodies[f.Name](mod, stack); f.Results > 0 {
				stack[0] = api.EncodeI32(res)
			}
		}
		host.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(body), i32s(f.Params), i32s(f.Results)).Export(f.Name)
	}
	_, err := host.Instantiate(ctx)
	return err
}

// view returns guest memory, or ends the guest.
func view(mod api.Module, ptr, length uint64) []byte {
	b, ok := mod.Memory().Read(uint32(ptr), uint32(length))
	if !ok {
		panic(errors.New("not the guest's memory"))
	}
	return b
}

func i32s(n int) []api.ValueType {
	types := make([]api.ValueType, n)
	for i := range types {
		types[i] = api.ValueTypeI32
	}
	return types
}
