package snapshot

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
)

// Image is what regions begin with and go back to. It never changes.
type Image struct {
	sys    *System
	size   uint64
	view   []byte   // the bytes, filled up with zeros to whole pages where they are mapped
	file   *os.File // what regions map; nil under Copy and without bytes
	offset int64    // where the image begins in file, a multiple of the page size
	life   lifetime
}

// NewImage makes an image of mem, which is copied. Pages of zeros take no memory until they are touched.
func (s *System) NewImage(mem []byte) (*Image, error) {
	if !s.life.join() {
		return nil, ErrClosed
	}
	i, err := s.image(mem)
	if err != nil {
		s.leave()
		return nil, fmt.Errorf("snapshot: image of %d bytes: %w", len(mem), err)
	}
	return i, nil
}

func (s *System) image(mem []byte) (*Image, error) {
	i := s.newImage(uint64(len(mem)))
	if s.pagemap == nil || len(mem) == 0 {
		i.view = bytes.Clone(mem)
		return i.made(), nil
	}
	file, err := sealedFile(mem, s.page)
	if err != nil {
		return nil, err
	}
	return i.mapFile(file, 0)
}

// OpenImage makes an image of size bytes of a file on disk. Where the mechanism allows, the file is mapped and only what is
// touched is read: opening takes microseconds, and the caller has to make sure that nobody can write to the file or shorten it
// while the image is open. It may be deleted. f remains the caller's, who may close it.
func (s *System) OpenImage(f *os.File, offset, size int64) (*Image, error) {
	if err := checkExtent(f, offset, size); err != nil {
		return nil, fmt.Errorf("snapshot: image %s: %w", f.Name(), err)
	}
	page := int64(s.page)
	if s.pagemap == nil || size == 0 || offset%page != 0 || size%page != 0 {
		mem := make([]byte, size)
		if _, err := io.ReadFull(io.NewSectionReader(f, offset, size), mem); err != nil {
			return nil, fmt.Errorf("snapshot: image %s: %w", f.Name(), err)
		}
		return s.NewImage(mem)
	}
	if !s.life.join() {
		return nil, ErrClosed
	}
	i, err := s.mapDisk(f, offset, size)
	if err != nil {
		s.leave()
		return nil, fmt.Errorf("snapshot: image %s: %w", f.Name(), err)
	}
	return i, nil
}

func (s *System) mapDisk(f *os.File, offset, size int64) (*Image, error) {
	file, err := duplicate(f)
	if err != nil {
		return nil, err
	}
	return s.newImage(uint64(size)).mapFile(file, offset)
}

// checkExtent fails unless the file has these bytes, so that nothing is allocated on the word of a damaged file and no page is
// mapped that is not there: touching one would crash the process.
func checkExtent(f *os.File, offset, size int64) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("not a regular file: %s", info.Mode())
	case offset < 0 || size < 0 || size > math.MaxInt:
		return fmt.Errorf("bad extent: %d bytes at %d", size, offset)
	case offset > info.Size() || size > info.Size()-offset:
		return fmt.Errorf("%d bytes at %d in a file of %d: %w", size, offset, info.Size(), io.ErrUnexpectedEOF)
	}
	return nil
}

func (s *System) newImage(size uint64) *Image {
	return &Image{sys: s, size: size, life: lifetime{users: 1}}
}

func (i *Image) made() *Image {
	i.sys.images.Add(1)
	return i
}

// mapFile takes the file over: it is closed if mapping it fails.
func (i *Image) mapFile(file *os.File, offset int64) (*Image, error) {
	view, err := mapView(file, offset, i.sys.up(i.size))
	if err != nil {
		file.Close()
		return nil, err
	}
	i.file, i.offset, i.view = file, offset, view
	i.sys.mapped.Add(int64(len(view)))
	return i.made(), nil
}

// Bytes returns the image. Writing to it crashes the process, and so may reading it after Close.
func (i *Image) Bytes() []byte {
	if i.view == nil {
		return nil
	}
	return i.view[:i.size:i.size]
}

// Close lets the image make no further region. Its memory goes with its last region.
func (i *Image) Close() {
	if i.life.close() {
		i.free()
	}
}

func (i *Image) leave() {
	if i.life.leave() {
		i.free()
	}
}

func (i *Image) free() {
	if i.file != nil {
		i.sys.mapped.Add(-int64(len(i.view)))
		unmap(i.view)
		i.file.Close()
	}
	i.view, i.file = nil, nil
	i.sys.images.Add(-1)
	i.sys.leave()
}
