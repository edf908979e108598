package rewrite

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// program is a function body that is made at random. Its statements leave the stack as it was.
type program struct {
	*rand.Rand
	code []byte
}

func (p *program) statements(depth int) {
	for range p.Intn(6) {
		p.statement(depth)
	}
}

func (p *program) statement(depth int) {
	label := byte(p.Intn(depth))
	switch kind := p.Intn(14); {
	case (kind < 3 || kind == 13) && depth < 12:
		p.code = append(p.code, byte(opBlock)+byte(kind%2), emptyBlock) // block or loop
		p.statements(depth + 1)
		p.code = append(p.code, byte(opEnd))
	case kind < 5 && depth < 12:
		p.code = append(p.code, byte(opI32Const), 0, byte(opIf), emptyBlock)
		p.statements(depth + 1)
		if kind == 4 {
			p.code = append(p.code, byte(opElse))
			p.statements(depth + 1)
		}
		p.code = append(p.code, byte(opEnd))
	case kind == 5:
		p.code = append(p.code, byte(opBr), label)
	case kind < 8:
		p.code = append(p.code, byte(opI32Const), 0, byte(opBrIf), label)
	case kind == 8:
		p.code = append(p.code, byte(opI32Const), 0, byte(opBrTable), 2, label, byte(p.Intn(depth)), byte(p.Intn(depth)))
	case kind == 9 && p.Intn(4) == 0:
		p.code = append(p.code, byte(opReturn))
	case kind == 11:
		p.code = append(p.code, byte(opI32Const), 0, 0x45, byte(opMemoryGrow), 0, 0x1a) // i32.eqz: the length is not constant
	case kind == 10:
		p.code = append(p.code, byte(opCall), 0)
	default:
		for range 1 << p.Intn(p.Intn(15)+1) {
			p.code = append(p.code, byte(opI32Const), 0, 0x1a) // drop
		}
	}
}

// walker goes a way through a function and counts what it costs and what is charged for it.
type walker struct {
	*rand.Rand
	steps   []step
	at      map[int]int // the step at a place in the body
	charges map[int][]charge
	loads   map[int]bool // places where the local takes the fuel

	spent, charged, unchecked uint32
	called                    bool // since the last check
	local                     bool // holds the fuel
	stale                     bool // fuel was taken from the local when it did not
	useful                    bool // fuel was taken from the local
}

type step struct {
	op     opcode
	end    int // where the instruction ends
	cost   uint32
	labels []uint32
	around []int // steps of the blocks around it, the innermost last
	match  int   // of a block, its end; of an if, its else if it has one
	close  int   // of a block, its end
}

func newWalker(t *testing.T, w *rewriter, r *rand.Rand) *walker {
	k := &walker{Rand: r, at: map[int]int{}, charges: map[int][]charge{}, loads: map[int]bool{}}
	p := &w.funcs[0]
	require.NoError(t, w.instrument(0))
	for _, e := range w.edits {
		switch e.kind {
		case editCharge:
			require.False(t, k.loads[int(e.at)], "a load is just before its loop")
			k.charges[int(e.at)] = append(k.charges[int(e.at)], w.meter.charges[e.n])
		case editLoad:
			k.loads[int(e.at)] = true
		}
	}
	in := binary.NewReader(p.body)
	in.Bytes(p.bodyAt)
	d := &w.decoder
	var open []int
	for d.body(in, p.locals); d.next(); {
		n := len(k.steps)
		k.at[d.at] = n
		s := step{op: d.op, end: in.Pos(), cost: w.cost(d.op), labels: append([]uint32(nil), d.labels...)}
		s.around = append(s.around, open...)
		switch d.op {
		case opCall:
			s.cost += costCall
		case opBlock, opLoop, opIf:
			open = append(open, n)
		case opElse:
			k.steps[open[len(open)-1]].match = n
		case opEnd:
			if len(open) > 0 {
				b := &k.steps[open[len(open)-1]]
				b.close = n
				if b.match == 0 {
					b.match = n
				}
				open = open[:len(open)-1]
			}
		}
		k.steps = append(k.steps, s)
	}
	require.NoError(t, d.finish())
	return k
}

// goTo is the place behind a step, where charges may be.
func (k *walker) goTo(place int) int {
	for _, c := range k.charges[place] {
		k.charged += c.cost
		k.stale = k.stale || c.local && !k.local
		k.local = c.local
		k.useful = k.useful || c.local
		if c.kind != pay {
			k.unchecked, k.called = 0, false
		}
	}
	k.local = k.local || k.loads[place]
	if n, ok := k.at[place]; ok {
		return n
	}
	return -1
}

// branch is the step that a label leads to.
func (k *walker) branch(s step, label uint32) int {
	if int(label) == len(s.around) {
		return -1 // the function's end
	}
	b := k.steps[s.around[len(s.around)-1-int(label)]]
	if b.op == opLoop {
		return k.goTo(b.end)
	}
	return k.goTo(k.steps[b.close].end)
}

func (k *walker) walk(t *testing.T, start int) {
	k.spent, k.charged, k.unchecked, k.called, k.local = 0, 0, 0, false, false
	for n, steps := k.goTo(start), 0; n >= 0 && steps < 1000; steps++ {
		require.False(t, k.stale, "fuel is taken from a local that does not hold it")
		s := k.steps[n]
		k.spent += s.cost
		k.unchecked += s.cost
		if k.charged < k.spent && (k.charged > 0 || k.spent > maxPrologue) {
			require.Fail(t, "what runs is not paid for", "%d charged, %d spent", k.charged, k.spent)
		}
		limit := uint32(maxUnchecked + maxAfterCall + costIndirect)
		if k.called {
			limit = maxAfterCall + costIndirect
		}
		if k.unchecked > limit {
			require.Fail(t, "the last check is far behind", "%d", k.unchecked)
		}
		n = k.next(s)
	}
}

func (k *walker) next(s step) int {
	switch s.op {
	case opReturn, opUnreachable:
		return -1
	case opBr:
		return k.branch(s, s.labels[0])
	case opBrIf:
		if k.Intn(3) == 0 {
			return k.branch(s, s.labels[0])
		}
	case opBrTable:
		return k.branch(s, s.labels[k.Intn(len(s.labels))])
	case opIf:
		if k.Intn(2) == 0 {
			return k.goTo(k.steps[s.match].end)
		}
	case opElse:
		return k.goTo(k.steps[k.steps[s.around[len(s.around)-1]].close].end)
	case opMemoryGrow: // charged by itself, with a check
		k.unchecked, k.called, k.local = s.cost, false, false
	case opCall:
		k.local = false
		if !k.called {
			k.called, k.unchecked = true, 0
		}
	}
	return k.goTo(s.end)
}

// TestEveryWayIsPaidFor goes random ways through random functions: at every step of each what ran is charged for, and the last
// check is not far behind.
func TestEveryWayIsPaidFor(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	useful := 0
	for range 300 {
		p := &program{Rand: r}
		for range 1 + r.Intn(4) {
			p.statements(1)
		}
		body := append([]byte{0}, append(p.code, byte(opEnd))...)
		bin := binary.AppendSection([]byte(preamble), wasm.SectionType, []byte("\x01\x60\x00\x00"))
		bin = binary.AppendSection(bin, wasm.SectionFunction, []byte("\x01\x00"))
		bin = binary.AppendSection(bin, wasm.SectionCode, append([]byte{1}, binary.AppendName(nil, string(body))...))
		w := &rewriter{limits: (*Limits)(nil).withDefaults(), costs: newCosts(), report: &Report{}}
		_, err := w.run(bin)
		require.NoError(t, err)
		if w.funcs[0].cheap {
			continue
		}
		k := newWalker(t, w, r)
		for range 20 {
			k.walk(t, w.funcs[0].bodyAt)
		}
		if k.useful {
			useful++
		}
	}
	require.Greater(t, useful, 30, "programs that take fuel from a local")
}
