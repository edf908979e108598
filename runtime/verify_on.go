//go:build verifyrestore

package runtime

import (
	"bytes"
	"fmt"
)

// verify panics unless the instance is, byte for byte, what the module's snapshot is. Tests are run with this build tag, too.
func (i *instance) verify() {
	want := i.compiled.image
	mem := i.memory.region.Bytes()
	if seen := i.mod.Memory().Size(); int(seen) != len(mem) {
		panic(fmt.Sprintf("restored memory has %d bytes, and the engine sees %d", len(mem), seen))
	}
	if view, _ := i.mod.Memory().Read(0, uint32(len(mem))); !bytes.Equal(view, want.memory.Bytes()) {
		panic("restored memory differs from the snapshot")
	}
	for n, g := range i.globals {
		if g.Get() != want.globals[n] {
			panic(fmt.Sprintf("restored global %s differs from the snapshot", i.compiled.globals[n]))
		}
	}
}
