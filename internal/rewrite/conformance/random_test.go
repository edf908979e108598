package conformance_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/wasm"
	encoding "github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// TestRandomFunctions: what random functions compute, and how they end, is the same when they are rewritten; and the compiler
// panics at none.
func TestRandomFunctions(t *testing.T) {
	compared, refused := 0, 0
	for seed := range int64(40) {
		bin := (&random{Rand: rand.New(rand.NewSource(seed))}).module()
		out, _, err := rewrite.Rewrite(bin, nil)
		if limit := (*rewrite.LimitError)(nil); errors.As(err, &limit) {
			refused++
			continue
		}
		require.NoError(t, err)
		fueled := runRandom(t, out)
		if strings.Contains(fueled.text, errUsedUp.Error()) || strings.Contains(fueled.text, "stack overflow") {
			continue // it would never end, or would use less of the stack
		}
		require.Equal(t, runRandom(t, bin), fueled, "seed %d", seed)
		compared++
	}
	t.Logf("%d compared, %d refused", compared, refused)
	require.Greater(t, compared, 15)
	require.Less(t, refused, 10)
}

// runRandom calls the first function with zeros. The outcome has its results and a digest of the memory.
func runRandom(t *testing.T, bin []byte) outcome {
	ctx := context.Background()
	r := runtimeOf(t)
	given := int64(0)
	i64s := []api.ValueType{api.ValueTypeI64}
	_, err := r.NewHostModuleBuilder(rewrite.FuelModule).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(func(_ context.Context, stack []uint64) {
			if given > 3_000_000 {
				panic(errUsedUp)
			}
			for int64(stack[0]) < 0 {
				stack[0] += 1000
				given += 1000
			}
		}), i64s, i64s).Export(rewrite.FuelImport).Instantiate(ctx)
	require.NoError(t, err)
	m, err := r.InstantiateWithConfig(ctx, bin, wazero.NewModuleConfig())
	require.NoError(t, err)
	f := m.ExportedFunction("f")
	params := f.Definition().ParamTypes()
	args := make([]uint64, len(params)+strings.Count(string(params), "\x7b")) // a vector takes two
	results, err := f.Call(ctx, args...)
	o := failure(err)
	o.results = texts(slices.Clone(results), f.Definition().ResultTypes(), nil)
	memory, _ := m.Memory().Read(0, m.Memory().Size())
	o.results = append(o.results, wasm.Digest(memory))
	return o
}

// The value types that random functions use.
const (
	i32, i64, f32, f64, v128 = 0x7f, 0x7e, 0x7d, 0x7c, 0x7b

	numbers = "\x7f\x7e\x7d\x7c\x7b"
)

// signature is a function type.
type signature struct{ params, results string }

// random makes modules that are valid, of functions that do anything.
type random struct {
	*rand.Rand
	types  []signature // one for each function
	locals string
	me     signature
	code   []byte
	labels []string // types of the values that a branch takes, the innermost last
	fuel   int      // bounds the size
}

func (r *random) someTypes(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = numbers[r.Intn(len(numbers))]
	}
	return string(b)
}

func (r *random) few() int {
	switch r.Intn(12) {
	case 0:
		return 10 + r.Intn(20)
	case 1:
		return 100 + r.Intn(50)
	}
	return r.Intn(4)
}

// module has a memory, a table, two mutable globals of each type, and functions.
func (r *random) module() []byte {
	r.types = nil
	for range 1 + r.Intn(4) {
		r.types = append(r.types, signature{r.someTypes(r.few()), r.someTypes(r.few())})
	}
	r.types = append(r.types, signature{})
	var types, functions, bodies, globals, elements []byte
	for i, t := range r.types {
		types = append(types, 0x60)
		types = encoding.AppendName(types, t.params)
		types = encoding.AppendName(types, t.results)
		functions = append(functions, byte(i))
		elements = append(elements, byte(i))
		bodies = encoding.AppendName(bodies, r.function(t))
	}
	zeros := []string{"\x41\x00", "\x42\x00", "\x43\x00\x00\x00\x00", "\x44\x00\x00\x00\x00\x00\x00\x00\x00", "\xfd\x0c" + string(make([]byte, 16))}
	for i, t := range numbers {
		globals = append(globals, byte(t), 1)
		globals = append(append(globals, zeros[i]...), 0x0b)
	}
	n := byte(len(r.types))
	b := encoding.AppendSection([]byte("\x00asm\x01\x00\x00\x00"), wasm.SectionType, append([]byte{n}, types...))
	b = encoding.AppendSection(b, wasm.SectionFunction, append([]byte{n}, functions...))
	b = encoding.AppendSection(b, wasm.SectionTable, []byte{1, 0x70, 0, n})
	b = encoding.AppendSection(b, wasm.SectionMemory, []byte{1, 0, 1})
	b = encoding.AppendSection(b, wasm.SectionGlobal, append([]byte{byte(len(numbers))}, globals...))
	b = encoding.AppendSection(b, wasm.SectionExport, []byte("\x02\x01f\x00\x00\x01m\x02\x00"))
	b = encoding.AppendSection(b, wasm.SectionElement, append([]byte{1, 0, 0x41, 0, 0x0b, n}, elements...))
	b = encoding.AppendSection(b, wasm.SectionDataCount, []byte{1})
	b = encoding.AppendSection(b, wasm.SectionCode, append([]byte{n}, bodies...))
	return encoding.AppendSection(b, wasm.SectionData, []byte("\x01\x01\x03abc"))
}

func (r *random) function(t signature) string {
	declared := r.someTypes(r.few() + 2)
	locals := encoding.AppendU32(nil, uint32(len(declared)))
	for i := range declared {
		locals = append(locals, 1, declared[i])
	}
	r.locals, r.me, r.code, r.labels, r.fuel = t.params+declared, t, nil, []string{t.results}, 20+r.Intn(300)
	r.statements(0)
	r.values(t.results, 0)
	return string(locals) + string(r.code) + "\x0b"
}

func (r *random) op(b ...byte) { r.code = append(r.code, b...) }

func (r *random) u32(n int) { r.code = encoding.AppendU32(r.code, uint32(n)) }

func (r *random) statements(depth int) {
	for range r.Intn(6) {
		start := len(r.code)
		r.statement(depth)
		if r.Intn(8) == 0 { // the same again, many times
			again := string(r.code[start:])
			for n := r.Intn(1 << r.Intn(11)); n > 0 && len(r.code) < 60_000; n-- {
				r.op([]byte(again)...)
			}
		}
	}
}

// values pushes a value of each type.
func (r *random) values(types string, depth int) {
	for _, t := range []byte(types) {
		r.value(t, depth+1)
	}
}

// block opens a block whose code is what body makes, with its own label.
func (r *random) block(op byte, label, typ string, body func()) {
	r.op(op)
	r.op([]byte(typ)...)
	r.labels = append(r.labels, label)
	body()
	r.labels = r.labels[:len(r.labels)-1]
	r.op(0x0b)
}

func (r *random) label() int { return r.Intn(len(r.labels)) }

func (r *random) to(label int) string { return r.labels[len(r.labels)-1-label] }

func (r *random) statement(depth int) {
	r.fuel--
	if depth > 8 || r.fuel < 0 {
		r.op(0x01)
		return
	}
	switch r.Intn(17) {
	case 0:
		r.block(0x02, "", "\x40", func() { r.statements(depth + 1) })
	case 1:
		r.block(0x03, "", "\x40", func() { r.statements(depth + 1) })
	case 2:
		r.value(i32, depth)
		r.block(0x04, "", "\x40", func() {
			r.statements(depth + 1)
			if r.Intn(2) == 0 {
				r.op(0x05)
				r.statements(depth + 1)
			}
		})
	case 3: // branches out of an if, so that what follows is reached
		r.value(i32, depth)
		r.block(0x04, "", "\x40", func() {
			l := r.label()
			r.values(r.to(l), depth)
			r.op(0x0c)
			r.u32(l)
		})
	case 4:
		l := r.label()
		r.values(r.to(l), depth)
		r.value(i32, depth)
		r.op(0x0d)
		r.u32(l)
		for range r.to(l) {
			r.op(0x1a)
		}
	case 5:
		r.value(i32, depth)
		r.block(0x04, "", "\x40", func() {
			l := r.label()
			r.values(r.to(l), depth)
			r.value(i32, depth)
			r.op(0x0e)
			var same []int
			for i := range r.labels {
				if r.to(i) == r.to(l) {
					same = append(same, i)
				}
			}
			n := r.Intn(20)
			r.u32(n)
			for range n + 1 {
				r.u32(same[r.Intn(len(same))])
			}
		})
	case 6:
		r.value(i32, depth)
		r.block(0x04, "", "\x40", func() {
			r.values(r.me.results, depth)
			r.op(0x0f)
		})
	case 7:
		i := r.Intn(len(r.types))
		r.call(i, depth)
		for range r.types[i].results {
			r.op(0x1a)
		}
	case 8:
		for i, t := range r.types {
			if t.results == r.me.results {
				r.value(i32, depth)
				r.block(0x04, "", "\x40", func() {
					r.values(t.params, depth)
					if r.Intn(2) == 0 {
						r.op(0x12, byte(i))
						return
					}
					r.value(i32, depth)
					r.op(0x13, byte(i), 0)
				})
				return
			}
		}
	case 9:
		r.value(i32, depth)
		t := byte(r.Intn(4))
		r.value(numbers[t], depth)
		r.op([]byte{0x36, 0x37, 0x38, 0x39}[t], 0)
		r.offset()
	case 10:
		r.value(i32, depth)
		r.value(v128, depth)
		r.op(0xfd, 11, 0)
		r.offset()
	case 11:
		r.value(i32, depth)
		r.value(i32, depth)
		r.value(i32, depth)
		r.code = append(r.code, []string{"\xfc\x0a\x00\x00", "\xfc\x0b\x00", "\xfc\x08\x00\x00", "\xfc\x0e\x00\x00"}[r.Intn(4)]...)
	case 12:
		i := r.Intn(len(numbers))
		r.value(numbers[i], depth)
		r.op(0x24, byte(i))
	default:
		l := r.Intn(len(r.locals))
		r.value(r.locals[l], depth)
		r.op(0x21)
		r.u32(l)
	}
}

func (r *random) offset() { r.u32(r.Intn(1 << r.Intn(32))) }

func (r *random) call(i, depth int) {
	r.values(r.types[i].params, depth+2)
	if r.Intn(2) == 0 {
		r.op(0x10, byte(i))
		return
	}
	r.value(i32, depth+2)
	r.op(0x11, byte(i), 0)
}

// value pushes one value.
func (r *random) value(t byte, depth int) {
	r.fuel--
	if depth > 10 || r.fuel < 0 || r.Intn(6) == 0 {
		r.leaf(t)
		return
	}
	switch r.Intn(12) {
	case 0:
		r.value(t, depth+1)
		r.value(t, depth+1)
		r.value(i32, depth+1)
		if t == v128 || r.Intn(2) == 0 {
			r.op(0x1c, 1, t)
			return
		}
		r.op(0x1b)
	case 1:
		r.value(i32, depth+1)
		r.block(0x04, string(t), string(t), func() {
			r.value(t, depth+1)
			r.op(0x05)
			r.value(t, depth+1)
		})
	case 2:
		r.block(0x02, string(t), string(t), func() {
			r.statements(depth + 1)
			r.value(t, depth+1)
		})
	case 3:
		r.block(0x03, "", string(t), func() {
			r.statements(depth + 1)
			r.value(t, depth+1)
		})
	case 4: // a block that takes parameters
		i := r.Intn(len(r.types))
		r.values(r.types[i].params, depth+1)
		op := byte(0x02 + r.Intn(2))
		label := r.types[i].results
		if op == 0x03 {
			label = r.types[i].params
		}
		r.block(op, label, string(encoding.AppendS64(nil, int64(i))), func() {
			for range r.types[i].params {
				r.op(0x1a)
			}
			r.values(r.types[i].results, depth+1)
		})
		for range r.types[i].results {
			r.op(0x1a)
		}
		r.leaf(t)
	case 5:
		i := r.Intn(len(r.types))
		r.call(i, depth)
		for range r.types[i].results {
			r.op(0x1a)
		}
		r.leaf(t)
	case 6:
		r.value(i32, depth+1)
		if t == v128 {
			r.op(0xfd, []byte{0, 1, 4, 7, 92}[r.Intn(5)], 0)
		} else {
			r.op(map[byte]byte{i32: 0x28, i64: 0x29, f32: 0x2a, f64: 0x2b}[t], 0)
		}
		r.offset()
	default:
		r.compute(t, depth+1)
	}
}

func (r *random) leaf(t byte) {
	if r.Intn(2) == 0 {
		for i := range 8 {
			if l := r.Intn(len(r.locals)); r.locals[l] == t {
				r.op(0x20)
				r.u32(l)
				return
			} else if i == 7 {
				break
			}
		}
	}
	var bits [16]byte
	binary.LittleEndian.PutUint64(bits[:], r.Uint64()>>r.Intn(64))
	switch t {
	case i32:
		r.op(0x41)
		r.code = encoding.AppendS64(r.code, int64(int32(binary.LittleEndian.Uint32(bits[:]))))
	case i64:
		r.op(0x42)
		r.code = encoding.AppendS64(r.code, int64(binary.LittleEndian.Uint64(bits[:])))
	case f32:
		r.op(0x43)
		r.op(bits[:4]...)
	case f64:
		r.op(0x44)
		r.op(bits[:8]...)
	case v128:
		r.op(0xfd, 12)
		r.op(bits[:]...)
	}
}

// between is one of the numbers of some ranges, in pairs.
func (r *random) between(ranges ...byte) byte {
	i := r.Intn(len(ranges)/2) * 2
	return ranges[i] + byte(r.Intn(int(ranges[i+1]-ranges[i])+1))
}

// compute pushes what an instruction makes of values.
func (r *random) compute(t byte, depth int) {
	binaries := map[byte][]byte{
		i32: {0x6a, 0x78}, i64: {0x7c, 0x8a}, f32: {0x92, 0x98}, f64: {0xa0, 0xa6},
		v128: {14, 14, 35, 76, 78, 81, 101, 102, 110, 115, 118, 121, 123, 123, 130, 130, 133, 134, 142, 147, 149, 149, 150, 153, 155, 159,
			174, 174, 177, 177, 181, 186, 188, 191, 206, 206, 209, 209, 213, 223, 228, 235, 240, 247},
	}
	unaries := map[byte][]byte{
		i32: {0x67, 0x69, 0xc0, 0xc1}, i64: {0x79, 0x7b, 0xc2, 0xc4}, f32: {0x8b, 0x91}, f64: {0x99, 0x9f},
		v128: {77, 77, 94, 98, 103, 106, 116, 117, 122, 122, 124, 129, 135, 138, 148, 148, 160, 161, 167, 170, 192, 193, 199, 202, 224, 225,
			227, 227, 236, 237, 239, 239, 248, 255},
	}
	conversions := map[byte][]struct{ op, from byte }{
		i32: {{0xa7, i64}, {0xa8, f32}, {0xa9, f32}, {0xaa, f64}, {0xab, f64}, {0xbc, f32}, {0x45, i32}, {0x50, i64}},
		i64: {{0xac, i32}, {0xad, i32}, {0xae, f32}, {0xaf, f32}, {0xb0, f64}, {0xb1, f64}, {0xbd, f64}},
		f32: {{0xb2, i32}, {0xb3, i32}, {0xb4, i64}, {0xb5, i64}, {0xb6, f64}, {0xbe, i32}},
		f64: {{0xb7, i32}, {0xb8, i32}, {0xb9, i64}, {0xba, i64}, {0xbb, f32}, {0xbf, i64}},
	}
	prefix := func(op byte) {
		switch {
		case t != v128:
			r.op(op)
		case op >= 0x80:
			r.op(0xfd, op, 1)
		default:
			r.op(0xfd, op)
		}
	}
	switch k := r.Intn(5); {
	case k == 0:
		r.value(t, depth)
		prefix(r.between(unaries[t]...))
	case k == 1 && t == v128:
		if r.Intn(2) == 0 {
			r.value(v128, depth)
			r.value(i32, depth)
			prefix(r.between(107, 109, 139, 141, 171, 173, 203, 205))
			return
		}
		i := r.Intn(6)
		r.value([]byte{i32, i32, i32, i64, f32, f64}[i], depth)
		r.op(0xfd, byte(15+i))
	case k == 1:
		c := conversions[t][r.Intn(len(conversions[t]))]
		r.value(c.from, depth)
		r.op(c.op)
	case k == 2 && t == i32: // compare
		from := numbers[r.Intn(4)]
		r.value(from, depth)
		r.value(from, depth)
		ops := map[byte][]byte{i32: {0x46, 0x4f}, i64: {0x51, 0x5a}, f32: {0x5b, 0x60}, f64: {0x61, 0x66}}
		r.op(r.between(ops[from]...))
	case k == 3 && t == i32:
		r.value(v128, depth)
		op := r.between(83, 83, 99, 100, 131, 132, 163, 164, 195, 196)
		if op >= 0x80 {
			r.op(0xfd, op, 1)
			return
		}
		r.op(0xfd, op)
	case k == 3 && t == v128:
		r.value(v128, depth)
		r.value(v128, depth)
		r.op(0xfd, 13)
		for range 16 {
			r.op(byte(r.Intn(32)))
		}
	case k == 3 && t != v128 && (t == i32 || t == i64): // saturating truncation
		op := map[byte]byte{i32: 0, i64: 4}[t] + byte(r.Intn(4))
		r.value([]byte{f32, f32, f64, f64}[op%4], depth)
		r.op(0xfc, op)
	default:
		r.value(t, depth)
		r.value(t, depth)
		prefix(r.between(binaries[t]...))
	}
}
