// Package snapshot keeps memory that goes back to what it was, cheaply: one [Image] of the bytes, and any number of
// [Region]s that begin as the image, are written to, grow, and are restored.
//
//	sys := snapshot.Probe()
//	image, err := sys.NewImage(mem)
//	region, err := image.NewRegion(limit)
//	region.Bytes()[7]++
//	region.Grow(limit)
//	region.Restore() // Bytes is the image again, at its old size
//
// # How
//
// The image is a sealed file in memory. A region is a private mapping of it: nothing is copied before it is written, and
// regions share what they only read. The kernel gives a written page a copy of its own, and can say which pages those are.
// Restore overwrites them from the image and keeps them, so that the next round of writes needs no page fault and no change
// to the page tables, and regions used on different cores do not get in each other's way. What is kept decays: see
// [Region.Restore].
//
// How the written pages are found is the [Mechanism]. [Probe] tries them on this system, best first, and ends with one that
// works everywhere. A system call that is refused later costs time and is no error: Restore always restores.
//
// # Lifetimes
//
// Regions are memory outside of Go's heap: nothing is freed by the garbage collector, and a slice of a region that is
// touched after [Region.Close] crashes the process or reads the memory of another region. Whoever makes a System, an Image
// or a Region closes it; closing twice is fine. A System or an Image that is closed makes nothing new, and its own memory goes
// with the last region that needs it. [System.Usage] counts what is left.
//
// A System and an Image may be used from many goroutines, a Region from one at a time.
package snapshot
