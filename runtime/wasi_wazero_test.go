package runtime_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/wasmtools/wasmtools/internal/wasi"
	wasmbinary "github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// wasiCase is one call, made with both implementations.
type wasiCase struct {
	function string
	params   []uint64
	memory   []uint32 // at 64

	// differs says why the results are not the same. They have to differ then.
	differs string
}

const (
	kindOfStream = "wazero's streams are block devices with a position and the rights of files; libc keeps back what is written to such"
	noPosition   = "a stream without a position is ESPIPE, as lseek has it; wazero says that the function is not there, or that the descriptor is not"
	noSocket     = "what is open and no socket is ENOTSOCK; wazero says EBADF"
	notSupported = "what cannot be done to a stream is ENOTSUP; wazero says that the function is not there"
	fdFirst      = "the descriptor is looked at first, the path by who needs it"
	sleepsOn     = "a descriptor that is not open is reported at once; wazero sleeps first, for ever if there is no time"
	pollAsSpec   = "events are as the specification has them: streams are ready, absolute times work, and only what is due is reported"
)

// wasiCases has a call of every function but proc_exit, and more of those that the guests of Go, TinyGo, C, Rust,
// AssemblyScript and Zig import.
func wasiCases() []wasiCase {
	iovec := []uint32{512, 8}
	relative := []uint32{9, 0, 0, 0, 1, 0, 1000, 0, 0, 0, 0, 0}
	absolute := []uint32{9, 0, 0, 0, 1, 0, 9000, 0, 0, 0, 1, 0}
	onFD := func(kind, fd uint32) []uint32 { return []uint32{9, 0, kind, 0, fd, 0, 0, 0, 0, 0, 0, 0} }
	return []wasiCase{
		{"args_sizes_get", []uint64{64, 128}, nil, ""},
		{"args_sizes_get", []uint64{65536, 128}, nil, ""},
		{"args_get", []uint64{64, 128}, nil, ""},
		{"args_get", []uint64{64, 65530}, nil, ""},
		{"args_get", []uint64{65530, 64}, nil, ""},
		{"environ_sizes_get", []uint64{64, 128}, nil, ""},
		{"environ_get", []uint64{64, 128}, nil, ""},
		{"clock_res_get", []uint64{0, 64}, nil, ""},
		{"clock_res_get", []uint64{1, 64}, nil, ""},
		{"clock_res_get", []uint64{2, 64}, nil, ""},
		{"clock_res_get", []uint64{1, 65530}, nil, ""},
		{"clock_time_get", []uint64{0, 1000, 64}, nil, ""},
		{"clock_time_get", []uint64{1, 0, 64}, nil, ""},
		{"clock_time_get", []uint64{2, 0, 64}, nil, ""},
		{"clock_time_get", []uint64{3, 0, 64}, nil, ""},
		{"clock_time_get", []uint64{1<<32 - 1, 0, 64}, nil, ""},
		{"clock_time_get", []uint64{0, 0, 65529}, nil, ""},
		{"random_get", []uint64{64, 32}, nil, ""},
		{"random_get", []uint64{64, 0}, nil, ""},
		{"random_get", []uint64{65536, 0}, nil, ""},
		{"random_get", []uint64{64, 65536}, nil, ""},
		{"sched_yield", nil, nil, ""},
		{"proc_raise", []uint64{6}, nil, ""},

		{"fd_write", []uint64{1, 64, 1, 128}, iovec, ""},
		{"fd_write", []uint64{2, 64, 2, 128}, []uint32{512, 3, 514, 4}, ""},
		{"fd_write", []uint64{1, 64, 0, 128}, nil, ""},
		{"fd_write", []uint64{1, 64, 2, 128}, []uint32{512, 0, 512, 3}, ""},
		{"fd_write", []uint64{1, 64, 1, 128}, []uint32{65530, 8}, ""},
		{"fd_write", []uint64{1, 64, 1, 128}, []uint32{1<<32 - 4, 8}, ""},
		{"fd_write", []uint64{1, 65536, 1, 128}, nil, ""},
		{"fd_write", []uint64{0, 64, 1, 128}, iovec, ""},
		{"fd_write", []uint64{3, 64, 1, 128}, iovec, ""},
		{"fd_write", []uint64{1, 64, 1, 65534}, iovec, "wazero has written the line when it finds that it cannot tell"},
		{"fd_write", []uint64{1, 64, 1 << 29, 128}, iovec, "wazero takes 2^29 vectors for none: 2^29 * 8 wraps"},
		{"fd_write", []uint64{1, 64, 1, 128}, []uint32{1 << 31, 0}, "an empty vector may point anywhere, as in Linux"},
		{"fd_read", []uint64{0, 64, 1, 128}, iovec, ""},
		{"fd_read", []uint64{0, 64, 0, 128}, nil, ""},
		{"fd_read", []uint64{0, 64, 1, 128}, []uint32{65530, 8}, ""},
		{"fd_read", []uint64{1, 64, 1, 128}, iovec, ""},
		{"fd_read", []uint64{3, 64, 1, 128}, iovec, ""},
		{"fd_pwrite", []uint64{1, 64, 1, 0, 128}, iovec, noPosition},
		{"fd_pread", []uint64{0, 64, 1, 0, 128}, iovec, noPosition},
		{"fd_pread", []uint64{5, 64, 1, 0, 128}, iovec, ""},
		{"fd_seek", []uint64{1, 0, 1, 64}, nil, noPosition},
		{"fd_seek", []uint64{4, 0, 1, 64}, nil, ""},
		{"fd_tell", []uint64{1, 64}, nil, noPosition},
		{"fd_advise", []uint64{1, 0, 0, 5}, nil, ""},
		{"fd_advise", []uint64{1, 0, 0, 6}, nil, ""},
		{"fd_advise", []uint64{3, 0, 0, 0}, nil, ""},
		{"fd_close", []uint64{1}, nil, ""},
		{"fd_close", []uint64{3}, nil, ""},
		{"fd_close", []uint64{1<<32 - 1}, nil, ""},
		{"fd_sync", []uint64{1}, nil, ""},
		{"fd_sync", []uint64{3}, nil, ""},
		{"fd_datasync", []uint64{2}, nil, ""},
		{"fd_fdstat_get", []uint64{1, 64}, nil, kindOfStream},
		{"fd_fdstat_get", []uint64{3, 64}, nil, ""},
		{"fd_fdstat_get", []uint64{1, 65530}, nil, ""},
		{"fd_fdstat_set_flags", []uint64{1, 0}, nil, ""},
		{"fd_fdstat_set_flags", []uint64{1, 1}, nil, ""},
		{"fd_fdstat_set_flags", []uint64{1, 2}, nil, ""},
		{"fd_fdstat_set_flags", []uint64{1, 4}, nil, "a stream that never blocks can be told not to"},
		{"fd_fdstat_set_flags", []uint64{3, 0}, nil, ""},
		{"fd_fdstat_set_rights", []uint64{1, 0, 0}, nil, notSupported},
		{"fd_filestat_get", []uint64{1, 64}, nil, kindOfStream},
		{"fd_filestat_get", []uint64{3, 64}, nil, ""},
		{"fd_filestat_get", []uint64{1, 65530}, nil, ""},
		{"fd_filestat_set_size", []uint64{1, 0}, nil, notSupported},
		{"fd_filestat_set_times", []uint64{1, 0, 0, 0}, nil, "ENOTSUP; wazero panics"},
		{"fd_allocate", []uint64{1, 0, 1}, nil, notSupported},
		{"fd_allocate", []uint64{3, 0, 1}, nil, ""},
		{"fd_prestat_get", []uint64{3, 64}, nil, ""},
		{"fd_prestat_get", []uint64{1, 64}, nil, "no descriptor was opened for a folder; wazero says that of standard output is called nothing"},
		{"fd_prestat_dir_name", []uint64{3, 64, 8}, nil, ""},
		{"fd_readdir", []uint64{1, 64, 64, 0, 128}, nil, "what is open and no folder is ENOTDIR; wazero says EBADF"},
		{"fd_readdir", []uint64{3, 64, 64, 0, 128}, nil, ""},
		{"fd_renumber", []uint64{3, 1}, nil, ""},
		{"fd_renumber", []uint64{1, 1<<32 - 1}, nil, ""},
		{"fd_renumber", []uint64{1, 2}, nil, "wazero does not let go of the first three"},

		{"path_create_directory", []uint64{1, 64, 1}, []uint32{'a'}, ""},
		{"path_filestat_get", []uint64{3, 0, 64, 1, 128}, []uint32{'a'}, ""},
		{"path_filestat_get", []uint64{1, 0, 64, 1, 128}, []uint32{'a'}, ""},
		{"path_filestat_set_times", []uint64{3, 0, 64, 1, 0, 0, 0}, []uint32{'a'}, ""},
		{"path_link", []uint64{3, 0, 64, 1, 3, 64, 1}, []uint32{'a'}, ""},
		{"path_open", []uint64{3, 0, 64, 1, 0, 0, 0, 0, 128}, []uint32{'a'}, ""},
		{"path_open", []uint64{3, 0, 64, 1, 0, 0, 0, 0, 128}, []uint32{'/'}, fdFirst},
		{"path_open", []uint64{3, 0, 65536, 1, 0, 0, 0, 0, 128}, nil, fdFirst},
		{"path_readlink", []uint64{3, 64, 1, 128, 8, 256}, []uint32{'a'}, ""},
		{"path_remove_directory", []uint64{3, 64, 1}, []uint32{'a'}, ""},
		{"path_rename", []uint64{3, 64, 1, 3, 64, 1}, []uint32{'a'}, ""},
		{"path_symlink", []uint64{64, 1, 3, 64, 1}, []uint32{'a'}, ""},
		{"path_symlink", []uint64{64, 1, 1, 64, 1}, []uint32{'a'}, ""},
		{"path_unlink_file", []uint64{3, 64, 1}, []uint32{'a'}, ""},

		{"sock_accept", []uint64{3, 0, 64}, nil, ""},
		{"sock_accept", []uint64{1, 0, 64}, nil, noSocket},
		{"sock_recv", []uint64{3, 64, 1, 0, 128, 136}, iovec, ""},
		{"sock_send", []uint64{3, 64, 1, 0, 128}, iovec, ""},
		{"sock_shutdown", []uint64{3, 1}, nil, ""},
		{"sock_shutdown", []uint64{1, 1}, nil, noSocket},

		{"poll_oneoff", []uint64{64, 512, 0, 1024}, nil, ""},
		{"poll_oneoff", []uint64{64, 512, 1, 1024}, relative, ""},
		{"poll_oneoff", []uint64{64, 512, 2, 1024}, append(slices.Clone(relative), relative...), ""},
		{"poll_oneoff", []uint64{64, 512, 2, 1024}, append(slices.Clone(relative), onFD(1, 7)...), pollAsSpec},
		{"poll_oneoff", []uint64{64, 512, 1, 1024}, absolute, pollAsSpec},
		{"poll_oneoff", []uint64{64, 512, 1, 1024}, onFD(1, 0), pollAsSpec},
		{"poll_oneoff", []uint64{64, 512, 1, 1024}, onFD(2, 1), pollAsSpec},
		{"poll_oneoff", []uint64{64, 512, 1, 1024}, onFD(1, 7), sleepsOn},
		{"poll_oneoff", []uint64{64, 512, 1, 1024}, onFD(2, 7), sleepsOn},
		{"poll_oneoff", []uint64{64, 512, 2, 1024}, append(onFD(2, 7), relative...), sleepsOn},
		{"poll_oneoff", []uint64{64, 512, 1, 1024}, onFD(3, 7), "wazero has cleared the events when it finds an unknown kind"},
		{"poll_oneoff", []uint64{65500, 512, 1, 1024}, nil, ""},
		{"poll_oneoff", []uint64{64, 65520, 1, 1024}, relative, ""},
	}
}

// outcome is all that a call did.
type outcome struct {
	errno    uint64
	memory   []byte
	out, err string
	slept    time.Duration
}

// TestWASIAgainstWazero makes the same calls with wazero's implementation of WASI and with ours.
func TestWASIAgainstWazero(t *testing.T) {
	covered := map[string]bool{"proc_exit": true} // TestAttacks covers it
	for _, c := range wasiCases() {
		covered[c.function] = true
		t.Run(fmt.Sprint(c.function, c.params), func(t *testing.T) {
			want, got := wazeroOutcome(t, c), ourOutcome(c)
			if c.differs != "" {
				require.NotEqual(t, want, got, "not so any more: %s", c.differs)
				return
			}
			require.Equal(t, want.errno, got.errno)
			require.Equal(t, want, got)
		})
	}
	require.Len(t, covered, len(wasi.Functions()))
}

func TestWASITypesAreWazeros(t *testing.T) {
	rt := wazero.NewRuntime(t.Context())
	defer rt.Close(t.Context())
	_, err := wasi_snapshot_preview1.Instantiate(t.Context(), rt)
	require.NoError(t, err)
	theirs := rt.Module(wasi_snapshot_preview1.ModuleName).ExportedFunctionDefinitions()
	require.Len(t, theirs, len(wasi.Functions()))
	for _, f := range wasi.Functions() {
		require.Equal(t, string(theirs[f.Name].ParamTypes()), f.Type.Params, f.Name)
		require.Equal(t, string(theirs[f.Name].ResultTypes()), f.Type.Results, f.Name)
	}
}

const (
	caseWall      = 1_700_000_000_000_000_123
	caseMonotonic = 7777
)

// image is the memory that a call finds.
func (c wasiCase) image() []byte {
	m := bytes.Repeat([]byte{0xee}, 65536)
	for i, v := range c.memory {
		binary.LittleEndian.PutUint32(m[64+4*i:], v)
	}
	return m
}

func ourOutcome(c wasiCase) (o outcome) {
	var out, err bytes.Buffer
	s := wasi.State{
		Stdout: &out, Stderr: &err,
		Args: []string{"tool", "é"}, Env: []string{"A=1"},
		Random:    bytes.NewReader(bytes.Repeat([]byte{7}, 65536)),
		Wall:      wasi.Clock{Now: func() int64 { return caseWall }, Resolution: time.Microsecond},
		Monotonic: wasi.Clock{Now: func() int64 { return caseMonotonic }, Resolution: 1},
		Sleep:     func(_ context.Context, d time.Duration) { o.slept += d },
	}
	functions := wasi.Functions()
	i := slices.IndexFunc(functions, func(f wasi.Function) bool { return f.Name == c.function })
	memory := c.image()
	o.errno = uint64(functions[i].Call(context.Background(), &s, memory, c.params))
	o.memory, o.out, o.err = memory, out.String(), err.String()
	return o
}

func wazeroOutcome(t *testing.T, c wasiCase) (o outcome) {
	ctx := t.Context()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer rt.Close(ctx)
	_, err := wasi_snapshot_preview1.Instantiate(ctx, rt)
	require.NoError(t, err)
	var out, errs bytes.Buffer
	mod, err := rt.InstantiateWithConfig(ctx, wasiProxy(), wazero.NewModuleConfig().
		WithArgs("tool", "é").WithEnv("A", "1").
		WithStdout(&out).WithStderr(&errs).
		WithRandSource(bytes.NewReader(bytes.Repeat([]byte{7}, 65536))).
		WithWalltime(func() (int64, int32) { return caseWall / 1_000_000_000, caseWall % 1_000_000_000 }, 1000).
		WithNanotime(func() int64 { return caseMonotonic }, 1).
		WithNanosleep(func(ns int64) { o.slept += time.Duration(ns) }))
	require.NoError(t, err)
	require.True(t, mod.Memory().Write(0, c.image()))
	results, err := mod.ExportedFunction(c.function).Call(ctx, c.params...)
	if err != nil {
		return outcome{err: err.Error()}
	}
	o.errno = results[0]
	o.memory, _ = mod.Memory().Read(0, 65536)
	o.out, o.err = out.String(), errs.String()
	return o
}

// wasiProxy is a module with one page of memory that exports a function for each of WASI's, which calls it.
func wasiProxy() []byte {
	u32 := wasmbinary.AppendU32
	functions := wasi.Functions()
	n := uint32(len(functions))
	types, imports, defined, code := u32(nil, n), u32(nil, n), u32(nil, n), u32(nil, n)
	exports := append(wasmbinary.AppendName(u32(nil, n+1), "memory"), byte(api.ExternTypeMemory), 0)
	for i, f := range functions {
		index := uint32(i)
		types = append(types, 0x60)
		types = wasmbinary.AppendName(types, f.Type.Params)
		types = wasmbinary.AppendName(types, f.Type.Results)
		imports = wasmbinary.AppendName(imports, wasi_snapshot_preview1.ModuleName)
		imports = append(wasmbinary.AppendName(imports, f.Name), byte(api.ExternTypeFunc))
		imports = u32(imports, index)
		defined = u32(defined, index)
		exports = append(wasmbinary.AppendName(exports, f.Name), byte(api.ExternTypeFunc))
		exports = u32(exports, n+index)
		body := []byte{0} // no locals
		for p := range f.Type.Params {
			body = append(body, 0x20, byte(p)) // local.get
		}
		body = append(u32(append(body, 0x10), index), 0x0b) // call, end
		code = append(u32(code, uint32(len(body))), body...)
	}
	bin := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range []struct {
		id   byte
		body []byte
	}{{1, types}, {2, imports}, {3, defined}, {5, []byte{1, 0, 1}}, {7, exports}, {10, code}} {
		bin = wasmbinary.AppendSection(bin, s.id, s.body)
	}
	return bin
}
