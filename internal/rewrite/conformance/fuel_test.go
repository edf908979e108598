package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// guest is an instance of testdata/fuel.
type guest struct {
	api.Module
	fuel fuel
}

var errUsedUp = errors.New("used up")

// newGuest makes an instance that is given as much fuel at a time, up to a limit.
func newGuest(t *testing.T, quantum, limit int64) *guest {
	bin, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "fuel", "fuel.wasm"))
	require.NoError(t, err)
	return rewriteGuest(t, bin, quantum, limit, nil)
}

func rewriteGuest(t *testing.T, bin []byte, quantum, limit int64, options *rewrite.Options) *guest {
	out, _, err := rewrite.Rewrite(bin, options)
	require.NoError(t, err)
	return newGuestOf(t, out, quantum, limit)
}

// newGuestOf makes one of a rewritten module.
func newGuestOf(t *testing.T, rewritten []byte, quantum, limit int64) *guest {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCoreFeatures(allFeatures))
	t.Cleanup(func() { require.NoError(t, r.Close(ctx)) })
	g := &guest{fuel: fuel{quantum: quantum}}
	i64 := []api.ValueType{api.ValueTypeI64}
	_, err := r.NewHostModuleBuilder(rewrite.FuelModule).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(func(ctx context.Context, stack []uint64) {
			if g.fuel.given-int64(stack[0]) > limit {
				panic(errUsedUp)
			}
			g.fuel.out(ctx, stack)
		}), i64, i64).Export(rewrite.FuelImport).Instantiate(ctx)
	require.NoError(t, err)
	g.Module, err = r.Instantiate(ctx, rewritten)
	require.NoError(t, err)
	return g
}

// spend calls a function and returns what it used, and how it ended.
func (g *guest) spend(name string, args ...uint64) (int64, error) {
	left := g.ExportedGlobal(rewrite.FuelGlobal).(api.MutableGlobal)
	left.Set(0)
	g.fuel.given = 0
	_, err := g.ExportedFunction(name).Call(context.Background(), args...)
	return g.fuel.given - int64(left.Get()), err
}

func TestEndless(t *testing.T) {
	for _, name := range []string{"forever", "forever_counting", "forever_filling", "forever_indirect", "forever_doubling"} {
		t.Run(name, func(t *testing.T) {
			g := newGuest(t, 100_000, 20_000_000)
			start := time.Now()
			used, err := g.spend(name)
			require.ErrorIs(t, err, errUsedUp)
			require.Greater(t, used, int64(20_000_000))
			require.Less(t, used, int64(20_200_000), "stopped at the next check")
			require.Less(t, time.Since(start), 10*time.Second)

			g.fuel.given = 0
			used, err = g.spend("loop", 100)
			require.NoError(t, err, "the instance is intact")
			require.Positive(t, used)
		})
	}
}

// exporting is a module of functions of type () -> (), the first of which is "run", with a tag.
func exporting(code ...string) []byte {
	section := func(b []byte, id byte, body string) []byte { return binary.AppendSection(b, id, []byte(body)) }
	functions, bodies := []byte{byte(len(code))}, []byte{byte(len(code))}
	for _, c := range code {
		functions = append(functions, 0)
		bodies = binary.AppendName(bodies, "\x00"+c+"\x0b")
	}
	b := section([]byte("\x00asm\x01\x00\x00\x00"), wasm.SectionType, "\x01\x60\x00\x00")
	b = section(b, wasm.SectionFunction, string(functions))
	b = section(b, wasm.SectionMemory, "\x01\x00\x01")
	b = section(b, wasm.SectionTag, "\x01\x00\x00")
	b = section(b, wasm.SectionExport, "\x01\x03run\x00\x00")
	return section(b, wasm.SectionCode, string(bodies))
}

// TestEndlessProposals: what later features of the language can do to run forever.
func TestEndlessProposals(t *testing.T) {
	for name, bin := range map[string][]byte{
		"mutual tail calls":    exporting("\x12\x01", "\x12\x00"),
		"exceptions in a loop": exporting("\x03\x40\x02\x40\x1f\x40\x01\x00\x00\x00\x08\x00\x0b\x0b\x0c\x00\x0b"),
		"catch to a loop":      exporting("\x03\x40\x1f\x40\x01\x00\x00\x00\x08\x00\x0b\x0b"),
		"catch and recurse":    exporting("\x02\x40\x1f\x40\x01\x00\x00\x00\x10\x01\x0b\x0b\x12\x00", "\x08\x00"),
	} {
		used, err := rewriteGuest(t, bin, 10_000, 200_000, nil).spend("run")
		require.ErrorIs(t, err, errUsedUp, name)
		require.Less(t, used, int64(220_000), name)
	}
}

// TestFrames: a call costs a part of its frame on the machine's stack too, which is the larger the more code and values the
// function has, whether it gets to them or not.
func TestFrames(t *testing.T) {
	const calls = 100
	recurse := "\x41\x00\x41\x00\x2d\x00\x00\x41\x01\x6a\x3a\x00\x00" + // memory[0]++
		"\x41\x00\x2d\x00\x00\x41\xe4\x00\x49\x04\x40\x10\x00\x0b\x0f" // if memory[0] < calls, again
	used := func(code string) int64 {
		used, err := rewriteGuest(t, exporting(recurse+code), 1000, math.MaxInt64, nil).spend("run")
		require.NoError(t, err)
		return used
	}
	short := used("")
	require.Less(t, short, int64(calls*50))
	require.Equal(t, short+calls*100, used(strings.Repeat("\x01", 6400)))
	require.Equal(t, short+calls*(640*8+640*3)/64, used(strings.Repeat("\x41\x00", 640)+strings.Repeat("\x1a", 640)))
}

// TestStraight: code without loops and calls is checked in between, whichever way it takes.
func TestStraight(t *testing.T) {
	arm := strings.Repeat(step, 20)
	branchy := "\x41\x00\x2d\x00\x00\x41\x01\x71\x04\x40" + arm + "\x05" + arm + step + "\x0b"
	for name, code := range map[string]string{
		"straight": strings.Repeat(step, 8_000),
		"branches": strings.Repeat(branchy, 300),
		"jumps":    "\x02\x40" + strings.Repeat(step+"\x41\x00\x0d\x00", 3_000) + "\x0b",
	} {
		g := rewriteGuest(t, exporting(code), 1, math.MaxInt64, nil)
		used, err := g.spend("run")
		require.NoError(t, err)
		require.Greater(t, used, int64(len(code)/6), name)
		require.Less(t, used/int64(g.fuel.refills), int64(25_000), name)
	}
}

// TestDeterministic holds what is used to the same amount, whatever the host gives at a time and however a call ends.
func TestDeterministic(t *testing.T) {
	calls := map[string][]uint64{
		"nothing": nil, "loop": {1000}, "nested": {1000}, "operands": {1000}, "leaves": {1000}, "recurse": {1000},
		"fill": {100_000}, "fill_constant": nil, "copy": {100_000}, "grow": {1}, "grow_table": {10}, "trap": {1000},
	}
	for name, args := range calls {
		want, wantErr := newGuest(t, math.MaxInt32, math.MaxInt64).spend(name, args...)
		for _, quantum := range []int64{1, 7, 1000} {
			got, err := newGuest(t, quantum, math.MaxInt64).spend(name, args...)
			require.Equal(t, want, got, "%s, %d at a time", name, quantum)
			require.Equal(t, wantErr == nil, err == nil, name)
		}
	}
}

// TestMeansWork holds fuel to what instructions are run.
func TestMeansWork(t *testing.T) {
	g := newGuest(t, math.MaxInt32, math.MaxInt64)
	for name, tt := range map[string]struct{ a, b, least, most uint64 }{
		"loop":       {1000, 2000, 8, 8}, // instructions of a turn
		"nested":     {1000, 2000, 79, 120},
		"operands":   {1000, 2000, 7, 8},
		"leaves":     {1000, 2000, 17 + 3*6, 40},
		"recurse":    {1000, 2000, 7 + 6, 24},
		"fill":       {8_000, 16_000, 0, 1}, // an eighth each
		"copy":       {8_000, 16_000, 0, 1},
		"grow":       {0, 1, 1024, 1024},
		"grow_table": {1000, 2000, 1, 1},
	} {
		a, err := g.spend(name, tt.a)
		require.NoError(t, err)
		b, err := g.spend(name, tt.b)
		require.NoError(t, err)
		each := uint64(b-a) / (tt.b - tt.a)
		require.LessOrEqual(t, tt.least, each, name)
		require.LessOrEqual(t, each, tt.most, name)
	}
	used, err := g.spend("fill", 80_000)
	require.NoError(t, err)
	require.InDelta(t, 10_000, used, 10)
	used, err = g.spend("fill_constant")
	require.NoError(t, err)
	require.InDelta(t, 100, used, 10)
	used, err = g.spend("nothing")
	require.NoError(t, err)
	require.Zero(t, used)
}

// TestHugeLengths: a length of four billion is charged before the instruction fails, and overflows nothing. Where it traps at
// once there is nothing to charge.
func TestHugeLengths(t *testing.T) {
	for _, name := range []string{"grow", "grow_table"} {
		g := newGuest(t, 1<<50, math.MaxInt64)
		used, err := g.spend(name, math.MaxUint32)
		require.NoError(t, err, name)
		require.Greater(t, used, int64(math.MaxUint32>>3), name)
		require.Less(t, used, int64(1)<<45, name)

		g = newGuest(t, 1000, 1_000_000)
		_, err = g.spend(name, math.MaxUint32)
		require.ErrorIs(t, err, errUsedUp, name)
	}
	for _, name := range []string{"fill", "copy"} {
		g := newGuest(t, 1000, 1_000_000)
		used, err := g.spend(name, math.MaxUint32)
		require.ErrorContains(t, err, "out of bounds memory access", name)
		require.Less(t, used, int64(100), name)
	}
}

// TestStackTrace: a function keeps its name.
func TestStackTrace(t *testing.T) {
	_, err := newGuest(t, 1000, math.MaxInt64).spend("trap", 3)
	require.ErrorContains(t, err, ".trap(i32)")
	_, err = newGuest(t, 1000, 10_000).spend("forever_indirect")
	require.ErrorContains(t, err, fmt.Sprintf("%s.%s(i64) i64", rewrite.FuelModule, rewrite.FuelImport))
	require.ErrorContains(t, err, ".other()")
}

// TestGlobals: a host that saves the added globals can bring them back.
func TestGlobals(t *testing.T) {
	g := newGuest(t, 1000, 100_000)
	saved := g.ExportedGlobal(rewrite.GlobalPrefix + "0").Get()
	_, err := g.spend("forever_counting")
	require.Error(t, err)
	require.NotEqual(t, saved, g.ExportedGlobal("count").Get())
	g.ExportedGlobal(rewrite.GlobalPrefix + "0").(api.MutableGlobal).Set(saved)
	require.Equal(t, saved, g.ExportedGlobal("count").Get())
}
