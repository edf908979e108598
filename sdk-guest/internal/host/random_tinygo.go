//go:build tinygo && wasip1

package host

import "unsafe"

// TinyGo takes random numbers from its C library, which asks WASI once, while the module initialises, and computes all others
// from that. Calls begin with the state after initialisation, so all of them would get the same ones, from crypto/rand too.
// The two functions with //export take the place of the C library's, whoever calls them and whatever initialises first. They
// are exports of the module as well; there is no way to have the one without the other.

//go:wasmimport wasi_snapshot_preview1 random_get
//go:noescape
func importRandomGet(p unsafe.Pointer, size uint32) (errno uint32)

//export arc4random_buf
func arc4randomBuf(p unsafe.Pointer, size uint32) {
	if importRandomGet(p, size) != 0 {
		panic("the host gives no random numbers")
	}
}

//export arc4random
func arc4random() uint32 {
	if drawn.left == 0 {
		draw(len(drawn.numbers))
	}
	drawn.left--
	return drawn.numbers[drawn.left]
}

// drawn are random numbers that nobody has had yet. Asking the host for many at once is several times as fast as one by one.
var drawn struct {
	numbers [16]uint32
	left    int
}

// draw replaces what is left.
func draw(n int) {
	arc4randomBuf(unsafe.Pointer(&drawn.numbers), uint32(n)*4)
	drawn.left = n
}

// Reseed gives a call random numbers of its own. It comes first in a call: until then, what is left of those drawn during
// initialisation is the same for all calls.
func Reseed() {
	draw(2)
	initRand()
}

// initRand seeds the generator behind the order and the hashes of maps as at the start of a program. It takes two numbers.
//
//go:linkname initRand runtime.initRand
func initRand()
