//go:build wasm && !tinygo

package module

import (
	"fmt"
	"os"
)

// lastWords ends a call that panicked and leaves the panic's text as the last line on standard error, where the host looks
// for it. Left alone, the runtime would write the stacks of all goroutines behind it.
func lastWords() {
	if v := recover(); v != nil {
		fmt.Fprintf(os.Stderr, "panic: %v\n", v)
		os.Exit(2)
	}
}
