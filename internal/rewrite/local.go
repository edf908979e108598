package rewrite

import "github.com/wasmtools/wasmtools/internal/wasm/binary"

// A loop that takes its fuel from the global in each turn goes through memory: a turn's load waits for the store of the one
// before it. So in a loop in which nothing else gets at the fuel, a local holds it too, and is what is loaded. What is taken is
// still stored to the global in each turn, for which nothing waits, so that the global is right wherever control goes: out of the
// loop by any branch, or to the host by a trap.
//
// A loop with calls would have to load the fuel behind each of them, which costs what it saves.

// openLoop notes that the first reading gets to a loop. It is tight as long as nothing in it gets at the fuel.
func (w *rewriter) openLoop() {
	w.open = append(w.open, len(w.tight))
	w.tight = append(w.tight, !w.options.NoLocal)
}

// closeLoop notes that the first reading leaves a loop. If that is not tight, neither is the one around it.
func (w *rewriter) closeLoop() {
	last := len(w.open) - 1
	tight := w.tight[w.open[last]]
	w.open = w.open[:last]
	if !tight {
		w.loosen()
	}
}

// loosen notes that something in the innermost open loop, if there is one, may get at the fuel.
func (w *rewriter) loosen() {
	if n := len(w.open); n > 0 {
		w.tight[w.open[n-1]] = false
	}
}

// load notes that a local takes the fuel before the loop that starts here, if it does not hold it yet.
func (w *rewriter) load() {
	if m := &w.meter; m.now.alive() && !m.now.local {
		w.insert(w.decoder.at, 0, editLoad)
		m.now.local = true
	}
}

// get appends the fuel: from the local, where that holds it.
func (w *rewriter) get(b []byte, local bool) []byte {
	if local {
		return binary.AppendU32(append(b, byte(opLocalGet)), w.local)
	}
	return w.global(b, opGlobalGet)
}

// set appends what takes the fuel from the stack.
func (w *rewriter) set(b []byte, local bool) []byte {
	if local {
		b = binary.AppendU32(append(b, byte(opLocalTee)), w.local)
	}
	return w.global(b, opGlobalSet)
}
