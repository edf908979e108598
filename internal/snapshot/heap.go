package snapshot

// keepGrown is how many bytes of grown memory a heap keeps for the next time, or as many as the image has.
const keepGrown = 4 << 20

// heap is a region in Go's own memory, for Copy.
type heap struct {
	source *Image
	limit  uint64
	buf    []byte // zero between its length and its capacity
	count  Stats
}

func newHeap(i *Image, limit uint64) *heap {
	h := &heap{source: i, limit: limit}
	h.fresh()
	return h
}

// fresh takes new memory.
func (h *heap) fresh() {
	h.buf = make([]byte, h.source.size)
	copy(h.buf, h.source.view)
}

func (h *heap) grow(size uint64) []byte {
	if size > uint64(cap(h.buf)) {
		// A guest grows in small steps: doubling keeps the copying linear.
		buf := make([]byte, size, min(h.limit, max(size, 2*uint64(cap(h.buf)))))
		copy(buf, h.buf)
		h.buf = buf
	}
	h.buf = h.buf[:size]
	return h.buf[:size:size]
}

func (h *heap) restore() []byte { return h.back(h.spare() <= max(keepGrown, h.source.size)) }

func (h *heap) drop() []byte { return h.back(h.spare() == 0) }

// spare is how many bytes the heap holds beyond the image.
func (h *heap) spare() uint64 { return uint64(cap(h.buf)) - h.source.size }

// back brings the image back, in the same memory or in new one.
func (h *heap) back(keep bool) []byte {
	h.count.Restores++
	if !keep {
		h.count.Drops++
		h.fresh()
		return h.buf
	}
	h.count.Copied += h.pages(len(h.buf))
	clear(h.buf[copy(h.buf, h.source.view):])
	h.buf = h.buf[:h.source.size]
	return h.buf[:h.source.size:h.source.size]
}

func (h *heap) stats() Stats {
	count := h.count
	count.Kept = h.pages(cap(h.buf))
	return count
}

func (h *heap) pages(n int) uint64 { return h.source.sys.up(uint64(n)) / h.source.sys.page }

func (h *heap) close() { h.buf = nil }
