package snapshot

import (
	"bytes"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// growStep is how much more address space becomes usable at a time: a guest grows in small steps, and each costs a
	// system call that all threads wait for.
	growStep = 1 << 20
	// copyStep is how much is copied at once: the garbage collector cannot stop a goroutine within a copy.
	copyStep = 1 << 20
)

// mapped is a region that maps its image privately. It consists of up to three mappings: the image, what was grown, and the rest
// of the reservation.
//
// The rest is PROT_NONE: that is not charged to anything, neither by a system that does not overcommit nor by RLIMIT_DATA, and
// going astray there is a fault. What has become usable stays so, and growing into it again takes no system call.
type mapped struct {
	source *Image
	all    []byte // the whole reservation
	start  uint64 // the address of all
	end    uint64 // the end of the image in all, in whole pages
	usable uint64 // from the start of all, in whole pages
	size   uint64 // what may have been written since the last restore, in whole pages
	high   uint64 // the largest size since pages were given back
	decay  decay
	count  Stats
}

func newMapped(i *Image, limit uint64) (*mapped, error) {
	sys := i.sys
	reserved := max(sys.up(limit), sys.page)
	p, err := unix.MmapPtr(-1, 0, nil, uintptr(reserved), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	m := &mapped{source: i, all: unsafe.Slice((*byte)(p), reserved), start: uint64(uintptr(p)), end: sys.up(i.size)}
	// A huge page would be written as a whole where a byte was. It is an optimisation: kernels without huge pages refuse.
	_ = unix.Madvise(m.all, unix.MADV_NOHUGEPAGE)
	if i.file != nil {
		const prot, flags = unix.PROT_READ | unix.PROT_WRITE, unix.MAP_PRIVATE | unix.MAP_FIXED | unix.MAP_NORESERVE
		if _, err := unix.MmapPtr(int(i.file.Fd()), i.offset, p, uintptr(m.end), prot, flags); err != nil {
			unmap(m.all)
			return nil, os.NewSyscallError("mmap", err)
		}
	}
	m.usable, m.size, m.high = m.end, m.end, m.end
	sys.mapped.Add(int64(reserved))
	return m, nil
}

func (m *mapped) image() []byte { return m.all[:m.source.size:m.source.size] }

func (m *mapped) grow(size uint64) []byte {
	if size > m.usable {
		usable := min(m.usable+max(m.source.sys.up(size)-m.usable, growStep), uint64(len(m.all)))
		if unix.Mprotect(m.all[m.usable:usable], unix.PROT_READ|unix.PROT_WRITE) != nil {
			return nil
		}
		m.usable = usable
	}
	m.size = m.source.sys.up(size)
	m.high = max(m.high, m.size)
	return m.all[:size:size]
}

func (m *mapped) restore() []byte {
	if (m.count.Restores+1)%dropEvery == 0 || !m.overwrite() {
		return m.drop()
	}
	m.count.Restores++
	m.size = m.end
	return m.image()
}

// overwrite brings the written pages back to the image and keeps them. It is false if they are too many, or are not found: then
// only some of them are back.
//
// Grown pages that were kept, and lie beyond what the memory has grown to this time, are zero already and not looked at.
func (m *mapped) overwrite() bool {
	sys := m.source.sys
	s := sys.scratch.Get().(*scratch)
	defer sys.scratch.Put(s)
	found, allowed := uint64(0), m.decay.allowed()
	for from, to := m.start, m.start+m.size; from < to; {
		runs, next, err := sys.pagemap.written(from, to, s)
		if err != nil {
			m.count.Failed++
			return false
		}
		for _, r := range runs {
			if found += (r.end - r.start) / sys.page; found <= allowed {
				m.undo(r.start-m.start, r.end-m.start)
			}
		}
		from = next
	}
	m.decay.note(found)
	if found > allowed {
		return false
	}
	m.count.Copied += found
	m.count.Kept = max(m.count.Kept, found)
	return true
}

// undo overwrites whole pages with those of the image, or with zeros behind it.
func (m *mapped) undo(from, to uint64) {
	for ; from < to; from += copyStep {
		step := m.all[from:min(to, from+copyStep)]
		n := 0
		if from < m.end {
			n = copy(step, m.source.view[from:])
		}
		clear(step[n:])
	}
}

// drop gives all pages that were written back: the image's own take their place.
func (m *mapped) drop() []byte {
	m.count.Restores++
	m.count.Drops++
	if m.high > 0 && unix.Madvise(m.all[:m.high], unix.MADV_DONTNEED) != nil {
		m.count.Failed++
		m.compare()
	} else {
		m.high = m.end
		m.count.Kept = 0
	}
	m.size = m.end
	return m.image()
}

// compare brings the memory back without the system's help, as when it is locked and so cannot be given back. It writes only to
// pages that differ, so that the others stay shared.
func (m *mapped) compare() {
	page := m.source.sys.page
	zeros := make([]byte, page)
	for from := uint64(0); from < m.size; from += page {
		want := zeros
		if from < m.end {
			want = m.source.view[from : from+page]
		}
		if have := m.all[from : from+page]; !bytes.Equal(have, want) {
			copy(have, want)
			m.count.Copied++
		}
	}
}

func (m *mapped) stats() Stats { return m.count }

func (m *mapped) close() {
	m.source.sys.mapped.Add(-int64(len(m.all)))
	unmap(m.all)
	m.all = nil
}
