package snapshot_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/wasmtools/wasmtools/internal/snapshot"
)

func TestSealed(t *testing.T) {
	each(t, func(t *testing.T, sys *snapshot.System) {
		onlyMapped(t, sys)
		image := newImage(t, sys, pattern(wasmPage))
		defer image.Close()
		f := image.File()
		_, err := f.WriteAt([]byte{1}, 0)
		require.ErrorIs(t, err, unix.EPERM)
		require.ErrorIs(t, f.Truncate(0), unix.EPERM)
		require.ErrorIs(t, f.Truncate(2*wasmPage), unix.EPERM)
		_, err = unix.Mmap(int(f.Fd()), 0, wasmPage, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		require.ErrorIs(t, err, unix.EPERM)
		_, err = unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_FUTURE_WRITE)
		require.ErrorIs(t, err, unix.EPERM)
		same(t, pattern(wasmPage), image.Bytes())
	})
}

func TestZerosAreHoles(t *testing.T) {
	each(t, func(t *testing.T, sys *snapshot.System) {
		onlyMapped(t, sys)
		mem := make([]byte, 100*wasmPage)
		mem[7*wasmPage], mem[len(mem)-1] = 1, 1
		image := newImage(t, sys, mem)
		defer image.Close()
		var stat unix.Stat_t
		require.NoError(t, unix.Fstat(int(image.File().Fd()), &stat))
		require.EqualValues(t, 2*os.Getpagesize(), stat.Blocks*512)
		same(t, mem, image.Bytes())
	})
}

func TestChildrenInheritNoDescriptor(t *testing.T) {
	each(t, func(t *testing.T, sys *snapshot.System) {
		onlyMapped(t, sys)
		image := newImage(t, sys, pattern(wasmPage))
		defer image.Close()
		region := newRegion(t, image, wasmPage)
		defer region.Close()
		require.GreaterOrEqual(t, descriptorsOf(ownDescriptors(t)), 2, "the test does not see what it looks for")
		out, err := exec.Command("ls", "-l", "/proc/self/fd").CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), "->")
		require.Zero(t, descriptorsOf(string(out)), string(out))
	})
}

// descriptorsOf counts the package's among the links of a folder of descriptors.
func descriptorsOf(links string) int {
	return strings.Count(links, "memfd:") + strings.Count(links, "/pagemap")
}

func ownDescriptors(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	var links []string
	for _, entry := range entries {
		link, _ := os.Readlink("/proc/self/fd/" + entry.Name()) // the one that reads the folder is gone
		links = append(links, link)
	}
	return strings.Join(links, "\n")
}

func TestCloseGivesDescriptorsAndMappingsBack(t *testing.T) {
	mappings := func() int {
		maps, err := os.ReadFile("/proc/self/maps")
		require.NoError(t, err)
		return bytes.Count(maps, []byte("memfd:wasmtools"))
	}
	each(t, func(t *testing.T, sys *snapshot.System) {
		onlyMapped(t, sys)
		before := descriptorsOf(ownDescriptors(t))
		again, err := snapshot.Open(sys.Mechanism())
		require.NoError(t, err)
		image := newImage(t, again, pattern(wasmPage))
		region := newRegion(t, image, 2*wasmPage)
		image.Close()
		again.Close()
		require.Equal(t, before+2, descriptorsOf(ownDescriptors(t)), "the region still needs both")
		require.Equal(t, 2, mappings())
		region.Close()
		require.Equal(t, before, descriptorsOf(ownDescriptors(t)))
		require.Zero(t, mappings())
	})
}

// TestPagesInEveryState brings pages into the states that the kernel may bring them into at any time.
func TestPagesInEveryState(t *testing.T) {
	const pages = 128 * wasmPage // so that there is a huge page in every quarter
	mem, zeros := pattern(pages), make([]byte, pages)
	advise := func(advice int) func([]byte) error {
		return func(mem []byte) error { return unix.Madvise(mem, advice) }
	}
	states := map[string]func([]byte) error{
		"swapped, where there is swap": advise(unix.MADV_PAGEOUT),
		"cold":                         advise(unix.MADV_COLD),
		"huge":                         advise(unix.MADV_HUGEPAGE),
		"collapsed": func(mem []byte) error {
			return errors.Join(unix.Madvise(mem, unix.MADV_HUGEPAGE), unix.Madvise(mem, unix.MADV_COLLAPSE))
		},
		"mergeable":                advise(unix.MADV_MERGEABLE),
		"dropped by somebody else": advise(unix.MADV_DONTNEED),
		"all present":              advise(unix.MADV_POPULATE_READ),
		"all written":              advise(unix.MADV_POPULATE_WRITE),
		"locked":                   unix.Mlock,
	}
	for name, bring := range states {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, sys *snapshot.System) {
				onlyMapped(t, sys)
				image := newImage(t, sys, mem)
				defer image.Close()
				region := newRegion(t, image, 2*pages)
				defer region.Close()
				for round := range 4 {
					buf, ok := region.Grow(2 * pages)
					require.True(t, ok)
					for at := 0; at < len(buf); at += 3*os.Getpagesize() + 1 {
						buf[at]++
					}
					ofImage, ofGrown := bring(buf[pages/2:pages]), bring(buf[pages:pages+pages/2])
					if ofImage != nil && ofGrown != nil {
						t.Skip(ofImage, ofGrown)
					}
					for at := 100; at < len(buf); at += 7*os.Getpagesize() + 1 {
						buf[at]++
					}
					if round == 2 {
						region.Drop()
					} else {
						region.Restore()
					}
					same(t, mem, region.Bytes(), "round ", round)
					buf, ok = region.Grow(2 * pages)
					require.True(t, ok)
					same(t, zeros, buf[pages:], "grown, round ", round)
					region.Restore()
				}
				same(t, mem, image.Bytes())
			})
		})
	}
}

func TestLockedMemoryIsCompared(t *testing.T) {
	each(t, func(t *testing.T, sys *snapshot.System) {
		onlyMapped(t, sys)
		image := newImage(t, sys, pattern(wasmPage))
		defer image.Close()
		region := newRegion(t, image, 2*wasmPage)
		defer region.Close()
		buf, ok := region.Grow(2 * wasmPage)
		require.True(t, ok)
		if err := unix.Mlock(buf); err != nil {
			t.Skip(err)
		}
		buf[0]++
		buf[wasmPage]++
		region.Drop()
		same(t, pattern(wasmPage), region.Bytes())
		require.EqualValues(t, 1, region.Stats().Failed)
		buf, ok = region.Grow(2 * wasmPage)
		require.True(t, ok)
		same(t, make([]byte, wasmPage), buf[wasmPage:])
	})
}
