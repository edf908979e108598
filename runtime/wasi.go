package runtime

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	"github.com/wasmtools/wasmtools/internal/wasi"
	"github.com/wasmtools/wasmtools/internal/wasm"
)

// instantiateWASI makes WASI importable and returns the types of its functions. The state is that of the call.
func instantiateWASI(ctx context.Context, rt wazero.Runtime) (map[string]wasm.FuncType, error) {
	types := map[string]wasm.FuncType{}
	host := rt.NewHostModuleBuilder(wasiModule)
	for _, f := range wasi.Functions() {
		types[f.Name] = f.Type
		params, results := []api.ValueType(f.Type.Params), []api.ValueType(f.Type.Results)
		host.NewFunctionBuilder().WithGoModuleFunction(bindWASI(f), params, results).Export(f.Name)
	}
	_, err := host.Instantiate(ctx)
	return types, err
}

func bindWASI(f wasi.Function) api.GoModuleFunc {
	return func(ctx context.Context, mod api.Module, stack []uint64) {
		errno := f.Call(ctx, &stateOf(ctx).wasi, guestMemory(mod), stack)
		if f.Type.Results != "" {
			stack[0] = uint64(errno)
		}
	}
}

// wasiState returns WASI as every call finds it: no arguments, no environment, output that goes to the log. The monotonic clock
// counts from the start of the engine, so that it goes on between an instance's initialisation and its calls.
func (e *engine) wasiState(s *callState) wasi.State {
	return wasi.State{
		Stdout:    &s.streams[0],
		Stderr:    &s.streams[1],
		Random:    rand.Reader,
		Wall:      wasi.Clock{Now: wallTime, Resolution: time.Microsecond},
		Monotonic: wasi.Clock{Now: e.monotonicTime, Resolution: time.Nanosecond},
		Sleep:     sleep,
		Check:     checkTime,
		Exit:      exit,
	}
}

func wallTime() int64 { return time.Now().UnixNano() }

// checkTime ends the call if it is over.
func checkTime(ctx context.Context) { stateOf(ctx).checkTime(ctx) }

// sleep is what a guest's sleep becomes: it ends with the call.
func sleep(ctx context.Context, d time.Duration) {
	stateOf(ctx).block()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// exit ends the call as proc_exit does. The instance is not closed: what becomes of it is its owner's business.
func exit(code uint32) { panic(sys.NewExitError(code)) }
