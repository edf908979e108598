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
)

// engine is wazero, set up once for all modules of a Runtime.
type engine struct {
	wazero        wazero.Runtime
	config        wazero.RuntimeConfig
	wasi          map[string]wasm.FuncType // what a guest can import of WASI
	monotonicTime func() int64             // in nanoseconds
}

// newEngine sets the engine up. The store may be nil.
func newEngine(ctx context.Context, st *store) (*engine, error) {
	// Deadlines are not the engine's business: modules are rewritten to ask for fuel, see fuel.go.
	features := api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall | experimental.CoreFeaturesExtendedConst
	config := wazero.NewRuntimeConfig().WithCoreFeatures(features)
	own := config
	if st != nil {
		own = config.WithCompilationCache(st.engine)
	}
	started := time.Now()
	e := &engine{
		wazero:        wazero.NewRuntimeWithConfig(ctx, own),
		config:        config,
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

// compileModule turns a module into machine code. The compiler is not ours: a panic in it refuses the module. It looks at ctx
// between two functions; how long one can take is bounded by its size.
func compileModule(ctx context.Context, rt wazero.Runtime, bin []byte) (code wazero.CompiledModule, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("compiler panic: %v", p)
		}
	}()
	workers := max(2, runtime.GOMAXPROCS(0)) // a single one does not look at the context
	code, err = rt.CompileModule(experimental.WithCompilationWorkers(ctx, workers), bin)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return code, err
}

func i32s(n int) []api.ValueType {
	types := make([]api.ValueType, n)
	for i := range types {
		types[i] = api.ValueTypeI32
	}
	return types
}
