package runtime

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/tool"
)

// engine is wazero, set up once for all modules of a Runtime.
type engine struct {
	wazero        wazero.Runtime
	wasi          map[string]wasm.FuncType // what a guest can import of WASI
	monotonicTime func() int64             // in nanoseconds
}

func newEngine(ctx context.Context) (*engine, error) {
	// Deadlines are not the engine's business: modules are rewritten to ask for fuel, see fuel.go.
	features := api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall | experimental.CoreFeaturesExtendedConst
	config := wazero.NewRuntimeConfig().WithCoreFeatures(features)
	started := time.Now()
	e := &engine{
		wazero:        wazero.NewRuntimeWithConfig(ctx, config),
		monotonicTime: func() int64 { return int64(time.Since(started)) },
	}
	var err error
	if e.wasi, err = instantiateWASI(ctx, e.wazero); err != nil {
		return nil, err
	}
	host := e.wazero.NewHostModuleBuilder(abi.ImportModule)
	for name, fn := range hostFunctions() {
		host.NewFunctionBuilder().WithGoModuleFunction(fn.call, i32s(fn.params), i32s(fn.results)).Export(name)
	}
	if _, err := host.Instantiate(ctx); err != nil {
		return nil, err
	}
	fuel := e.wazero.NewHostModuleBuilder(rewrite.FuelModule)
	i64 := []api.ValueType{api.ValueTypeI64}
	fuel.NewFunctionBuilder().WithGoFunction(api.GoFunc(hostFuel), i64, i64).Export(rewrite.FuelImport)
	if _, err := fuel.Instantiate(ctx); err != nil {
		return nil, err
	}
	return e, nil
}

func (e *engine) close(ctx context.Context) error { return e.wazero.Close(ctx) }

// compile makes bin count fuel and turns it into machine code. The compiler is not ours: a panic in it refuses the module.
// The time limit is looked at between two functions; how long one can take is bounded by its size.
//
// A memory may have one page more than memoryMax bytes in the engine's eyes. The allocator does not give it: see linearMemory.
func (e *engine) compile(
	ctx context.Context, bin []byte, limits LoadLimits, memoryMax int64,
) (code wazero.CompiledModule, report *rewrite.Report, err error) {
	fuelled, report, err := rewrite.Rewrite(bin, &rewrite.Options{
		MemoryMax: uint32(memoryMax/pageSize) + 1, ExportStart: true, CutData: true,
		Limits: &rewrite.Limits{Module: rewrite.Unlimited, Functions: int(limits.Functions), Code: int(limits.Code)},
	})
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("compiler panic: %v", p)
		}
	}()
	if limits.Compile >= 0 {
		var cancel context.CancelFunc
		limit := &tool.LimitError{Name: tool.LimitCompile, Max: int64(limits.Compile)}
		ctx, cancel = context.WithTimeoutCause(ctx, limits.Compile, limit)
		defer cancel()
	}
	workers := max(2, runtime.GOMAXPROCS(0)) // a single one does not look at the context
	code, err = e.wazero.CompileModule(experimental.WithCompilationWorkers(ctx, workers), fuelled)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return code, report, err
}

func i32s(n int) []api.ValueType {
	types := make([]api.ValueType, n)
	for i := range types {
		types[i] = api.ValueTypeI32
	}
	return types
}
