package wasi

import (
	"context"

	"github.com/wasmtools/wasmtools/internal/wasm"
)

// Function is one function of WASI.
type Function struct {
	Name string
	Type wasm.FuncType

	body body
}

// body is what a function does. It finds as many parameters as its type has; of an i32 only the lower half counts.
type body func(ctx context.Context, s *State, mem []byte, p []uint64) Errno

// callUnits is what a call costs, whatever it does: it takes about as long as looking at so many bytes.
const callUnits = 64

// Call runs the function on the guest's linear memory, which must not move meanwhile. The errno is its result, where the type
// has one. The context goes to the hooks of s, which may panic: s is then as usable as before.
func (f *Function) Call(ctx context.Context, s *State, mem []byte, params []uint64) Errno {
	s.work(ctx, callUnits)
	return f.body(ctx, s, mem, params)
}

// The encodings of the value types.
const (
	i32 = wasm.I32
	i64 = "\x7e"
)

// Functions returns every function of wasi_snapshot_preview1, in the specification's order.
func Functions() []Function {
	return []Function{
		function("args_get", i32+i32, argsGet),
		function("args_sizes_get", i32+i32, argsSizesGet),
		function("environ_get", i32+i32, environGet),
		function("environ_sizes_get", i32+i32, environSizesGet),
		function("clock_res_get", i32+i32, clockResGet),
		function("clock_time_get", i32+i64+i32, clockTimeGet),
		function("fd_advise", i32+i64+i64+i32, fdAdvise),
		function("fd_allocate", i32+i64+i64, always(0, ENOTSUP)),
		function("fd_close", i32, fdClose),
		function("fd_datasync", i32, always(0, Success)), // what was written is out of the guest's hands
		function("fd_fdstat_get", i32+i32, fdFdstatGet),
		function("fd_fdstat_set_flags", i32+i32, fdFdstatSetFlags),
		function("fd_fdstat_set_rights", i32+i64+i64, always(0, ENOTSUP)),
		function("fd_filestat_get", i32+i32, fdFilestatGet),
		function("fd_filestat_set_size", i32+i64, always(0, ENOTSUP)),
		function("fd_filestat_set_times", i32+i64+i64+i32, always(0, ENOTSUP)),
		function("fd_pread", i32+i32+i32+i64+i32, always(0, ESPIPE)),
		function("fd_prestat_get", i32+i32, always(0, EBADF)),
		function("fd_prestat_dir_name", i32+i32+i32, always(0, EBADF)),
		function("fd_pwrite", i32+i32+i32+i64+i32, always(0, ESPIPE)),
		function("fd_read", i32+i32+i32+i32, fdRead),
		function("fd_readdir", i32+i32+i32+i64+i32, always(0, ENOTDIR)),
		function("fd_renumber", i32+i32, fdRenumber),
		function("fd_seek", i32+i64+i32+i32, always(0, ESPIPE)),
		function("fd_sync", i32, always(0, Success)),
		function("fd_tell", i32+i32, always(0, ESPIPE)),
		function("fd_write", i32+i32+i32+i32, fdWrite),
		function("path_create_directory", i32+i32+i32, always(0, ENOTDIR)),
		function("path_filestat_get", i32+i32+i32+i32+i32, always(0, ENOTDIR)),
		function("path_filestat_set_times", i32+i32+i32+i32+i64+i64+i32, always(0, ENOTDIR)),
		function("path_link", i32+i32+i32+i32+i32+i32+i32, always(0, ENOTDIR)),
		function("path_open", i32+i32+i32+i32+i32+i64+i64+i32+i32, always(0, ENOTDIR)),
		function("path_readlink", i32+i32+i32+i32+i32+i32, always(0, ENOTDIR)),
		function("path_remove_directory", i32+i32+i32, always(0, ENOTDIR)),
		function("path_rename", i32+i32+i32+i32+i32+i32, always(0, ENOTDIR)),
		function("path_symlink", i32+i32+i32+i32+i32, always(2, ENOTDIR)),
		function("path_unlink_file", i32+i32+i32, always(0, ENOTDIR)),
		function("poll_oneoff", i32+i32+i32+i32, pollOneoff),
		function("proc_exit", i32, procExit),
		function("proc_raise", i32, procRaise),
		function("sched_yield", "", schedYield),
		function("random_get", i32+i32, randomGet),
		function("sock_accept", i32+i32+i32, always(0, ENOTSOCK)),
		function("sock_recv", i32+i32+i32+i32+i32+i32, always(0, ENOTSOCK)),
		function("sock_send", i32+i32+i32+i32+i32, always(0, ENOTSOCK)),
		function("sock_shutdown", i32+i32, always(0, ENOTSOCK)),
	}
}

func function(name, params string, b body) Function {
	typ := wasm.FuncType{Params: params, Results: i32}
	if name == "proc_exit" {
		typ.Results = ""
	}
	return Function{name, typ, b}
}

// always is what a function does that no stream can do. The parameter at position fd is its first descriptor.
func always(fd int, errno Errno) body {
	return func(_ context.Context, s *State, _ []byte, p []uint64) Errno {
		if s.file(p[fd]) == nil {
			return EBADF
		}
		return errno
	}
}
