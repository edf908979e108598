package snapshot

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
)

// Mechanism is a way to find the pages that were written.
type Mechanism string

const (
	// PagemapScan asks the kernel for the written pages: one system call that visits the pages that are there. Linux 6.7.
	PagemapScan Mechanism = "pagemap-scan"
	// Pagemap reads the state of every page from /proc/self/pagemap. Linux 4.2.
	Pagemap Mechanism = "pagemap"
	// Copy knows nothing and copies everything. It uses Go's own memory and works on every system.
	Copy Mechanism = "copy"
)

// Mechanisms returns all of them, best first.
func Mechanisms() []Mechanism { return []Mechanism{PagemapScan, Pagemap, Copy} }

// ErrClosed is what a closed System or Image answers.
var ErrClosed = errors.New("snapshot: closed")

// System makes images by one mechanism and counts what is in use.
type System struct {
	mechanism Mechanism
	note      string
	page      uint64   // of the operating system, in bytes
	pagemap   *pagemap // nil: Copy
	scratch   sync.Pool
	life      lifetime

	images, regions, mapped atomic.Int64
}

// Usage is what a System has given out and not got back.
type Usage struct {
	Images, Regions int64
	Mapped          int64 // bytes of address space, which is not memory in use; Copy maps nothing
}

// Probe returns a System with the best mechanism that works here, which it finds out by trying.
func Probe() *System {
	var refused []string
	for _, m := range Mechanisms() {
		s, err := Open(m)
		if err != nil {
			refused = append(refused, err.Error())
			continue
		}
		s.note = strings.Join(refused, "; ")
		return s
	}
	return newSystem(Copy, nil) // not reached: Copy asks the system for nothing
}

// Open returns a System with this mechanism, or an error that says why it does not work here.
func Open(m Mechanism) (*System, error) {
	if m == Copy {
		return newSystem(Copy, nil), nil
	}
	p, err := openPagemap(m)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %s: %w", m, err)
	}
	s := newSystem(m, p)
	if err := s.try(); err != nil {
		s.Close()
		return nil, fmt.Errorf("snapshot: %s: %w", m, err)
	}
	return s, nil
}

func newSystem(m Mechanism, p *pagemap) *System {
	return &System{
		mechanism: m,
		page:      uint64(os.Getpagesize()),
		pagemap:   p,
		scratch:   sync.Pool{New: func() any { return new(scratch) }},
		life:      lifetime{users: 1},
	}
}

// Mechanism returns what Probe found or Open was told.
func (s *System) Mechanism() Mechanism { return s.mechanism }

// Note says why Probe did not take a better mechanism. It is empty where there is none.
func (s *System) Note() string { return s.note }

// Usage counts what is in use now.
func (s *System) Usage() Usage {
	return Usage{Images: s.images.Load(), Regions: s.regions.Load(), Mapped: s.mapped.Load()}
}

// Close lets the System make no further image. Its descriptor goes with its last image.
func (s *System) Close() {
	if s.life.close() {
		s.pagemap.close()
	}
}

func (s *System) leave() {
	if s.life.leave() {
		s.pagemap.close()
	}
}

// up rounds a number of bytes up to whole pages.
func (s *System) up(n uint64) uint64 { return (n + s.page - 1) / s.page * s.page }
