package wasi

// Errno is what a function returns: 0, or an error number of WASI.
type Errno uint16

// The numbers that occur.
const (
	Success  Errno = 0
	EBADF    Errno = 8
	EFAULT   Errno = 21
	EINVAL   Errno = 28
	EIO      Errno = 29
	ENOSYS   Errno = 52
	ENOTDIR  Errno = 54
	ENOTSOCK Errno = 57
	ENOTSUP  Errno = 58
	ESPIPE   Errno = 70
)
