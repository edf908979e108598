package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// isTerminal tells whether stream is a terminal.
func isTerminal(stream any) bool {
	return control(stream, func(fd int) error {
		_, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		return err
	})
}

// discardTyped throws away what was typed at a terminal but not read yet.
func discardTyped(stream any) {
	control(stream, func(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) })
}

// control calls do with the descriptor of an open file and reports success. (File.Fd would make the file blocking, and then a
// read could not be ended by closing it.)
func control(stream any, do func(fd int) error) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return false
	}
	done := false
	err = conn.Control(func(fd uintptr) { done = do(int(fd)) == nil })
	return err == nil && done
}
