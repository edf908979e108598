package snapshot

import (
	"fmt"
	"math"
)

// Region is memory that begins as an image, may be written to and grow, and goes back to the image. One goroutine uses it at a
// time.
type Region struct {
	image *Image
	limit uint64
	mem   memory // nil once closed
	buf   []byte // of mem, as long as the memory is now
}

// memory is what differs between the mechanisms. Bytes beyond the current size are zero or not there.
type memory interface {
	// grow returns the memory with size bytes, which is more than there are and not over the limit, or nil.
	grow(size uint64) []byte
	// restore returns the memory as the image.
	restore() []byte
	// drop is restore, and gives memory back to the system.
	drop() []byte
	stats() Stats
	close()
}

// Stats counts what restoring a region took. A page is one of the operating system's.
type Stats struct {
	Restores uint64 // calls of Restore and Drop
	Copied   uint64 // pages overwritten from the image, or with zeros where the memory had grown
	Drops    uint64 // how often all written pages were given back instead
	Failed   uint64 // how often the mechanism was refused, and something slower did
	Kept     uint64 // pages that the region holds of its own, as far as they were seen
}

// NewRegion reserves limit bytes of address space, with the image at the start. It takes a few system calls and next to no
// memory. A limit of 4 GiB is fine, and so are thousands of regions: what has not been grown into can be neither read nor
// written, and no system counts it.
func (i *Image) NewRegion(limit uint64) (*Region, error) {
	if limit < i.size || limit > math.MaxInt-i.sys.page {
		return nil, fmt.Errorf("snapshot: region of %d bytes for an image of %d: bad limit", limit, i.size)
	}
	if !i.life.join() {
		return nil, ErrClosed
	}
	mem, buf, err := i.newMemory(limit)
	if err != nil {
		i.leave()
		return nil, fmt.Errorf("snapshot: region of %d bytes: %w", limit, err)
	}
	i.sys.regions.Add(1)
	return &Region{image: i, limit: limit, mem: mem, buf: buf}, nil
}

func (i *Image) newMemory(limit uint64) (memory, []byte, error) {
	if i.sys.pagemap == nil {
		h := newHeap(i, limit)
		return h, h.buf, nil
	}
	m, err := newMapped(i, limit)
	if err != nil {
		return nil, nil, err
	}
	return m, m.image(), nil
}

// Bytes returns the memory at its current size: nil once the region is closed. The slice is good until Grow, Restore, Drop or
// Close. The memory stays at its address, apart from Copy's: that may move with Grow, with the Restore after it, and with Drop.
func (r *Region) Bytes() []byte { return r.buf }

// Grow makes the memory size bytes long and returns it. What is new reads as zeros. It is false, and nothing has changed, if
// size is less than the memory has, over the limit, or more than the system gives.
func (r *Region) Grow(size uint64) ([]byte, bool) {
	if r.mem == nil || size < uint64(len(r.buf)) || size > r.limit {
		return nil, false
	}
	if size > uint64(len(r.buf)) {
		buf := r.mem.grow(size)
		if buf == nil {
			return nil, false
		}
		r.buf = buf
	}
	return r.buf, true
}

// Restore brings bytes and size back to the image. It cannot fail, and does nothing once the region is closed.
//
// Pages that were written are kept, and overwritten every time from then on. So that one call that writes much does not make
// all later restores slow, they are given back when there are more than 64 and more than four times the median of the last
// restores, and every 1024th time.
func (r *Region) Restore() {
	if r.mem != nil {
		r.buf = r.mem.restore()
	}
}

// Drop is Restore for a region that will not be used for some time: it gives the kept pages back.
func (r *Region) Drop() {
	if r.mem != nil {
		r.buf = r.mem.drop()
	}
}

// Stats says what restoring has taken so far. It is zero once the region is closed.
func (r *Region) Stats() Stats {
	if r.mem == nil {
		return Stats{}
	}
	return r.mem.stats()
}

// Close frees the memory. Nothing may touch what Bytes and Grow have returned, neither code nor another goroutine.
func (r *Region) Close() {
	if r.mem == nil {
		return
	}
	r.mem.close()
	r.mem, r.buf = nil, nil
	r.image.sys.regions.Add(-1)
	r.image.leave()
}
