package snapshot

// keepGrown is how much grown memory a heap keeps for the next time, in bytes.
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

func (h *heap) restore() []byte {
	size := h.source.size
	if uint64(cap(h.buf))-size > keepGrown {
		return h.drop()
	}
	h.count.Restores++
	h.count.Copied += h.source.sys.up(uint64(len(h.buf))) / h.source.sys.page
	copy(h.buf, h.source.view)
	clear(h.buf[size:])
	h.buf = h.buf[:size]
	return h.buf[:size:size]
}

func (h *heap) drop() []byte {
	h.count.Restores++
	h.count.Drops++
	h.fresh()
	return h.buf
}

func (h *heap) stats() Stats {
	count := h.count
	count.Kept = h.source.sys.up(uint64(cap(h.buf))) / h.source.sys.page
	return count
}

func (h *heap) close() { h.buf = nil }
