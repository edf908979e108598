//go:build !linux

package main

import "os"

// isTerminal tells whether stream is a terminal. A character device other than the null device is taken for one.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// discardTyped would throw away what was typed but not read yet. Here only the console's own rule holds: a question is
// answered by the first line that arrives after it.
func discardTyped(any) {}
