package rewrite

import "github.com/wasmtools/wasmtools/internal/wasm"

// A call by reference gets to a function of the right type that a reference can be had of. Each such type has a profile
// behind those of the functions: that of a function which calls all that it may be.

// byType returns the profile of the functions of a type that are called by reference.
func (w *rewriter) byType(index uint32) uint32 {
	t := w.module.Types[index]
	i, ok := w.types[t]
	if !ok {
		i = uint32(len(w.funcs))
		w.types[t] = i
		w.funcs = append(w.funcs, profile{recursive: true})
	}
	return i
}

// take notes that a reference to a function can be had.
func (w *rewriter) take(f uint32) {
	if f >= w.imported {
		w.taken[f-w.imported] = true
	}
}

// resolve settles what calls by reference get to. A table that others can change may hold anything.
func (w *rewriter) resolve() {
	for f, taken := range w.taken {
		if !taken {
			continue
		}
		if i, ok := w.types[w.module.Types[w.module.FuncTypes[w.imported+uint32(f)]]]; ok {
			w.funcs[i].calls = append(w.funcs[i].calls, uint32(f))
		}
	}
	if w.sharesTable() {
		for _, i := range w.types {
			w.funcs[i].calls = append(w.funcs[i].calls, i)
		}
	}
}

func (w *rewriter) sharesTable() bool {
	for _, i := range w.module.Imports {
		if i.Kind == wasm.Table {
			return true
		}
	}
	for _, e := range w.module.Exports {
		if e.Kind == wasm.Table {
			return true
		}
	}
	return false
}

// maxDepth is how long a chain of calls can be whose functions are known not to recurse. It bounds the time to find them, and
// what can run without a check while calls return.
const maxDepth = 16

// settle finds the functions that do not recurse: round by round those that call only functions found before.
func (w *rewriter) settle() {
	w.resolve()
	for range maxDepth {
		for i := range w.funcs {
			if p := &w.funcs[i]; p.recursive {
				w.settleOne(p)
			}
		}
	}
}

func (w *rewriter) settleOne(p *profile) {
	depth := 0
	for _, callee := range p.calls {
		c := &w.funcs[callee]
		if c.recursive || c.depth == maxDepth {
			return
		}
		depth = max(depth, c.depth+1)
	}
	p.depth = depth
	p.recursive, p.cheap = false, !p.looping
	for _, callee := range p.calls {
		p.add(w.funcs[callee].cost)
		p.cheap = p.cheap && w.funcs[callee].cheap
	}
	p.cheap = p.cheap && p.cost <= maxCheap
}
