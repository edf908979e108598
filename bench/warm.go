package main

import (
	"bytes"
	"context"
	"fmt"
	goruntime "runtime"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/bench/harness"
	"github.com/wasmtools/wasmtools/internal/rewrite"
)

// keeper says what can hold a guest to its deadline.
type keeper int

const (
	nothing     keeper = iota
	fuel               // as package runtime does it
	closeOnDone        // wazero's own check
)

const (
	callTime = time.Hour // no call takes that long
	quantum  = 200_000   // as in package runtime
	pace     = 50 * time.Microsecond
)

// warm is an instance of a guest on wazero alone that is used for one call after the other, with the least of a host that its
// imports can do with.
type warm struct {
	keeper  keeper
	engine  wazero.Runtime
	code    wazero.CompiledModule
	module  api.Module
	execute api.Function
	left    api.MutableGlobal // fuel

	input, staged, output []byte
	deadline, paced       time.Time
	given                 int64
}

// newWarm compiles a guest and instantiates it.
func newWarm(bin []byte, k keeper) (*warm, error) {
	ctx := context.Background()
	w := &warm{keeper: k, engine: wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCloseOnContextDone(k == closeOnDone))}
	if err := w.prepare(ctx, bin); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *warm) prepare(ctx context.Context, bin []byte) error {
	if err := w.host(ctx); err != nil {
		return err
	}
	var err error
	if w.keeper == fuel {
		if bin, _, err = rewrite.Rewrite(bin, nil); err != nil {
			return err
		}
	}
	if w.code, err = w.engine.CompileModule(experimental.WithCompilationWorkers(ctx, goruntime.GOMAXPROCS(0)), bin); err != nil {
		return err
	}
	return w.renew()
}

// renew puts a new instance in the place of the one there is.
func (w *warm) renew() error {
	ctx := context.Background()
	if w.module != nil {
		if err := w.module.Close(ctx); err != nil {
			return err
		}
	}
	w.deadline = time.Now().Add(callTime)
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions(abi.ExportInitialize)
	module, err := w.engine.InstantiateModule(ctx, w.code, config)
	if err != nil {
		return err
	}
	w.module, w.execute = module, module.ExportedFunction(abi.ExportExecute)
	if w.keeper == fuel {
		w.left = module.ExportedGlobal(rewrite.FuelGlobal).(api.MutableGlobal)
	}
	return nil
}

// host provides what guests import.
func (w *warm) host(ctx context.Context) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, w.engine); err != nil {
		return err
	}
	i32, i64 := api.ValueTypeI32, api.ValueTypeI64
	host := w.engine.NewHostModuleBuilder(abi.ImportModule)
	export := func(name string, params, results []api.ValueType, f api.GoModuleFunc) {
		host.NewFunctionBuilder().WithGoModuleFunction(f, params, results).Export(name)
	}
	export(abi.ImportInput, nil, []api.ValueType{i32}, func(_ context.Context, _ api.Module, stack []uint64) {
		w.staged = w.input
		stack[0] = uint64(len(w.staged))
	})
	export(abi.ImportRead, []api.ValueType{i32, i32}, []api.ValueType{i32}, func(_ context.Context, m api.Module, stack []uint64) {
		n := min(int(uint32(stack[1])), len(w.staged))
		m.Memory().Write(uint32(stack[0]), w.staged[:n])
		w.staged, stack[0] = w.staged[n:], uint64(n)
	})
	export(abi.ImportWrite, []api.ValueType{i32, i32}, nil, func(_ context.Context, m api.Module, stack []uint64) {
		text, _ := m.Memory().Read(uint32(stack[0]), uint32(stack[1]))
		w.output = append(w.output, text...)
	})
	if _, err := host.Instantiate(ctx); err != nil {
		return err
	}
	_, err := w.engine.NewHostModuleBuilder(rewrite.FuelModule).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(w.refuel), []api.ValueType{i64}, []api.ValueType{i64}).
		Export(rewrite.FuelImport).Instantiate(ctx)
	return err
}

// refuel looks at what package runtime looks at.
func (w *warm) refuel(ctx context.Context, stack []uint64) {
	switch {
	case ctx.Err() != nil:
		panic(ctx.Err())
	case time.Until(w.deadline) <= 0:
		panic(context.DeadlineExceeded)
	}
	if now := time.Now(); now.Sub(w.paced) >= pace {
		goruntime.Gosched()
		w.paced = now
	}
	w.given += quantum - int64(stack[0])
	stack[0] = quantum
}

// call does a job. If it is armed, the call has a deadline of its own, and a context that ends then. The result is good until the
// next call.
func (w *warm) call(j job, armed bool) ([]byte, error) {
	w.input, w.output = j.input, w.output[:0]
	ctx := context.Background()
	if armed {
		w.deadline = time.Now().Add(callTime)
		if w.keeper == closeOnDone { // package runtime needs no timer
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, w.deadline)
			defer cancel()
		}
	}
	if w.keeper == fuel {
		w.given = quantum
		w.left.Set(quantum)
	}
	status, err := w.execute.Call(ctx, uint64(j.tool))
	if err != nil {
		return nil, err
	}
	if status[0] != uint64(abi.KindJSON) {
		return nil, fmt.Errorf("status %d: %s", status[0], w.output)
	}
	return w.output, nil
}

// bench makes a case of a job, after comparing all of its output. If the guest never frees memory, each sample has a new
// instance.
func (w *warm) bench(name string, j job, armed, leaking bool) (harness.Case, error) {
	c := harness.Case{Name: name, Run: func(n int) error {
		for range n {
			if _, err := w.call(j, armed); err != nil {
				return err
			}
		}
		return nil
	}}
	if leaking {
		c.Before = w.renew
	}
	output, err := w.call(j, armed)
	if err == nil && !bytes.Equal(output, j.want) {
		err = fmt.Errorf("%s: wrong output: %s", j.title, output)
	}
	return c, err
}

func (w *warm) close() { w.engine.Close(context.Background()) }
