package snapshot

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// In a private mapping of a file, a page that was written is the process's own and no page of the file any more: it is there,
// in memory or in swap, and is not a file page. In the grown part behind it, which maps no file, every page that is there was
// written, apart from the zero page, which reading brings.

// run is a run of written pages, from its first address to the one behind its last. The layout is the kernel's.
type run struct{ start, end, categories uint64 }

// scratch is what one search for written pages needs. It comes from a sync.Pool, so that it is on the heap: the kernel is given
// addresses in it as numbers, which would not follow a stack that moves.
type scratch struct {
	arg     scanArg
	runs    [128]run
	entries [1024]uint64
}

// pagemap is /proc/self/pagemap and a way to use it.
type pagemap struct {
	fd   int
	find func(fd int, from, to uint64, s *scratch) (n int, next uint64, err error)
}

func openPagemap(m Mechanism) (*pagemap, error) {
	p := &pagemap{}
	switch m {
	case PagemapScan:
		p.find = scanPagemap
	case Pagemap:
		p.find = readPagemap
	default:
		return nil, errors.New("unknown mechanism")
	}
	var err error
	p.fd, err = unix.Open("/proc/self/pagemap", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: "/proc/self/pagemap", Err: err}
	}
	// Any page will do to learn why it does not work.
	s, page := new(scratch), uint64(os.Getpagesize())
	from := uint64(uintptr(unsafe.Pointer(s))) / page * page
	if _, _, err := p.written(from, from+page, s); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *pagemap) close() {
	if p != nil {
		unix.Close(p.fd)
	}
}

// written returns runs of written pages between two addresses, and the address where to look for more. It believes the kernel
// only so far as not to leave the range and to come to an end.
func (p *pagemap) written(from, to uint64, s *scratch) ([]run, uint64, error) {
	n, next, err := p.find(p.fd, from, to, s)
	if err != nil {
		return nil, 0, err
	}
	if n < 0 || n > len(s.runs) || next <= from {
		return nil, 0, fmt.Errorf("pagemap: %d runs up to %#x of %#x to %#x", n, next, from, to)
	}
	for _, r := range s.runs[:n] {
		if r.start < from || r.start >= r.end || r.end > to {
			return nil, 0, fmt.Errorf("pagemap: run %#x to %#x is not within %#x to %#x", r.start, r.end, from, to)
		}
	}
	return s.runs[:n], next, nil
}

// scanArg is struct pm_scan_arg of linux/fs.h.
type scanArg struct {
	size, flags, start, end, walkEnd, vec, vecLen, maxPages, inverted, mask, anyOf, returned uint64
}

const (
	pagemapScan = 0xc0606610 // PAGEMAP_SCAN, _IOWR('f', 16, struct pm_scan_arg); some architectures number it differently

	pageIsFile    = 1 << 2
	pageIsPresent = 1 << 3
	pageIsSwapped = 1 << 4
	pageIsZero    = 1 << 5
)

// scanPagemap has the kernel look for pages that are present or swapped, and neither of a file nor the zero page.
func scanPagemap(fd int, from, to uint64, s *scratch) (int, uint64, error) {
	s.arg = scanArg{
		size:     uint64(unsafe.Sizeof(s.arg)),
		start:    from,
		end:      to,
		vec:      uint64(uintptr(unsafe.Pointer(&s.runs[0]))),
		vecLen:   uint64(len(s.runs)),
		inverted: pageIsFile | pageIsZero,
		mask:     pageIsFile | pageIsZero,
		anyOf:    pageIsPresent | pageIsSwapped,
		returned: pageIsFile, // the same for all that are found: neighbours make one run
	}
	n, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), pagemapScan, uintptr(unsafe.Pointer(&s.arg)))
	runtime.KeepAlive(s)
	if errno != 0 {
		return 0, 0, os.NewSyscallError("ioctl", errno)
	}
	return int(n), s.arg.walkEnd, nil
}

const (
	entryPresent = 1 << 63
	entrySwapped = 1 << 62
	entryFile    = 1 << 61
)

// readPagemap reads one number for each page. The zero page cannot be told apart: a grown page that was only read counts.
func readPagemap(fd int, from, to uint64, s *scratch) (int, uint64, error) {
	page := uint64(os.Getpagesize())
	count := min((to-from)/page, uint64(len(s.entries)))
	buf := unsafe.Slice((*byte)(unsafe.Pointer(&s.entries[0])), count*8)
	got, err := unix.Pread(fd, buf, int64(from/page*8))
	if err != nil {
		return 0, 0, os.NewSyscallError("pread", err)
	}
	n := 0
	next := from
	for _, entry := range s.entries[:got/8] {
		at := next
		if entry&(entryPresent|entrySwapped) == 0 || entry&entryFile != 0 {
			next += page
			continue
		}
		if n == 0 || s.runs[n-1].end != at {
			if n == len(s.runs) {
				break
			}
			s.runs[n] = run{start: at}
			n++
		}
		next += page
		s.runs[n-1].end = next
	}
	return n, next, nil
}
