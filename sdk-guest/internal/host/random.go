//go:build !(tinygo && wasip1)

package host

// Reseed does nothing. Standard Go asks WASI each time for what crypto/rand returns, and the generator of its runtime, which
// everything else draws from, can only be seeded by the runtime itself.
func Reseed() {}
