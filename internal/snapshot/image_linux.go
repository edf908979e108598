package snapshot

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// sealedFile returns a file in memory with these bytes, filled up with zeros to whole pages, that nobody can change any more.
// Pages of zeros are holes.
func sealedFile(mem []byte, page uint64) (*os.File, error) {
	fd, err := memfd()
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	file := os.NewFile(uintptr(fd), "snapshot")
	if err := fill(file, mem, int(page)); err != nil {
		file.Close()
		return nil, err
	}
	const seals = unix.F_SEAL_WRITE | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL
	if _, err := unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, seals); err != nil {
		file.Close()
		return nil, os.NewSyscallError("fcntl", err)
	}
	return file, nil
}

// memfd asks for a file that cannot be executed, which some systems insist on and kernels before 6.3 do not know.
func memfd() (int, error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate("wasmtools", flags|unix.MFD_NOEXEC_SEAL)
	if errors.Is(err, unix.EINVAL) {
		return unix.MemfdCreate("wasmtools", flags)
	}
	return fd, err
}

func fill(file *os.File, mem []byte, page int) error {
	if err := file.Truncate(int64((len(mem) + page - 1) / page * page)); err != nil {
		return err
	}
	zeros := make([]byte, page)
	isZero := func(from int) bool {
		p := mem[from:min(from+page, len(mem))]
		return bytes.Equal(p, zeros[:len(p)])
	}
	for from := 0; from < len(mem); {
		if isZero(from) {
			from += page
			continue
		}
		to := from + page
		for to < len(mem) && !isZero(to) {
			to += page
		}
		if _, err := file.WriteAt(mem[from:min(to, len(mem))], int64(from)); err != nil {
			return err
		}
		from = to
	}
	return nil
}

func duplicate(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	runtime.KeepAlive(f)
	if err != nil {
		return nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

// mapView maps the file for reading. The mapping is private, because older kernels refuse any other one of a sealed file.
func mapView(file *os.File, offset int64, size uint64) ([]byte, error) {
	p, err := unix.MmapPtr(int(file.Fd()), offset, nil, uintptr(size), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	return unsafe.Slice((*byte)(p), size), nil
}

func unmap(mem []byte) {
	// It cannot fail: what was mapped in one piece needs no new mappings to go away in one piece.
	_ = unix.MunmapPtr(unsafe.Pointer(unsafe.SliceData(mem)), uintptr(len(mem)))
}
