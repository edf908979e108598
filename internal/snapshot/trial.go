package snapshot

import (
	"bytes"
	"errors"
	"fmt"
)

// try makes sure that the mechanism does here what it should: that written pages are found, one of the image, one of its zeros
// and one that was grown, and that the memory is the image again.
func (s *System) try() error {
	const written = 3
	mem := make([]byte, 3*s.page)
	mem[0], mem[2*s.page] = 1, 1
	image, err := s.NewImage(mem)
	if err != nil {
		return err
	}
	defer image.Close()
	region, err := image.NewRegion(5 * s.page)
	if err != nil {
		return err
	}
	defer region.Close()

	buf, ok := region.Grow(4 * s.page)
	if !ok {
		return errors.New("trial: memory does not grow")
	}
	buf[0], buf[s.page] = buf[2*s.page]+1, 2 // reads the third page, which is then there and must not count
	buf[3*s.page] = 2
	region.Restore()
	if count := region.Stats(); count.Copied != written || count.Failed > 0 {
		return fmt.Errorf("trial: found %d of %d written pages, %d calls failed", count.Copied, written, count.Failed)
	}
	if !bytes.Equal(region.Bytes(), mem) {
		return errors.New("trial: memory differs from its image")
	}
	if buf, ok = region.Grow(4 * s.page); !ok || buf[3*s.page] != 0 {
		return errors.New("trial: grown memory is not zero")
	}
	return nil
}
