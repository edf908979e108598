package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/wasmtools/wasmtools/internal/rewrite"
)

// bomb is a shape that takes compilers more time or memory than its size suggests. A larger n makes a larger module.
type bomb struct {
	name string
	make func(n int) shape
	what rewrite.What // it is too much of; a function's complexity if empty
}

// Pieces of code.
const (
	get    = "\x20\x00"                             // local 0
	set    = "\x21\x00"                             //
	drop   = "\x1a"                                 //
	sink   = "\x24\x01"                             // to global 1
	load   = "\x28\x02\x00"                         //
	other  = "\x23\x01\x20\x00\x6a\x28\x02\x00\x1a" // load from an address of its own
	ifEnd  = "\x20\x00\x04\x40\x0b"
	brIf   = "\x20\x00\x0d\x00"
	block  = "\x02\x40"
	loop   = "\x03\x40"
	end    = "\x0b"
	br     = "\x0c\x00"
	dot    = "\x41\x00"
	callBy = "\x41\x00\x11\x01\x00" // call_indirect of type 1
)

// increment adds 1 to a local.
func increment(i int) string { return "\x20" + u32(i) + "\x41\x01\x6a\x21" + u32(i) }

// useOf uses a local.
func useOf(i int) string { return "\x20" + u32(i) + sink }

// one is a function with a local and a global, whose code is what f makes.
func one(f func(n int) string) func(n int) shape {
	return func(n int) shape { return shape{locals: i32s(2), globals: 1, code: f(n)} }
}

// many is the same with n locals.
func many(f func(n int) string) func(n int) shape {
	return func(n int) shape { return shape{locals: i32s(n), globals: 1, code: f(n)} }
}

// thousand is the same with 1000 locals.
func thousand(f func(n int) string) func(n int) shape {
	return func(n int) shape { return shape{locals: i32s(1000), globals: 1, code: f(n)} }
}

// blockBombs are bombs of many blocks, whose tree of dominators is deep.
func blockBombs() []bomb {
	return []bomb{
		{"ifs", one(func(n int) string { return repeat(n, ifEnd) }), ""},
		{"ifs in a loop", one(func(n int) string { return loop + repeat(n, ifEnd) + brIf + end }), ""},
		{"ifs, then uses", one(func(n int) string { return repeat(n, ifEnd) + repeat(n, "\x20\x01", sink) }), ""},
		{"ifs with uses", one(func(n int) string { return repeat(n, ifEnd, "\x20\x01", sink) }), ""},
		{"nested ifs", one(func(n int) string { return repeat(n, get, "\x04\x40") + repeat(n, end) }), ""},
		{"nested elses", one(func(n int) string { return repeat(n, get, "\x04\x40\x05") + repeat(n, end) }), ""},
		{"br_ifs", one(func(n int) string { return block + repeat(n, brIf) + end }), ""},
		{"br_ifs, then uses", one(func(n int) string { return block + repeat(n, brIf) + repeat(n, "\x20\x01", sink) + end }), ""},
		{"br_ifs out", one(func(n int) string { return repeat(n, brIf) }), ""},
		{"br_ifs back", one(func(n int) string { return loop + repeat(n, brIf) + end }), ""},
		{"blocks of br_if", one(func(n int) string { return repeat(n, block, brIf, end) }), ""},
		{"nested blocks", one(func(n int) string {
			return repeat(n, block) + each(n, func(i int) string { return get + "\x0d" + u32(i) }) + repeat(n, end)
		}), ""},
		{"loops", one(func(n int) string { return repeat(n, loop, brIf, end) }), ""},
		{"nested loops", one(func(n int) string { return repeat(n, loop) + repeat(n, brIf, end) }), ""},
		{"br_table to one", one(func(n int) string { return block + get + "\x0e" + u32(n) + repeat(n+1, "\x00") + end }), ""},
		{"br_table to blocks", one(func(n int) string {
			return repeat(n, block) + get + "\x0e" + u32(n-1) + each(n, u32) + repeat(n, end, get, sink)
		}), ""},
		{"tail calls", one(func(n int) string { return repeat(n, get, "\x04\x40\x12\x00\x0b") }), ""},
		{"returns", one(func(n int) string { return repeat(n, get, "\x04\x40\x0f\x0b") }), ""},
		{"unreachable blocks", one(func(n int) string { return "\x00" + repeat(n, block, end) }), rewrite.WhatBody},
		{"fills", one(func(n int) string { return repeat(n, get, get, get, "\xfc\x0b\x00") }), ""},
		{"copies", one(func(n int) string { return repeat(n, get, get, get, "\xfc\x0a\x00\x00") }), ""},
		{"table copies", one(func(n int) string { return repeat(n, get, get, get, "\xfc\x0e\x00\x00") }), ""},
		{"table fills", one(func(n int) string { return repeat(n, get, "\xd0\x70", get, "\xfc\x11\x00") }), ""},
		{"memory.grows", one(func(n int) string { return repeat(n, get, "\x40\x00", drop) }), ""},
	}
}

// valueBombs are bombs of many values that are alive over many blocks, or that many ways merge.
func valueBombs() []bomb {
	return []bomb{
		{"set in a loop", many(func(n int) string { return loop + each(n, increment) + brIf + end }), ""},
		{"used in a loop", many(func(n int) string { return loop + each(n, useOf) + brIf + end }), ""},
		{"set in an if", many(func(n int) string {
			return get + "\x04\x40" + each(n, func(i int) string { return get + "\x21" + u32(i) }) + end + each(n, useOf)
		}), ""},
		{"1000 locals in nested loops", thousand(func(n int) string {
			return repeat(n, loop) + each(1000, increment) + repeat(n, brIf, end)
		}), ""},
		{"1000 locals over ifs", thousand(func(n int) string {
			return repeat(n, get, "\x04\x40", get, "\x41\x01\x6a", set, end) + each(1000, useOf)
		}), ""},
		{"locals over 1000 br_ifs", many(func(n int) string {
			return block + repeat(1000, brIf, get, "\x41\x01\x6a", set) +
				each(n, func(i int) string { return get + "\x21" + u32(i) }) + end + each(n, useOf)
		}), ""},
		{"live", one(func(n int) string { return repeat(n, dot, load) + repeat(n, sink) }), ""},
		{"live over ifs", one(func(n int) string { return repeat(n, get, load) + repeat(n, ifEnd) + repeat(n, sink) }), ""},
		{"live over 1000 br_ifs", one(func(n int) string {
			return block + repeat(n, get, load) + repeat(1000, brIf) + repeat(n, sink) + end
		}), ""},
		{"live over ifs, used apart", one(func(n int) string {
			return repeat(n, get, load) + repeat(n, ifEnd) + repeat(n, sink, ifEnd)
		}), ""},
		{"live vectors", one(func(n int) string {
			return repeat(n, get, "\xfd\x0f") + repeat(n-1, "\xfd\x51") + "\xfd\x1d\x00" + "\x24\x00"
		}), ""},
		{"addresses over ifs", one(func(n int) string { return repeat(n, other) + repeat(n, ifEnd) }), ""},
		{"addresses over br_ifs", one(func(n int) string { return block + repeat(n, other) + repeat(n, brIf) + end }), ""},
		{"addresses in br_ifs", one(func(n int) string { return block + repeat(n, other, brIf) + end }), ""},
		{"addresses over calls", one(func(n int) string { return repeat(n, get, "\x45", load, drop) + repeat(n, "\x10\x00") }), ""},
		{"shifts by 0", one(func(n int) string { return get + repeat(n, "\x41\x00\x74\x22\x00", get, sink) + drop }), ""},
		{"loops of 1000 values", func(n int) shape {
			code := repeat(1000, dot) + repeat(n, "\x03\x01", brIf, end) + repeat(1000, drop)
			return shape{types: []string{typeOf(1000, 1000)}, locals: i32s(1), code: code}
		}, ""},
		{"br_ifs with 1000 values", func(n int) shape {
			code := "\x02\x01" + repeat(1000, dot) + repeat(n, brIf) + end + repeat(1000, drop)
			return shape{types: []string{typeOf(0, 1000)}, locals: i32s(1), code: code}
		}, ""},
		{"br_table with 1000 values", func(n int) shape {
			code := "\x02\x01" + repeat(1000, dot) + get + "\x0e" + u32(n) + repeat(n+1, "\x00") + end + repeat(1000, drop)
			return shape{types: []string{typeOf(0, 1000)}, locals: i32s(1), code: code}
		}, ""},
		{"blocks of 1000 results", func(n int) shape {
			return shape{types: []string{typeOf(0, 1000)}, code: repeat(n, block, "\x02\x01\x0c\x01", end, br, end)}
		}, ""},
	}
}

// instructionBombs are bombs of what is dear by itself.
func instructionBombs() []bomb {
	calls := func(types, imports, globals int, code string) func(n int) shape {
		return func(n int) shape {
			s := shape{imports: imports, globals: globals, code: repeat(n, code)}
			if types > 0 {
				s.types = []string{typeOf(0, types)}
			}
			return s
		}
	}
	return []bomb{
		{"calls", calls(0, 0, 0, "\x10\x00"), ""},
		{"calls of long functions", func(n int) shape {
			return shape{globals: 1, code: repeat(n, "\x10\x01"), functions: []string{body("\x00" + repeat(3000, dot, sink) + end)}}
		}, ""},
		{"calls with 1000 globals", calls(0, 0, 1000, "\x10\x00"), ""},
		{"calls of the last of 9000 imports", calls(0, 9000, 0, "\x10"+u32(8999)), ""},
		{"calls for 1000 results", calls(1000, 0, 0, block+callBy+br+end), ""},
		{"calls of 1000 to 1000", func(n int) shape {
			return shape{types: []string{typeOf(1000, 1000)}, code: repeat(1000, dot) + repeat(n, callBy) + repeat(1000, drop)}
		}, ""},
		{"unreachable calls of 1000", func(n int) shape {
			return shape{types: []string{typeOf(0, 1000)}, code: "\x00" + repeat(n, block, callBy, br, end)}
		}, ""},
		{"indirect calls", one(func(n int) string { return repeat(n, get, "\x11\x00\x00") }), ""},
		{"constants", one(func(n int) string { return repeat(n, "\x42\x81\x82\x83\x84\x85\x86\x87\x88\x09\x24\x00") }), ""},
		{"vector constants", one(func(n int) string {
			return repeat(n, "\xfd\x0c0123456789abcdef") + repeat(n-1, "\xfd\x4e") + "\xfd\x1d\x00\x24\x00"
		}), ""},
		{"loads", one(func(n int) string { return repeat(n, dot, load, drop) }), ""},
		{"adds", one(func(n int) string { return get + repeat(n, get, "\x6a") + sink }), ""},
		{"deep adds", one(func(n int) string { return repeat(n, get) + repeat(n-1, "\x6a") + sink }), ""},
		{"divides", one(func(n int) string { return get + repeat(n, get, "\x6d") + sink }), ""},
		{"selects", one(func(n int) string { return get + repeat(n, get, get, "\x1b") + sink }), ""},
		{"truncations", one(func(n int) string { return get + repeat(n, "\xb2\xa8") + sink }), ""},
		{"saturating truncations", one(func(n int) string { return get + repeat(n, "\xb2\xfc\x01") + sink }), ""},
		{"popcnts", one(func(n int) string { return get + repeat(n, "\x69") + sink }), ""},
		{"table gets", one(func(n int) string { return repeat(n, get, "\x25\x00", drop) }), ""},
		{"vector shifts", one(func(n int) string { return get + "\xfd\x0f" + repeat(n, get, "\xfd\x6b") + "\xfd\x1d\x00\x24\x00" }), ""},
		{"vector swizzles", one(func(n int) string {
			return get + "\xfd\x0f" + repeat(n, get, "\xfd\x0f\xfd\x0e") + "\xfd\x1d\x00\x24\x00"
		}), ""},
	}
}

// moduleBombs are bombs of many things, each of which is harmless.
func moduleBombs() []bomb {
	empty := body("\x00\x0b")
	return []bomb{
		{"functions", func(n int) shape { return shape{functions: list(n, empty)} }, rewrite.WhatFunctions},
		{"functions beside a large one", func(n int) shape {
			return shape{locals: i32s(1), code: repeat(3000, ifEnd), functions: list(n, empty)}
		}, rewrite.WhatFunctions},
		{"functions of 50000 locals", func(n int) shape { return shape{functions: list(n, body(i32s(50_000)+end))} }, rewrite.WhatEffort},
		{"large functions", func(n int) shape {
			return shape{functions: list(n, body(i32s(1)+repeat(800, loop)+repeat(800, brIf, end)+end))}
		}, rewrite.WhatEffort},
		{"large functions of many values", func(n int) shape {
			return shape{globals: 1, functions: list(n, body(i32s(6000)+loop+each(6000, increment)+brIf+end+end))}
		}, rewrite.WhatEffort},
		{"large functions of calls", func(n int) shape {
			return shape{types: []string{typeOf(1000, 1000)}, functions: list(n, body("\x00"+repeat(1000, dot)+
				repeat(200, callBy)+repeat(1000, drop)+end))}
		}, rewrite.WhatEffort},
		{"types", func(n int) shape { return shape{types: list(n, typeOf(0, 0))} }, ""},
		{"types of 1000", func(n int) shape { return shape{types: list(n, typeOf(1000, 1000))} }, rewrite.WhatEffort},
		{"a type of many values", func(n int) shape { return shape{types: []string{typeOf(n, 0)}} }, rewrite.WhatValues},
		{"imports", func(n int) shape { return shape{imports: n} }, rewrite.WhatImports},
		{"globals", func(n int) shape { return shape{globals: n} }, rewrite.WhatGlobals},
		{"tables", func(n int) shape { return shape{tables: u32(n) + repeat(n, "\x70\x00\x00")} }, rewrite.WhatTables},
		{"elements", func(n int) shape { return shape{elements: "\x01\x01\x00" + u32(n) + repeat(n, "\x00")} }, rewrite.WhatElements},
		{"elements by expressions", func(n int) shape {
			return shape{elements: "\x01\x05\x70" + u32(n) + repeat(n, "\xd2\x00\x0b")}
		}, rewrite.WhatElements},
		{"element segments", func(n int) shape { return shape{elements: u32(n) + repeat(n, "\x01\x00\x00")} }, rewrite.WhatSegments},
		{"data segments", func(n int) shape { return shape{data: u32(n) + repeat(n, "\x01\x00")} }, rewrite.WhatSegments},
	}
}

func bombs() []bomb {
	var all []bomb
	for _, some := range [][]bomb{blockBombs(), valueBombs(), instructionBombs(), moduleBombs()} {
		all = append(all, some...)
	}
	return all
}

// TestBombs: each bomb is refused before it takes long, and a small one of its shape is a valid module.
func TestBombs(t *testing.T) {
	for _, b := range bombs() {
		if b.name == "types" { // package wasm refuses these
			continue
		}
		small, _, err := rewrite.Rewrite(b.make(2).wasm(), nil)
		require.NoError(t, err, b.name)
		r := runtimeOf(t)
		_, err = r.CompileModule(context.Background(), small)
		require.NoError(t, err, b.name)

		limit := &rewrite.LimitError{}
		start := time.Now()
		for n := 16; ; n *= 2 {
			bin := b.make(n).wasm()
			_, _, err := rewrite.Rewrite(bin, nil)
			if err == nil {
				require.Less(t, len(bin), 8<<20, "%s is not refused", b.name)
				continue
			}
			require.ErrorAs(t, err, &limit, b.name)
			require.Equal(t, rewrite.What(or(string(b.what), string(rewrite.WhatComplexity))), limit.What, b.name)
			break
		}
		require.Less(t, time.Since(start), time.Minute, b.name)
	}
}

// BenchmarkBombs compiles the largest of each shape that is accepted.
func BenchmarkBombs(b *testing.B) {
	for _, bomb := range bombs() {
		b.Run(strings.ReplaceAll(bomb.name, " ", "_"), func(b *testing.B) {
			bin, report := largest(bomb)
			debug.FreeOSMemory()
			_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // starts counting the peak again
			var seconds float64
			for b.Loop() {
				r := runtimeOf(b)
				ctx := experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0))
				start := time.Now()
				_, err := r.CompileModule(ctx, bin)
				require.NoError(b, err)
				seconds = time.Since(start).Seconds()
			}
			b.ReportMetric(seconds, "s")
			b.ReportMetric(peak()/1024, "peak_MB")
			b.ReportMetric(float64(len(bin))/1e6, "MB")
			b.ReportMetric(float64(report.Complexity)/1e6, "complexity_s")
			b.ReportMetric(float64(report.Effort)/1e6, "effort_s")
		})
	}
}

// largest is the largest module of a shape that is accepted, to some percent, rewritten.
func largest(b bomb) ([]byte, *rewrite.Report) {
	try := func(n int) ([]byte, *rewrite.Report) {
		out, report, err := rewrite.Rewrite(b.make(n).wasm(), nil)
		if err != nil && !errors.As(err, new(*rewrite.LimitError)) && b.name != "types" {
			panic(err)
		}
		return out, report
	}
	n := 2
	out, report := try(n)
	for step := n; step > n/50; {
		more, moreReport := try(n + step)
		switch {
		case more == nil:
			step /= 2
		default:
			n, out, report = n+step, more, moreReport
			if step == n/2 {
				step = n
			}
		}
	}
	return out, report
}

// peak is the most memory that this process had, in KB, where that can be told.
func peak() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var n float64
	_, _ = fmt.Sscan(rest, &n)
	return n
}

// runtimeOf is an engine with the features that tools may use.
func runtimeOf(t testing.TB) wazero.Runtime {
	ctx := context.Background()
	features := api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall | experimental.CoreFeaturesExtendedConst
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCoreFeatures(features))
	t.Cleanup(func() { require.NoError(t, r.Close(ctx)) })
	return r
}
