package runtime

import (
	"bytes"
	"math"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/wasmtools/wasmtools/tool"
)

// This file alone touches a guest's memory, and internal/wasi what guestMemory gives it.

// pageSize is the unit in which linear memory grows.
const pageSize = 64 << 10

// guestBytes returns a copy of length bytes of guest memory at ptr. A copy, because the guest's memory may move or change
// while the host still looks at the bytes.
func guestBytes(mod api.Module, ptr, length uint32) ([]byte, bool) {
	view, ok := mod.Memory().Read(ptr, length)
	if !ok {
		return nil, false
	}
	return bytes.Clone(view), true
}

// appendGuestBytes appends length bytes of guest memory at ptr to dst.
func appendGuestBytes(dst []byte, mod api.Module, ptr, length uint32) ([]byte, bool) {
	view, ok := mod.Memory().Read(ptr, length)
	if !ok {
		return dst, false
	}
	return append(dst, view...), true
}

// guestMemory returns all of a guest's memory, not a copy of it. Of 4 GiB the last byte is missing, because the engine says that
// their size is 0.
func guestMemory(mod api.Module) []byte {
	mem := mod.Memory()
	view, _ := mem.Read(0, mem.Size())
	if len(view) == 0 {
		view, _ = mem.Read(0, math.MaxUint32)
	}
	return view
}

// guestRange reports whether length bytes at ptr lie within guest memory.
func guestRange(mod api.Module, ptr, length uint32) bool {
	_, ok := mod.Memory().Read(ptr, length)
	return ok
}

// writeGuest copies data to guest memory at ptr.
func writeGuest(mod api.Module, ptr uint32, data []byte) bool { return mod.Memory().Write(ptr, data) }

// memoryLimit bounds the linear memory of one instance. It is used by one goroutine.
type memoryLimit struct {
	max     int64            // bytes; negative is none
	totals  *totals          // of the runtime, which what is held is taken from
	refused *tool.LimitError // why more memory was last refused; nil if it never was
	held    int64            // bytes that were taken
	peak    int64            // the largest size that the memory had
	buf     []byte
}

var _ experimental.MemoryAllocator = (*memoryLimit)(nil)

// Allocate is called once per instance: a module that defines several memories is refused.
func (m *memoryLimit) Allocate(capacity, _ uint64) experimental.LinearMemory {
	m.buf = make([]byte, 0, min(capacity, uint64(m.ceiling())))
	return m
}

// Reallocate returns the memory at its new size, or nil, which makes memory.grow fail in the guest.
func (m *memoryLimit) Reallocate(size uint64) []byte {
	if size > uint64(m.ceiling()) {
		m.refused = &tool.LimitError{Name: tool.LimitMemory, Max: m.ceiling(), Actual: int64(min(size, 1<<62))}
		return nil
	}
	if !m.reserve(int64(size)) {
		return nil
	}
	if have := uint64(len(m.buf)); size > have {
		m.buf = append(m.buf, make([]byte, size-have)...)
	}
	m.peak = int64(len(m.buf))
	return m.buf
}

// Free drops the memory.
func (m *memoryLimit) Free() { m.buf = nil }

// reserve makes sure that size bytes in all are taken from what the runtime has, and reports whether they are. The engine needs
// that to be so for the size at the start before it makes an instance.
func (m *memoryLimit) reserve(size int64) bool {
	more := size - m.held
	if more <= 0 {
		return true
	}
	if !m.totals.take(more) {
		m.refused = m.totals.outOfMemory(more)
		return false
	}
	m.held = size
	return true
}

// release gives back what was reserved. The instance is gone.
func (m *memoryLimit) release() {
	m.totals.give(m.held)
	m.held = 0
}

func (m *memoryLimit) ceiling() int64 {
	if m.max < 0 {
		return 65536 * pageSize
	}
	return m.max / pageSize * pageSize
}
