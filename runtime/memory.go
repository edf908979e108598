package runtime

import (
	"bytes"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/wasmtools/wasmtools/internal/snapshot"
	"github.com/wasmtools/wasmtools/tool"
)

// This file alone touches a guest's memory, and internal/wasi what guestMemory gives it.

// pageSize is the unit in which linear memory grows.
const pageSize = 64 << 10

// maxPages is one page less than there can be. To the engine every memory may have all of 4 GiB: what it may have is for
// linearMemory to say, and restoring a memory's size takes asking for a page more.
const maxPages = 65535

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

// guestMemory returns all of a guest's memory, not a copy of it.
func guestMemory(mod api.Module) []byte {
	mem := mod.Memory()
	view, _ := mem.Read(0, mem.Size())
	return view
}

// guestRange reports whether length bytes at ptr lie within guest memory.
func guestRange(mod api.Module, ptr, length uint32) bool {
	_, ok := mod.Memory().Read(ptr, length)
	return ok
}

// writeGuest copies data to guest memory at ptr.
func writeGuest(mod api.Module, ptr uint32, data []byte) bool { return mod.Memory().Write(ptr, data) }

// linearMemory is the memory of one instance. It is used by one goroutine at a time.
type linearMemory struct {
	region    *snapshot.Region
	pool      *pool
	own       int64            // bytes that the module says it can have
	max       int64            // bytes that the call may have
	refused   *tool.LimitError // why the call was last refused more; nil if it never was
	peak      int64            // the largest size during the call
	restoring bool
}

var (
	_ experimental.MemoryAllocator = (*linearMemory)(nil)
	_ experimental.LinearMemory    = (*linearMemory)(nil)
)

// begin sets the limit of a call.
func (m *linearMemory) begin(max int64) {
	m.max, m.refused, m.peak = memoryCeiling(max), nil, m.size()
}

func (m *linearMemory) size() int64 { return int64(len(m.region.Bytes())) }

// Allocate is called once per instance: a module that defines several memories is refused.
func (m *linearMemory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate returns the memory with at least the size, or nil, which makes memory.grow fail in the guest.
//
// The engine takes what it gets. That is how a memory can start larger than the module says, and become smaller again.
func (m *linearMemory) Reallocate(size uint64) []byte {
	more := int64(min(size, 1<<62)) - m.size()
	switch {
	case m.restoring, more <= 0:
		return m.region.Bytes()
	case int64(size) > m.own:
		return nil
	case int64(size) > m.max:
		m.refused = &tool.LimitError{Name: tool.LimitMemory, Max: m.max, Actual: int64(size)}
		return nil
	case !m.pool.reserve(more):
		m.refused = m.pool.outOfMemory(more)
		return nil
	}
	mem, ok := m.region.Grow(size)
	if !ok {
		m.pool.unreserve(more)
		m.refused = m.pool.outOfMemory(more)
		return nil
	}
	m.peak = int64(size)
	return mem
}

// Free does nothing: the instance's owner closes the region.
func (m *linearMemory) Free() {}

// restore makes the memory what it was, its size included. It reports whether that worked.
func (m *linearMemory) restore(mod api.Module) bool {
	before := m.size()
	m.region.Restore()
	grown := before - m.size()
	if grown == 0 {
		return true
	}
	m.pool.unreserve(grown)
	m.restoring = true
	defer func() { m.restoring = false }()
	mem := mod.Memory()
	_, ok := mem.Grow(1) // the engine asks for more, and takes the slice that it gets
	return ok && int64(mem.Size()) == m.size()
}

// memoryCeiling rounds a limit down to whole pages.
func memoryCeiling(limit int64) int64 {
	if limit < 0 || limit > maxPages*pageSize {
		return maxPages * pageSize
	}
	return limit / pageSize * pageSize
}
