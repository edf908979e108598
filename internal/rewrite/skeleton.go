package rewrite

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// Skeleton returns a rewritten module with functions that do nothing but trap. It is the same to those who look at it from
// outside, and takes next to no time to read: whoever has the machine code of the module already needs no more of it. That it
// runs with that code, and not its own, is what MarkExport tells. The skeletons of different modules differ: each holds the
// digest of its module.
func Skeleton(rewritten []byte) ([]byte, error) {
	m, err := wasm.Decode(rewritten)
	if err != nil {
		return nil, fmt.Errorf("skeleton of a module: %w", err)
	}
	if _, ok := m.Export(MarkExport, wasm.Func); !ok {
		return nil, errors.New("skeleton of a module: it was not rewritten")
	}
	out := append(make([]byte, 0, len(rewritten)-m.CodeSize+4*m.Funcs), preamble...)
	r := binary.NewReader(rewritten[len(preamble):])
	for r.More() {
		id, body := r.Byte(), r.Bytes(r.Count())
		if id == wasm.SectionCode {
			body = traps(m.Funcs)
		}
		out = binary.AppendSection(out, id, body)
	}
	digest := sha256.Sum256(rewritten)
	out = binary.AppendSection(out, wasm.SectionCustom, append(binary.AppendName(nil, digestSection), digest[:]...))
	return out, r.Err()
}

// digestSection is the custom section of a skeleton.
const digestSection = Prefix + "digest"

// traps is a code section of so many functions that trap.
func traps(n int) []byte {
	b := binary.AppendU32(make([]byte, 0, 4*n+5), uint32(n))
	for range n {
		b = append(b, 3, 0, byte(opUnreachable), byte(opEnd))
	}
	return b
}
