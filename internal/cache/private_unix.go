//go:build unix

package cache

import (
	"fmt"
	"os"
	"syscall"
)

// private fails if anybody but this process's user can get into the folder.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s can be used by others: its mode is %o, and must be 700", dir, info.Mode().Perm())
	case ok && int(stat.Uid) != os.Geteuid():
		return fmt.Errorf("%s belongs to somebody else", dir)
	}
	return nil
}
