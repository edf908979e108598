//go:build !linux

package snapshot

import (
	"errors"
	"os"
	"runtime"
)

// Only Linux has what the mechanisms other than Copy need. Without a pagemap none of the others is called.

type (
	pagemap struct{}
	scratch struct{}
	mapped  struct{ heap }
)

func openPagemap(Mechanism) (*pagemap, error) { return nil, errors.New("not on " + runtime.GOOS) }

func (*pagemap) close() {}

func sealedFile([]byte, uint64) (*os.File, error) { return nil, errors.ErrUnsupported }

func duplicate(*os.File) (*os.File, error) { return nil, errors.ErrUnsupported }

func mapView(*os.File, int64, uint64) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmap([]byte) {}

func newMapped(*Image, uint64) (*mapped, error) { return nil, errors.ErrUnsupported }

func (*mapped) image() []byte { return nil }
