package wasi_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/wasi"
	"github.com/wasmtools/wasmtools/internal/wasm"
)

// memory is a guest's memory.
type memory []byte

// put writes numbers of 32 bits.
func (m memory) put(at int, values ...uint32) {
	for i, v := range values {
		binary.LittleEndian.PutUint32(m[at+4*i:], v)
	}
}

func (m memory) u32(at int) uint32 { return binary.LittleEndian.Uint32(m[at:]) }

// guest is a module that calls functions: a state, a memory, and what happened to the world.
type guest struct {
	wasi.State
	mem      memory
	out, err bytes.Buffer
	slept    []time.Duration
	checks   int
}

const (
	wall      = 1_700_000_000_000_000_000
	monotonic = 5_000
)

// newGuest returns a guest that has everything.
func newGuest(size int) *guest {
	g := &guest{mem: make(memory, size)}
	g.State = wasi.State{
		Stdout: &g.out, Stderr: &g.err,
		Args: []string{"tool", "é"}, Env: []string{"A=1"},
		Random:    bytes.NewReader(bytes.Repeat([]byte{7}, 1<<20)),
		Wall:      wasi.Clock{Now: func() int64 { return wall }, Resolution: time.Microsecond},
		Monotonic: wasi.Clock{Now: func() int64 { return monotonic }},
		Sleep:     func(_ context.Context, d time.Duration) { g.slept = append(g.slept, d) },
		Check:     func(context.Context) { g.checks++ },
	}
	return g
}

// lookup returns the function of that name.
func lookup(name string) *wasi.Function {
	functions := wasi.Functions()
	i := slices.IndexFunc(functions, func(f wasi.Function) bool { return f.Name == name })
	if i < 0 {
		panic("no function " + name)
	}
	return &functions[i]
}

func (g *guest) call(name string, params ...uint64) wasi.Errno {
	return lookup(name).Call(context.Background(), &g.State, g.mem, params)
}

// usage is a call of a function.
type usage struct {
	params   []uint64
	pointers []int // the parameters that point into memory
	counts   []int // the parameters that say how much is there
	errno    wasi.Errno
}

// usages has a call of every function with which a stream, or no descriptor at all, is meant.
func usages() map[string]usage {
	return map[string]usage{
		"args_get":                {[]uint64{64, 128}, []int{0, 1}, nil, 0},
		"args_sizes_get":          {[]uint64{64, 128}, []int{0, 1}, nil, 0},
		"environ_get":             {[]uint64{64, 128}, []int{0, 1}, nil, 0},
		"environ_sizes_get":       {[]uint64{64, 128}, []int{0, 1}, nil, 0},
		"clock_res_get":           {[]uint64{0, 64}, []int{1}, nil, 0},
		"clock_time_get":          {[]uint64{1, 0, 64}, []int{2}, nil, 0},
		"fd_advise":               {[]uint64{1, 0, 0, 5}, nil, nil, 0},
		"fd_allocate":             {[]uint64{1, 0, 9}, nil, nil, wasi.ENOTSUP},
		"fd_close":                {[]uint64{1}, nil, nil, 0},
		"fd_datasync":             {[]uint64{1}, nil, nil, 0},
		"fd_fdstat_get":           {[]uint64{1, 64}, []int{1}, nil, 0},
		"fd_fdstat_set_flags":     {[]uint64{1, 5}, nil, nil, 0},
		"fd_fdstat_set_rights":    {[]uint64{1, 0, 0}, nil, nil, wasi.ENOTSUP},
		"fd_filestat_get":         {[]uint64{1, 64}, []int{1}, nil, 0},
		"fd_filestat_set_size":    {[]uint64{1, 0}, nil, nil, wasi.ENOTSUP},
		"fd_filestat_set_times":   {[]uint64{1, 0, 0, 0}, nil, nil, wasi.ENOTSUP},
		"fd_pread":                {[]uint64{0, 64, 1, 0, 128}, nil, nil, wasi.ESPIPE},
		"fd_prestat_get":          {[]uint64{1, 64}, nil, nil, wasi.EBADF},
		"fd_prestat_dir_name":     {[]uint64{1, 64, 8}, nil, nil, wasi.EBADF},
		"fd_pwrite":               {[]uint64{1, 64, 1, 0, 128}, nil, nil, wasi.ESPIPE},
		"fd_read":                 {[]uint64{0, 64, 1, 128}, []int{1, 3}, []int{2}, 0},
		"fd_readdir":              {[]uint64{1, 64, 64, 0, 128}, nil, nil, wasi.ENOTDIR},
		"fd_renumber":             {[]uint64{1, 2}, nil, nil, 0},
		"fd_seek":                 {[]uint64{1, 0, 1, 64}, nil, nil, wasi.ESPIPE},
		"fd_sync":                 {[]uint64{1}, nil, nil, 0},
		"fd_tell":                 {[]uint64{1, 64}, nil, nil, wasi.ESPIPE},
		"fd_write":                {[]uint64{1, 64, 1, 128}, []int{1, 3}, []int{2}, 0},
		"path_create_directory":   {[]uint64{1, 64, 8}, nil, nil, wasi.ENOTDIR},
		"path_filestat_get":       {[]uint64{1, 0, 64, 8, 128}, nil, nil, wasi.ENOTDIR},
		"path_filestat_set_times": {[]uint64{1, 0, 64, 8, 0, 0, 0}, nil, nil, wasi.ENOTDIR},
		"path_link":               {[]uint64{1, 0, 64, 8, 1, 64, 8}, nil, nil, wasi.ENOTDIR},
		"path_open":               {[]uint64{1, 0, 64, 8, 0, 0, 0, 0, 128}, nil, nil, wasi.ENOTDIR},
		"path_readlink":           {[]uint64{1, 64, 8, 128, 8, 256}, nil, nil, wasi.ENOTDIR},
		"path_remove_directory":   {[]uint64{1, 64, 8}, nil, nil, wasi.ENOTDIR},
		"path_rename":             {[]uint64{1, 64, 8, 1, 64, 8}, nil, nil, wasi.ENOTDIR},
		"path_symlink":            {[]uint64{64, 8, 1, 64, 8}, nil, nil, wasi.ENOTDIR},
		"path_unlink_file":        {[]uint64{1, 64, 8}, nil, nil, wasi.ENOTDIR},
		"poll_oneoff":             {[]uint64{64, 128, 1, 256}, []int{0, 1, 3}, []int{2}, 0},
		"proc_exit":               {[]uint64{3}, nil, nil, 0},
		"proc_raise":              {[]uint64{1}, nil, nil, wasi.ENOSYS},
		"sched_yield":             {nil, nil, nil, 0},
		"random_get":              {[]uint64{64, 64}, []int{0}, []int{1}, 0},
		"sock_accept":             {[]uint64{1, 0, 64}, nil, nil, wasi.ENOTSOCK},
		"sock_recv":               {[]uint64{1, 64, 1, 0, 128, 128}, nil, nil, wasi.ENOTSOCK},
		"sock_send":               {[]uint64{1, 64, 1, 0, 128}, nil, nil, wasi.ENOTSOCK},
		"sock_shutdown":           {[]uint64{1, 0}, nil, nil, wasi.ENOTSOCK},
	}
}

// prepared returns a guest whose memory holds, at 64, an iovec and a subscription.
func prepared() *guest {
	g := newGuest(1024)
	g.mem.put(64, 512, 8)
	copy(g.mem[512:], "a line.\n")
	return g
}

// TestFunctionsAreComplete holds the table of usages to the functions, and both to 46: as many as the specification has, with
// proc_raise.
func TestFunctionsAreComplete(t *testing.T) {
	names := map[string]bool{}
	for _, f := range wasi.Functions() {
		require.Len(t, usages()[f.Name].params, len(f.Type.Params), f.Name)
		names[f.Name] = true
	}
	require.Len(t, names, 46)
	require.Len(t, usages(), 46)
}

func TestUsages(t *testing.T) {
	for name, u := range usages() {
		require.Equal(t, u.errno, prepared().call(name, u.params...), name)
		params := slices.Clone(u.params)
		for i := range params {
			if lookup(name).Type.Params[i] == wasm.I32[0] {
				params[i] |= 0xdeadbeef << 32
			}
		}
		require.Equal(t, u.errno, prepared().call(name, params...), "%s: the upper half of an i32 means nothing", name)
		var zero wasi.State
		require.NotPanics(t, func() { lookup(name).Call(t.Context(), &zero, make(memory, 1024), u.params) }, name)
	}
}

// TestHostilePointers points every pointer out of memory, and counts beyond it: an errno, and nothing else.
func TestHostilePointers(t *testing.T) {
	const size = 1024
	outside := []uint64{size, size - 3, 1 << 31, 1<<32 - 1, 1<<32 - 8, 0xdeadbeef<<32 | size}
	huge := []uint64{1<<32 - 1, 1 << 29, 1 << 28, 0x05555556, 0x08000000, 1 << 31, size}
	for name, u := range usages() {
		try := func(param int, value uint64) {
			t.Helper()
			g := prepared()
			before := bytes.Clone(g.mem)
			params := slices.Clone(u.params)
			params[param] = value
			require.Equal(t, wasi.EFAULT, g.call(name, params...), "%s: parameter %d is %#x", name, param, value)
			require.Equal(t, before, []byte(g.mem), name)
			require.Zero(t, g.out.Len()+g.err.Len()+len(g.slept), name)
		}
		for _, p := range u.pointers {
			for _, value := range outside {
				try(p, value)
			}
		}
		for _, p := range u.counts {
			for _, value := range huge {
				try(p, value)
			}
		}
	}
}

// TestPointersThatAreNotLookedAt gives the functions that refuse whatever they are asked nothing but nonsense.
func TestPointersThatAreNotLookedAt(t *testing.T) {
	for name, u := range usages() {
		if u.errno == 0 {
			continue
		}
		g := prepared()
		before := bytes.Clone(g.mem)
		params := slices.Repeat([]uint64{1<<64 - 1}, len(u.params))
		if name == "path_symlink" {
			params[2] = 1
		} else {
			params[0] = 1
		}
		require.Equal(t, u.errno, g.call(name, params...), name)
		require.Equal(t, before, []byte(g.mem), name)
	}
}

func TestDescriptorsThatAreNotOpen(t *testing.T) {
	for name, u := range usages() {
		fd := 0
		switch {
		case name == "path_symlink":
			fd = 2
		case !strings.HasPrefix(name, "fd_") && !strings.HasPrefix(name, "path_") && !strings.HasPrefix(name, "sock_"):
			continue
		}
		for _, value := range []uint64{3, 1 << 31, 1<<32 - 1} {
			params := slices.Clone(u.params)
			params[fd] = value
			require.Equal(t, wasi.EBADF, prepared().call(name, params...), "%s of %d", name, value)
		}
		g := prepared()
		for i := range uint64(3) {
			require.Equal(t, wasi.Success, g.call("fd_close", i))
		}
		require.Equal(t, wasi.EBADF, g.call(name, u.params...), "%s of what is closed", name)
	}
}

// TestPointersInMemory covers iovecs, which hold pointers themselves.
func TestPointersInMemory(t *testing.T) {
	for name, vectors := range map[string][]uint32{
		"past the end":           {512, 8, 1020, 5},
		"far past the end":       {512, 8, 1 << 31, 1},
		"an end that wraps":      {512, 8, 1<<32 - 1, 2},
		"a length that wraps":    {512, 8, 512, 1<<32 - 1},
		"a pointer to the bound": {512, 8, 1024, 1},
	} {
		for function, fd := range map[string]uint64{"fd_write": 1, "fd_read": 0} {
			g := prepared()
			g.mem.put(64, vectors...)
			before := bytes.Clone(g.mem)
			require.Equal(t, wasi.EFAULT, g.call(function, fd, 64, 2, 128), name)
			require.Equal(t, before, []byte(g.mem), name)
			require.Zero(t, g.out.Len(), "%s: the good vector before it is not written either", name)
		}
	}
}

// TestWork covers counts that fit into memory and are large all the same: Check gets its turn, and may end the call.
func TestWork(t *testing.T) {
	const size = 1 << 20
	for name, prepare := range map[string]func(*guest) (params []uint64){
		"fd_write of empty vectors": func(*guest) []uint64 { return []uint64{1, 0, size / 8, 0} },
		"fd_read of empty vectors":  func(*guest) []uint64 { return []uint64{0, 0, size / 8, 0} },
		"fd_write of one vector": func(g *guest) []uint64 {
			g.mem.put(0, 0, size)
			return []uint64{1, 0, 1, 0}
		},
		"fd_write of the same again": func(g *guest) []uint64 {
			for i := range 256 {
				g.mem.put(8*i, 4096, 4096)
			}
			return []uint64{2, 0, 256, 0}
		},
		"random_get":  func(*guest) []uint64 { return []uint64{0, size} },
		"poll_oneoff": func(*guest) []uint64 { return []uint64{0, 0, size / 48, 0} },
	} {
		function, _, _ := strings.Cut(name, " ")
		g := newGuest(size)
		require.Equal(t, wasi.Success, g.call(function, prepare(g)...), name)
		require.GreaterOrEqual(t, g.checks, size/4096, name)

		g = newGuest(size)
		g.Check = func(context.Context) {
			if g.checks++; g.checks == 10 {
				panic("over")
			}
		}
		require.PanicsWithValue(t, "over", func() { g.call(function, prepare(g)...) }, name)
		require.Equal(t, 10, g.checks, name)
		require.Equal(t, wasi.Success, g.call("fd_fdstat_get", 1, 64), "the state is as good as before")
	}
}

func TestManySmallCallsAreWork(t *testing.T) {
	g := newGuest(1024)
	for range 1000 {
		g.call("sched_yield")
	}
	require.GreaterOrEqual(t, g.checks, 1000/64)
}

func TestMoreThanThereIsMemory(t *testing.T) {
	g := newGuest(1 << 20)
	for i := range 4097 {
		g.mem.put(8*i, 0, 1<<20)
	}
	require.Equal(t, wasi.EINVAL, g.call("fd_write", 1, 0, 4097, 65536), "4 GiB and a bit do not fit into a size")
	require.Zero(t, g.out.Len())
}

func TestNothingIsAllocated(t *testing.T) {
	g := prepared()
	g.Stdout = nil
	g.Random = endless{}
	for name, u := range usages() {
		f := lookup(name)
		require.Zero(t, testing.AllocsPerRun(100, func() { f.Call(context.Background(), &g.State, g.mem, u.params) }), name)
	}
}

// endless is a source of random numbers.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

func FuzzFunctions(f *testing.F) {
	for i, fn := range wasi.Functions() {
		var seed []byte
		for _, p := range usages()[fn.Name].params {
			seed = binary.LittleEndian.AppendUint64(seed, p)
		}
		f.Add(byte(i), seed, []byte{0, 2, 0, 0, 8, 0, 0, 0})
	}
	functions := wasi.Functions()
	f.Fuzz(func(t *testing.T, index byte, params, at64 []byte) {
		fn := &functions[int(index)%len(functions)]
		p := make([]uint64, len(fn.Type.Params))
		for i := range p {
			var b [8]byte
			copy(b[:], params[min(8*i, len(params)):])
			p[i] = binary.LittleEndian.Uint64(b[:])
		}
		g := newGuest(1024)
		copy(g.mem[64:], at64)
		errno := fn.Call(t.Context(), &g.State, g.mem, p)
		require.LessOrEqual(t, errno, wasi.Errno(76), fmt.Sprint(fn.Name, p))
		require.Len(t, g.mem, 1024)
	})
}
