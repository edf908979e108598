package wasi_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/wasi"
)

// This file holds what is written to memory to the specification, byte by byte.

// written calls a function in a memory full of 0xee, and returns that memory.
func written(t *testing.T, g *guest, name string, params ...uint64) memory {
	t.Helper()
	for i := range g.mem {
		g.mem[i] = 0xee
	}
	require.Equal(t, wasi.Success, g.call(name, params...))
	return g.mem
}

// requireOnly makes sure that what lies outside of the ranges is untouched.
func requireOnly(t *testing.T, m memory, ranges ...[2]int) {
	t.Helper()
	for i, b := range m {
		inside := false
		for _, r := range ranges {
			inside = inside || i >= r[0] && i < r[1]
		}
		require.True(t, inside || b == 0xee, "byte %d is touched", i)
	}
}

func TestArgsAndEnvironment(t *testing.T) {
	g := newGuest(64)
	m := written(t, g, "args_sizes_get", 4, 16)
	require.Equal(t, []uint32{2, 8}, []uint32{m.u32(4), m.u32(16)})
	requireOnly(t, m, [2]int{4, 8}, [2]int{16, 20})
	m = written(t, g, "args_get", 4, 32)
	require.Equal(t, []uint32{32, 37}, []uint32{m.u32(4), m.u32(8)})
	require.Equal(t, "tool\x00é\x00", string(m[32:40]))
	requireOnly(t, m, [2]int{4, 12}, [2]int{32, 40})

	m = written(t, g, "environ_sizes_get", 4, 16)
	require.Equal(t, []uint32{1, 4}, []uint32{m.u32(4), m.u32(16)})
	m = written(t, g, "environ_get", 60, 0)
	require.Equal(t, uint32(0), m.u32(60))
	require.Equal(t, "A=1\x00", string(m[:4]))
	requireOnly(t, m, [2]int{0, 4}, [2]int{60, 64})

	g.Args, g.Env = nil, nil
	m = written(t, g, "args_sizes_get", 4, 16)
	require.Equal(t, []uint32{0, 0}, []uint32{m.u32(4), m.u32(16)})
	requireOnly(t, written(t, g, "args_get", 64, 64))
}

func TestClocks(t *testing.T) {
	g := newGuest(64)
	m := written(t, g, "clock_time_get", 0, 1000, 8)
	require.Equal(t, uint64(wall), binary.LittleEndian.Uint64(m[8:]))
	requireOnly(t, m, [2]int{8, 16})
	m = written(t, g, "clock_time_get", 1, 0, 56)
	require.Equal(t, uint64(monotonic), binary.LittleEndian.Uint64(m[56:]))
	m = written(t, g, "clock_res_get", 0, 8)
	require.Equal(t, uint64(1000), binary.LittleEndian.Uint64(m[8:]))
	m = written(t, g, "clock_res_get", 1, 8)
	require.Equal(t, uint64(1), binary.LittleEndian.Uint64(m[8:]), "never 0")

	for _, id := range []uint64{2, 3, 4, 1<<32 - 1} {
		require.Equal(t, wasi.EINVAL, g.call("clock_time_get", id, 0, 8))
		require.Equal(t, wasi.EINVAL, g.call("clock_res_get", id, 8))
	}
	g.Wall = wasi.Clock{}
	require.Equal(t, wasi.EINVAL, g.call("clock_time_get", 0, 0, 8), "not granted")
}

func TestFdstat(t *testing.T) {
	const common = 1<<0 | 1<<3 | 1<<4 | 1<<7 | 1<<21 | 1<<27
	g := newGuest(64)
	require.Equal(t, wasi.Success, g.call("fd_fdstat_set_flags", 1, 4))
	for fd, want := range []struct {
		flags  byte
		rights uint64
	}{{0, common | 1<<1}, {4, common | 1<<6}, {0, common | 1<<6}} {
		m := written(t, g, "fd_fdstat_get", uint64(fd), 32)
		require.Equal(t, []byte{2, 0, want.flags, 0, 0, 0, 0, 0}, []byte(m[32:40]), "type, padding, flags, padding")
		require.Equal(t, want.rights, binary.LittleEndian.Uint64(m[40:]))
		require.Zero(t, binary.LittleEndian.Uint64(m[48:]), "inherited rights")
		require.Zero(t, want.rights&(1<<2|1<<5), "a terminal cannot seek and tell")
		requireOnly(t, m, [2]int{32, 56})
	}
	for _, flags := range []uint64{1 << 1, 1 << 3, 1 << 4, 1 << 5, 1 << 16} {
		require.Equal(t, wasi.EINVAL, g.call("fd_fdstat_set_flags", 1, flags))
	}
}

func TestFilestat(t *testing.T) {
	g := newGuest(128)
	m := written(t, g, "fd_filestat_get", 2, 32)
	want := make([]byte, 64)
	want[8] = 2  // inode
	want[16] = 2 // character device
	want[24] = 1 // links
	require.Equal(t, want, []byte(m[32:96]), "device, inode, type, links, size, three times")
	requireOnly(t, m, [2]int{32, 96})
}

func TestWrite(t *testing.T) {
	g := newGuest(128)
	g.mem.put(0, 64, 3, 1<<31, 0, 67, 4) // an empty vector may point anywhere
	copy(g.mem[64:], "one\ntwo")
	require.Equal(t, wasi.Success, g.call("fd_write", 1, 0, 3, 32))
	require.Equal(t, "one\ntwo", g.out.String())
	require.Equal(t, uint32(7), g.mem.u32(32))
	require.Equal(t, wasi.Success, g.call("fd_write", 2, 0, 1, 32))
	require.Equal(t, "one", g.err.String())
	require.Equal(t, wasi.Success, g.call("fd_write", 1, 0, 0, 32))
	require.Equal(t, uint32(0), g.mem.u32(32))
	require.Equal(t, wasi.EBADF, g.call("fd_write", 0, 0, 3, 32))

	g.Stdout = failing{}
	require.Equal(t, wasi.EIO, g.call("fd_write", 1, 0, 3, 32))
}

func TestStandardInputIsAtItsEnd(t *testing.T) {
	g := newGuest(128)
	g.mem.put(0, 64, 3)
	g.mem.put(32, 77)
	require.Equal(t, wasi.Success, g.call("fd_read", 0, 0, 1, 32))
	require.Equal(t, uint32(0), g.mem.u32(32))
	require.Equal(t, wasi.EBADF, g.call("fd_read", 1, 0, 1, 32))
}

// failing is a stream and a source of random numbers that are out of order.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }
func (failing) Read([]byte) (int, error)  { return 0, io.ErrUnexpectedEOF }

func TestRandom(t *testing.T) {
	g := newGuest(64)
	m := written(t, g, "random_get", 8, 4)
	require.Equal(t, []byte{7, 7, 7, 7}, []byte(m[8:12]))
	requireOnly(t, m, [2]int{8, 12})
	require.Equal(t, wasi.Success, g.call("random_get", 64, 0))
	g.Random = failing{}
	require.Equal(t, wasi.EIO, g.call("random_get", 8, 4))
	g.Random = nil
	require.Equal(t, wasi.ENOTSUP, g.call("random_get", 8, 4), "not granted")
}

// TestDescriptors goes through the life of descriptors, until Reset begins it anew.
func TestDescriptors(t *testing.T) {
	g := newGuest(128)
	g.mem.put(0, 64, 1)
	write := func(fd uint64, text string) wasi.Errno {
		g.mem[64] = text[0]
		return g.call("fd_write", fd, 0, 1, 32)
	}
	require.Equal(t, wasi.Success, g.call("fd_fdstat_set_flags", 2, 1))
	require.Equal(t, wasi.Success, g.call("fd_renumber", 2, 1))
	require.Equal(t, wasi.Success, write(1, "a"))
	require.Equal(t, "a", g.err.String(), "1 is standard error now")
	require.Equal(t, byte(1), written(t, g, "fd_fdstat_get", 1, 96)[98], "with its flags")
	require.Equal(t, wasi.EBADF, write(2, "b"))
	require.Equal(t, wasi.EBADF, g.call("fd_renumber", 2, 1))
	require.Equal(t, wasi.EBADF, g.call("fd_renumber", 1, 3))
	require.Equal(t, wasi.EBADF, g.call("fd_renumber", 1, 1<<32-1))
	require.Equal(t, wasi.Success, g.call("fd_renumber", 1, 1))
	require.Equal(t, wasi.Success, g.call("fd_renumber", 1, 2))
	require.Equal(t, wasi.Success, g.call("fd_close", 2))
	require.Equal(t, wasi.EBADF, g.call("fd_close", 2))

	g.Reset()
	g.mem.put(0, 64, 1)
	require.Equal(t, wasi.Success, write(1, "c"))
	require.Equal(t, "c", g.out.String())
	require.Equal(t, byte(0), written(t, g, "fd_fdstat_get", 2, 96)[98])
}

// sub writes a subscription at an offset.
func (m memory) sub(at int, userdata uint64, kind byte, contents ...uint64) {
	binary.LittleEndian.PutUint64(m[at:], userdata)
	m[at+8] = kind
	for i, v := range contents {
		binary.LittleEndian.PutUint64(m[at+16+8*i:], v)
	}
}

// polled is one event as the specification lays it out.
type polled struct {
	userdata uint64
	errno    uint16
	kind     byte
	bytes    uint64
	flags    uint16
}

func TestPoll(t *testing.T) {
	const subs, events, count = 0, 512, 1000
	forever := uint64(math.MaxUint64)
	for name, test := range map[string]struct {
		prepare func(memory)
		n       uint64
		want    []polled
		slept   []time.Duration
		errno   wasi.Errno
	}{
		"nothing": {func(memory) {}, 0, nil, nil, wasi.EINVAL},
		"a relative time": {func(m memory) { m.sub(0, 9, 0, 1, 1000) }, 1,
			[]polled{{9, 0, 0, 0, 0}}, []time.Duration{1000}, 0},
		"no time at all": {func(m memory) { m.sub(0, 9, 0, 0, 0) }, 1, []polled{{9, 0, 0, 0, 0}}, nil, 0},
		"an absolute time": {func(m memory) { m.sub(0, 9, 0, 1, monotonic+20, 0, 1) }, 1,
			[]polled{{9, 0, 0, 0, 0}}, []time.Duration{20}, 0},
		"an absolute time of the day": {func(m memory) { m.sub(0, 9, 0, 0, wall+30, 0, 1) }, 1,
			[]polled{{9, 0, 0, 0, 0}}, []time.Duration{30}, 0},
		"a time in the past": {func(m memory) { m.sub(0, 9, 0, 0, 1, 0, 1) }, 1, []polled{{9, 0, 0, 0, 0}}, nil, 0},
		"for ever": {func(m memory) { m.sub(0, 9, 0, 1, forever) }, 1,
			[]polled{{9, 0, 0, 0, 0}}, []time.Duration{math.MaxInt64}, 0},
		"the first of three, and what is due with it": {func(m memory) {
			m.sub(0, 1, 0, 1, 3000)
			m.sub(48, 2, 0, 0, 1000)
			m.sub(96, 3, 0, 1, monotonic+500, 0, 1)
			m.sub(144, 4, 0, 1, 500)
		}, 4, []polled{{3, 0, 0, 0, 0}, {4, 0, 0, 0, 0}}, []time.Duration{500}, 0},
		"streams are ready, and nobody waits": {func(m memory) {
			m.sub(0, 1, 0, 1, 3000)
			m.sub(48, 2, 1, 0)
			m.sub(96, 3, 2, 1)
			m.sub(144, 4, 2, 2)
		}, 4, []polled{{2, 0, 1, 0, 1}, {3, 0, 2, 4096, 0}, {4, 0, 2, 4096, 0}}, nil, 0},
		"descriptors that cannot be what is asked": {func(m memory) {
			m.sub(0, 1, 1, 3)
			m.sub(48, 2, 1, 1)
			m.sub(96, 3, 2, 0)
			m.sub(144, 4, 2, 1<<32-1)
		}, 4, []polled{{1, 8, 1, 0, 0}, {2, 8, 1, 0, 0}, {3, 8, 2, 0, 0}, {4, 8, 2, 0, 0}}, nil, 0},
		"a clock that is not there": {func(m memory) { m.sub(0, 9, 0, 2, 1000) }, 1, []polled{{9, 28, 0, 0, 0}}, nil, 0},
		"an unknown flag":           {func(m memory) { m.sub(0, 9, 0, 1, 1000, 0, 2) }, 1, nil, nil, wasi.EINVAL},
		"an unknown kind":           {func(m memory) { m.sub(0, 9, 3) }, 1, nil, nil, wasi.EINVAL},
		"an unknown kind behind a good one": {func(m memory) {
			m.sub(0, 1, 2, 1)
			m.sub(48, 9, 3)
		}, 2, nil, nil, wasi.EINVAL},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGuest(1024)
			for i := range g.mem {
				g.mem[i] = 0xee
			}
			clear(g.mem[:events])
			test.prepare(g.mem)
			require.Equal(t, test.errno, g.call("poll_oneoff", subs, events, test.n, count))
			require.Equal(t, test.slept, g.slept)
			if test.errno != 0 {
				requireOnly(t, g.mem, [2]int{0, events})
				return
			}
			require.Equal(t, uint32(len(test.want)), g.mem.u32(count))
			var got []polled
			for i := range test.want {
				e := g.mem[events+32*i:][:32]
				le := binary.LittleEndian
				got = append(got, polled{le.Uint64(e), le.Uint16(e[8:]), e[10], le.Uint64(e[16:]), le.Uint16(e[24:])})
				require.Zero(t, e[11]|e[12]|e[13]|e[14]|e[15]|e[26]|e[31], "padding")
			}
			require.Equal(t, test.want, got)
			requireOnly(t, g.mem, [2]int{0, events + 32*len(test.want)}, [2]int{count, count + 4})
		})
	}
}

func TestPollOverItsOwnSubscriptions(t *testing.T) {
	g := newGuest(1024)
	g.mem.sub(0, 1, 2, 1)
	g.mem.sub(48, 2, 2, 1)
	require.NotPanics(t, func() { g.call("poll_oneoff", 0, 40, 2, 1000) })
}

func TestSleepEndsWithTheCall(t *testing.T) {
	g := newGuest(1024)
	g.Check = func(context.Context) { panic("over") }
	g.mem.sub(0, 1, 0, 1, 1000)
	require.PanicsWithValue(t, "over", func() { g.call("poll_oneoff", 0, 512, 1, 1000) })
	require.Len(t, g.slept, 1)
}

func TestExit(t *testing.T) {
	g := newGuest(0)
	g.Exit = func(code uint32) { panic(code) }
	require.PanicsWithValue(t, uint32(1<<32-1), func() { g.call("proc_exit", 1<<32-1) })
}
