package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wasmtools/wasmtools/internal/rewrite"
)

// world is a runtime with the instances of one script.
type world struct {
	runtime wazero.Runtime
	options *rewrite.Options // nil for modules as they are
	last    api.Module
	named   map[string]api.Module
	fuel    fuel
}

// fuel is what a host does about fuel: it gives as much again each time.
type fuel struct {
	quantum  int64
	deadline time.Time // if there is one
	given    int64
	refills  int
}

// out is called with what is left, which is below zero.
func (f *fuel) out(_ context.Context, stack []uint64) {
	if int64(stack[0]) >= 0 {
		panic(errors.New("called with fuel left"))
	}
	if !f.deadline.IsZero() && time.Now().After(f.deadline) {
		panic(context.DeadlineExceeded)
	}
	for int64(stack[0]) < 0 {
		stack[0] += uint64(f.quantum)
		f.given += f.quantum
	}
	f.refills++
}

// provide makes the import of rewritten modules.
func (f *fuel) provide(t testing.TB, ctx context.Context, r wazero.Runtime) {
	i64 := []api.ValueType{api.ValueTypeI64}
	_, err := r.NewHostModuleBuilder(rewrite.FuelModule).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(f.out), i64, i64).Export(rewrite.FuelImport).Instantiate(ctx)
	require.NoError(t, err)
}

func newWorld(t *testing.T, ctx context.Context, features api.CoreFeatures, host []byte, options *rewrite.Options) *world {
	w := &world{runtime: wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCoreFeatures(features)), options: options}
	w.named, w.fuel.quantum = map[string]api.Module{}, 1000
	t.Cleanup(func() { require.NoError(t, w.runtime.Close(ctx)) })
	w.fuel.provide(t, ctx, w.runtime)
	_, err := w.instantiate(ctx, host, "spectest")
	require.NoError(t, err)
	return w
}

func (w *world) instantiate(ctx context.Context, bin []byte, name string) (api.Module, error) {
	if w.options != nil {
		var err error
		if bin, _, err = rewrite.Rewrite(bin, w.options); err != nil {
			return nil, err
		}
	}
	return w.runtime.InstantiateWithConfig(ctx, bin, wazero.NewModuleConfig().WithName(name))
}

// outcome is how a command went.
type outcome struct {
	refused bool
	text    string // of the error, without the indexes of functions, which change, and the stack trace that has them
	results []string
	used    int64 // all fuel that was given, less what the module has left
}

func failure(err error) outcome {
	if err == nil {
		return outcome{}
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return outcome{refused: true, text: regexp.MustCompile(`function\[\d+\]( export\["wasmtools:mark"\])?`).ReplaceAllString(text, "function")}
}

func (w *world) run(ctx context.Context, dir string, c command) outcome {
	switch c.Type {
	case "module":
		m, err := w.load(ctx, dir, c)
		if err == nil {
			w.last = m
			w.named[c.Name] = m
		}
		return failure(err)
	case "assert_malformed", "assert_invalid", "assert_unlinkable", "assert_uninstantiable":
		if c.ModuleType == "text" {
			return outcome{}
		}
		_, err := w.load(ctx, dir, c)
		return failure(err)
	case "register":
		return outcome{}
	}
	return w.act(ctx, c)
}

func (w *world) load(ctx context.Context, dir string, c command) (api.Module, error) {
	bin, err := os.ReadFile(filepath.Join(dir, c.Filename))
	if err != nil {
		return nil, err
	}
	return w.instantiate(ctx, bin, c.As)
}

func (w *world) act(ctx context.Context, c command) outcome {
	m := w.last
	if c.Action.Module != "" {
		m = w.named[c.Action.Module]
	}
	if c.Action.Type == "get" {
		g := m.ExportedGlobal(c.Action.Field)
		return outcome{results: texts([]uint64{g.Get()}, []api.ValueType{g.Type()}, c.Expected)}
	}
	f := m.ExportedFunction(c.Action.Field)
	var args []uint64
	for _, v := range c.Action.Args {
		args = append(args, v.bits()...)
	}
	results, err := f.Call(ctx, args...)
	o := failure(err)
	o.results = texts(results, f.Definition().ResultTypes(), c.Expected)
	if left := m.ExportedGlobal(rewrite.FuelGlobal); left != nil {
		o.used = w.fuel.given - int64(left.Get())
	}
	return o
}

// expected checks the outcome against what the script says.
func (o outcome) expected(c command) error {
	switch c.Type {
	case "module", "action", "register":
		if o.refused {
			return errors.New(o.text)
		}
	case "assert_return":
		var want []string
		for _, v := range c.Expected {
			want = append(want, v.text())
		}
		if o.refused || strings.Join(want, " ") != strings.Join(o.results, " ") {
			return fmt.Errorf("got %s %q, want %q", o.text, o.results, want)
		}
	case "assert_uninstantiable": // the engine lets some pass
	default:
		if !o.refused && c.ModuleType != "text" {
			return errors.New("not refused")
		}
	}
	return nil
}
