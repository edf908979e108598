//go:build amd64 || arm64

package snapshot_test

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/wasmtools/wasmtools/internal/snapshot"
)

// refusal is a system call that a sandbox does not allow, perhaps only with one value of an argument.
type refusal struct {
	call     uint32
	argument uint32 // the position of the argument
	value    uint32 // 0: whatever it is
}

const (
	scanCommand  = 0xc0606610
	reserveFlags = unix.MAP_PRIVATE | unix.MAP_ANON | unix.MAP_NORESERVE
	imageFlags   = unix.MAP_PRIVATE | unix.MAP_FIXED | unix.MAP_NORESERVE
)

// refuse makes these system calls fail with EPERM for the whole process, as a container does.
func refuse(t *testing.T, refusals ...refusal) {
	t.Helper()
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	unless := func(value uint32, skip uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jf: skip}
	}
	answer := func(value uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: value} }
	var filter []unix.SockFilter
	for _, r := range refusals {
		argument := []unix.SockFilter{load(16 + 8*r.argument), unless(r.value, 1)}
		if r.value == 0 {
			argument = nil
		}
		filter = append(filter, load(0), unless(r.call, uint8(len(argument)+1)))
		filter = append(append(filter, argument...), answer(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM)))
	}
	filter = append(filter, answer(unix.SECCOMP_RET_ALLOW))

	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	require.NoError(t, unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	const mode, flags = unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, mode, flags, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		t.Skip("seccomp: ", errno)
	}
}

// TestRefusedSystemCalls runs each case in a process of its own: what a process has refused itself stays refused.
func TestRefusedSystemCalls(t *testing.T) {
	best, err := snapshot.Open(snapshot.PagemapScan)
	if err != nil {
		t.Skip(err) // refused already
	}
	best.Close()
	const child = "SNAPSHOT_TEST_CHILD"
	search := []refusal{{unix.SYS_IOCTL, 1, scanCommand}, {call: unix.SYS_PREAD64}}
	for name, test := range map[string]func(*testing.T){
		"scan": func(t *testing.T) {
			refuse(t, refusal{unix.SYS_IOCTL, 1, scanCommand})
			probed(t, snapshot.Pagemap, "pagemap-scan: ioctl: operation not permitted")
		},
		"scan and pagemap": func(t *testing.T) {
			refuse(t, refusal{unix.SYS_IOCTL, 1, scanCommand}, refusal{call: unix.SYS_PREAD64})
			probed(t, snapshot.Copy, "pagemap: ")
		},
		"memfd": func(t *testing.T) {
			refuse(t, refusal{call: unix.SYS_MEMFD_CREATE})
			probed(t, snapshot.Copy, "memfd_create: operation not permitted")
		},
		"seals": func(t *testing.T) {
			refuse(t, refusal{unix.SYS_FCNTL, 1, unix.F_ADD_SEALS})
			probed(t, snapshot.Copy, "fcntl: operation not permitted")
		},
		"reservation": func(t *testing.T) {
			refuse(t, refusal{unix.SYS_MMAP, 3, reserveFlags})
			probed(t, snapshot.Copy, "mmap: operation not permitted")
		},
		"mprotect": func(t *testing.T) {
			refuse(t, refusal{unix.SYS_MPROTECT, 1, uint32(2 * os.Getpagesize())}) // threads need others
			probed(t, snapshot.Copy, "does not grow")
		},
		"advice": func(t *testing.T) {
			refuse(t, refusal{call: unix.SYS_MADVISE})
			probed(t, snapshot.PagemapScan, "")
		},
		"later, the search by scan":          later(snapshot.PagemapScan, search...),
		"later, the search by reading":       later(snapshot.Pagemap, search...),
		"later, the search, and giving back": later(snapshot.PagemapScan, append(search, refusal{call: unix.SYS_MADVISE})...),
		"later, mappings": func(t *testing.T) {
			sys := snapshot.Probe()
			defer sys.Close()
			image := newImage(t, sys, pattern(wasmPage))
			usage := sys.Usage()
			refuse(t, refusal{unix.SYS_MMAP, 3, imageFlags})
			_, err := image.NewRegion(2 * wasmPage)
			require.ErrorIs(t, err, unix.EPERM)
			require.Equal(t, usage, sys.Usage())
			refuse(t, refusal{unix.SYS_MMAP, 3, unix.MAP_PRIVATE})
			_, err = sys.NewImage(pattern(wasmPage))
			require.ErrorIs(t, err, unix.EPERM)
			require.Equal(t, usage, sys.Usage())
			image.Close()
			require.Zero(t, sys.Usage())
		},
		"later, growing": func(t *testing.T) {
			sys := snapshot.Probe()
			defer sys.Close()
			image := newImage(t, sys, pattern(wasmPage))
			region := newRegion(t, image, 64*wasmPage)
			_, ok := region.Grow(2 * wasmPage)
			require.True(t, ok)
			refuse(t, refusal{unix.SYS_MPROTECT, 1, 63*wasmPage - snapshot.GrowStep})
			_, ok = region.Grow(64 * wasmPage)
			require.False(t, ok)
			require.Len(t, region.Bytes(), 2*wasmPage)
			region.Restore()
			same(t, pattern(wasmPage), region.Bytes())
		},
	} {
		t.Run(name, func(t *testing.T) {
			if os.Getenv(child) != "" {
				test(t)
				return
			}
			cmd := exec.Command(os.Args[0], "-test.v", "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$")
			cmd.Env = append(os.Environ(), child+"=1")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			require.Contains(t, string(out), "--- PASS: "+t.Name(), "the test did not run")
		})
	}
}

// probed requires that Probe takes this mechanism, for a reason, and that it works.
func probed(t *testing.T, want snapshot.Mechanism, reason string) {
	t.Helper()
	sys := snapshot.Probe()
	defer sys.Close()
	require.Equal(t, want, sys.Mechanism(), sys.Note())
	require.Contains(t, sys.Note(), reason)
	exercise(t, sys, func() {})
	require.Zero(t, sys.Usage())
}

// later has the system calls refused after the mechanism was found to work.
func later(m snapshot.Mechanism, refusals ...refusal) func(*testing.T) {
	return func(t *testing.T) {
		sys, err := snapshot.Open(m)
		if err != nil {
			t.Skip(err)
		}
		defer sys.Close()
		stats := exercise(t, sys, func() { refuse(t, refusals...) })
		require.GreaterOrEqual(t, stats.Failed, uint64(3))
		require.Zero(t, sys.Usage())
	}
}

// exercise restores a region five times, and has something happen after the first two.
func exercise(t *testing.T, sys *snapshot.System, happens func()) snapshot.Stats {
	t.Helper()
	image := newImage(t, sys, pattern(30*wasmPage))
	defer image.Close()
	region := newRegion(t, image, 60*wasmPage)
	defer region.Close()
	for round := range 5 {
		if round == 2 {
			happens()
		}
		growBoth(t, region, pattern(30*wasmPage), 40*wasmPage)
		copy(region.Bytes()[20*wasmPage:], bytes.Repeat([]byte{0xee}, 15*wasmPage))
		region.Restore()
		same(t, image.Bytes(), region.Bytes(), "round ", round)
	}
	return region.Stats()
}
