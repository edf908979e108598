// Package wasi is WASI preview 1 (wasi_snapshot_preview1) for modules that have nothing: no files, no sockets, and arguments,
// environment, clocks and random numbers only where they are given. It knows the values and the memory of WebAssembly, and
// nothing of an engine.
//
//	for _, f := range wasi.Functions() {
//		// Bind f.Name, of type f.Type, to f.Call(ctx, &state, memory, params).
//	}
//
// All state is in [State], one for each instance. The layouts and numbers are those of the specification's witx files.
//
// # Descriptors
//
// 0, 1 and 2 are open at first and are streams: one that is at its end, and two that are written to. They call themselves
// character devices without a position, which is what a terminal is: so that libc writes every line when it ends, and not when
// the program does, because a tool never ends. There are no other descriptors.
//
// # What is not there
//
//   - A descriptor that is not open is EBADF, before anything else is looked at. So is reading what can only be written, and
//     the other way round, and asking any descriptor for the folder that it was opened for.
//   - A stream is no folder: ENOTDIR. It is no socket: ENOTSOCK. It has no position: ESPIPE.
//   - What could be done to a file and cannot be done to a stream (size, times, rights) is ENOTSUP.
//   - A clock that is not there is EINVAL, as the specification says. The clocks of CPU time never are: they were removed from
//     WASI, and would tell a guest about its host. Random numbers that are not there are ENOTSUP.
//   - proc_raise was removed from WASI: ENOSYS.
//   - What is no value of its type is EINVAL.
//
// # Hostile guests
//
// A pointer that does not lie within memory is EFAULT; then nothing is written to memory or to a stream. Nothing is allocated,
// whatever the guest asks for. Work whose amount the guest chooses is done in small pieces, with a look at [State.Check] after
// each.
package wasi
