package snapshot_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/snapshot"
)

const wasmPage = 64 << 10

// each runs a test with every mechanism that works here, and holds it to leave nothing behind.
func each(t *testing.T, test func(*testing.T, *snapshot.System)) {
	t.Helper()
	for _, m := range snapshot.Mechanisms() {
		t.Run(string(m), func(t *testing.T) {
			sys, err := snapshot.Open(m)
			if err != nil {
				require.NotContains(t, err.Error(), "trial", "it is there and does not work")
				t.Skip(err)
			}
			defer sys.Close()
			test(t, sys)
			require.Zero(t, sys.Usage(), "something is left")
		})
	}
}

// onlyMapped skips what Copy, which knows no pages, has not got.
func onlyMapped(t *testing.T, sys *snapshot.System) {
	t.Helper()
	if sys.Mechanism() == snapshot.Copy {
		t.Skip("nothing is mapped")
	}
}

// pattern is memory with zeros in between, none of which is the start or the end of a page.
func pattern(size int) []byte {
	mem := make([]byte, size)
	for i := range mem {
		if i/10_000%3 != 1 {
			mem[i] = byte(i*7 + i>>8 + 1)
		}
	}
	return mem
}

func newImage(t testing.TB, sys *snapshot.System, mem []byte) *snapshot.Image {
	t.Helper()
	image, err := sys.NewImage(mem)
	require.NoError(t, err)
	return image
}

func newRegion(t testing.TB, image *snapshot.Image, limit uint64) *snapshot.Region {
	t.Helper()
	region, err := image.NewRegion(limit)
	require.NoError(t, err)
	return region
}

// same is require.Equal without printing megabytes.
func same(t testing.TB, want, have []byte, what ...any) {
	t.Helper()
	if !bytes.Equal(want, have) {
		at := 0
		for at < min(len(want), len(have)) && want[at] == have[at] {
			at++
		}
		require.Failf(t, "bytes differ", "%d and %d bytes, equal up to %#x %s", len(want), len(have), at, fmt.Sprint(what...))
	}
}

func TestRestoreAgainstModel(t *testing.T) {
	page := os.Getpagesize()
	for name, size := range map[string]struct{ image, limit int }{
		"nothing":                    {0, 0},
		"no image":                   {0, 20 * wasmPage},
		"no room to grow":            {3 * wasmPage, 3 * wasmPage},
		"pages":                      {5 * wasmPage, 40 * wasmPage},
		"a part of a page":           {100, 3*page + 1},
		"ends within a page":         {5*page + 1234, 90*page + 17},
		"room to grow within a page": {5*page + 1234, 5*page + 1300},
		"a byte less than a page":    {page - 1, page},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, sys *snapshot.System) {
				image := newImage(t, sys, pattern(size.image))
				defer image.Close()
				region := newRegion(t, image, uint64(size.limit))
				defer region.Close()
				seed := rand.Uint64()
				t.Logf("seed %d", seed)
				play(t, region, pattern(size.image), size.limit, rand.New(rand.NewPCG(seed, 0)))
			})
		})
	}
}

// play writes, grows and restores at random, and does the same to a slice.
func play(t *testing.T, region *snapshot.Region, image []byte, limit int, r *rand.Rand) {
	for round := range 60 {
		model := bytes.Clone(image)
		for range r.IntN(20) {
			switch {
			case r.IntN(5) == 0:
				model = growBoth(t, region, model, len(model)+r.IntN(limit-len(model)+1))
			case len(model) > 0:
				from := r.IntN(len(model))
				to := from + r.IntN(min(len(model)-from, 1<<r.IntN(20))+1)
				copy(model[from:to], bytes.Repeat([]byte{byte(r.Uint32())}, to-from))
				copy(region.Bytes()[from:to], model[from:to])
			}
		}
		same(t, model, region.Bytes(), "before restore ", round)
		if r.IntN(30) == 0 {
			region.Drop()
		} else {
			region.Restore()
		}
		same(t, image, region.Bytes(), "after restore ", round)
	}
}

func growBoth(t *testing.T, region *snapshot.Region, model []byte, size int) []byte {
	t.Helper()
	buf, ok := region.Grow(uint64(size))
	require.True(t, ok)
	require.Len(t, buf, size)
	model = append(model, make([]byte, size-len(model))...)
	same(t, model, buf, "after growing")
	return model
}

func TestProbeFindsTheBestThatOpens(t *testing.T) {
	sys := snapshot.Probe()
	defer sys.Close()
	for _, m := range snapshot.Mechanisms() {
		forced, err := snapshot.Open(m)
		if err != nil {
			require.ErrorContains(t, err, string(m))
			require.Contains(t, sys.Note(), err.Error(), "the note says why a better one is not used")
			continue
		}
		require.Equal(t, m, forced.Mechanism())
		forced.Close()
		require.Equal(t, m, sys.Mechanism())
		break
	}
	if sys.Mechanism() == snapshot.PagemapScan {
		require.Empty(t, sys.Note())
	}
	_, err := snapshot.Open("soft-dirty")
	require.ErrorContains(t, err, "soft-dirty")
}

func TestRegionsShareAnImageAndNothingElse(t *testing.T) {
	each(t, func(t *testing.T, sys *snapshot.System) {
		mem := pattern(4 * wasmPage)
		image := newImage(t, sys, mem)
		mem[0]++
		same(t, pattern(4*wasmPage), image.Bytes(), "the image is a copy")
		mem[0]--
		a, b := newRegion(t, image, 8*wasmPage), newRegion(t, image, 8*wasmPage)
		clear(a.Bytes())
		same(t, mem, b.Bytes())
		same(t, mem, image.Bytes())
		image.Close()
		a.Restore()
		same(t, mem, a.Bytes(), "a region outlives the handle of its image")
		a.Close()
		clear(b.Bytes())
		b.Restore()
		same(t, mem, b.Bytes())
		b.Close()
	})
}

func TestGrow(t *testing.T) {
	each(t, func(t *testing.T, sys *snapshot.System) {
		image := newImage(t, sys, pattern(wasmPage))
		defer image.Close()
		region := newRegion(t, image, 3*wasmPage)
		defer region.Close()
		for size, want := range map[uint64]bool{
			0: false, wasmPage - 1: false, wasmPage: true, 3*wasmPage + 1: false, math.MaxUint64: false,
		} {
			buf, ok := region.Grow(size)
			require.Equal(t, want, ok, size)
			require.Equal(t, want, buf != nil)
			require.Len(t, region.Bytes(), wasmPage)
		}
		for range 3 {
			buf, ok := region.Grow(3 * wasmPage)
			require.True(t, ok)
			require.Len(t, buf, cap(buf), "nothing behind the memory is within reach of append")
			same(t, make([]byte, 2*wasmPage), buf[wasmPage:])
			clear(buf[:wasmPage])
			for i := range buf[wasmPage:] {
				buf[wasmPage+i] = 0xff
			}
			region.Restore()
			same(t, image.Bytes(), region.Bytes())
		}
	})
}

func TestAddressStaysTheSame(t *testing.T) {
	each(t, func(t *testing.T, sys *snapshot.System) {
		image := newImage(t, sys, pattern(wasmPage))
		defer image.Close()
		region := newRegion(t, image, 4*snapshot.KeepGrown)
		defer region.Close()
		address := unsafe.SliceData(region.Bytes())
		for _, size := range []uint64{0, 2 * wasmPage, 0, 4 * snapshot.KeepGrown, 0, 0, 3 * wasmPage} {
			if size > 0 {
				buf, ok := region.Grow(size)
				require.True(t, ok)
				buf[size-1] = 1
			}
			moved := size > 0 && sys.Mechanism() == snapshot.Copy
			if moved {
				region.Restore()
				address = unsafe.SliceData(region.Bytes())
			}
			region.Restore()
			require.Equal(t, address, unsafe.SliceData(region.Bytes()), size)
		}
	})
}

func TestLimits(t *testing.T) {
	each(t, func(t *testing.T, sys *snapshot.System) {
		image := newImage(t, sys, pattern(wasmPage))
		defer image.Close()
		for _, limit := range []uint64{0, wasmPage - 1, math.MaxInt, math.MaxUint64} {
			_, err := image.NewRegion(limit)
			require.ErrorContains(t, err, "bad limit")
		}
		onlyMapped(t, sys)
		_, err := image.NewRegion(1 << 60)
		require.Error(t, err, "more than there are addresses")
	})
}

func TestCopyKeepsLittleOfWhatGrew(t *testing.T) {
	sys, err := snapshot.Open(snapshot.Copy)
	require.NoError(t, err)
	image := newImage(t, sys, pattern(wasmPage))
	region := newRegion(t, image, 4*snapshot.KeepGrown)
	for _, test := range []struct {
		size  uint64
		drops uint64
	}{
		{wasmPage + snapshot.KeepGrown, 0}, {4 * snapshot.KeepGrown, 1}, {2 * wasmPage, 0},
	} {
		before := region.Stats().Drops
		buf, ok := region.Grow(test.size)
		require.True(t, ok)
		buf[test.size-1] = 1
		region.Restore()
		require.Equal(t, test.drops, region.Stats().Drops-before, test.size)
		same(t, image.Bytes(), region.Bytes())
	}
}

func TestOpenImage(t *testing.T) {
	mem := pattern(4 * wasmPage)
	name := filepath.Join(t.TempDir(), "image")
	require.NoError(t, os.WriteFile(name, mem, 0o600))
	for what, extent := range map[string]struct{ offset, size int }{
		"all":                 {0, len(mem)},
		"whole pages":         {wasmPage, 2 * wasmPage},
		"within a page":       {wasmPage, 1000},
		"not at a page":       {1000, 2 * wasmPage},
		"nothing":             {wasmPage, 0},
		"nothing, at the end": {len(mem), 0},
		"ends with the file":  {len(mem) - 100, 100},
	} {
		t.Run(what, func(t *testing.T) {
			each(t, func(t *testing.T, sys *snapshot.System) {
				f, err := os.Open(name)
				require.NoError(t, err)
				image, err := sys.OpenImage(f, int64(extent.offset), int64(extent.size))
				require.NoError(t, err)
				require.NoError(t, f.Close())
				want := mem[extent.offset : extent.offset+extent.size]
				same(t, want, image.Bytes())
				region := newRegion(t, image, 10*wasmPage)
				clear(region.Bytes())
				growBoth(t, region, make([]byte, len(want)), 10*wasmPage)
				region.Restore()
				same(t, want, region.Bytes())
				image.Close()
				region.Close()
				have, err := os.ReadFile(name)
				require.NoError(t, err)
				same(t, mem, have, "the file is as it was")
			})
		})
	}
}

func TestOpenImageRefuses(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "image")
	require.NoError(t, os.WriteFile(name, pattern(wasmPage), 0o600))
	open := func(t *testing.T, name string) *os.File {
		f, err := os.Open(name)
		require.NoError(t, err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	each(t, func(t *testing.T, sys *snapshot.System) {
		f := open(t, name)
		for _, extent := range [][2]int64{{0, wasmPage + 1}, {1, wasmPage}, {wasmPage + 1, 0}, {0, math.MaxInt64}, {math.MaxInt64, 1}} {
			_, err := sys.OpenImage(f, extent[0], extent[1])
			require.ErrorIs(t, err, io.ErrUnexpectedEOF, extent)
		}
		for _, extent := range [][2]int64{{-1, 1}, {0, -1}, {math.MinInt64, math.MinInt64}} {
			_, err := sys.OpenImage(f, extent[0], extent[1])
			require.ErrorContains(t, err, "bad extent", extent)
		}
		_, err := sys.OpenImage(open(t, dir), 0, 0)
		require.ErrorContains(t, err, "not a regular file")
		require.NoError(t, f.Close())
		_, err = sys.OpenImage(f, 0, wasmPage)
		require.ErrorIs(t, err, os.ErrClosed)
	})
}

func TestClose(t *testing.T) {
	each(t, func(t *testing.T, sys *snapshot.System) {
		f, err := os.CreateTemp(t.TempDir(), "")
		require.NoError(t, err)
		defer f.Close()
		require.NoError(t, f.Truncate(wasmPage))
		image := newImage(t, sys, pattern(wasmPage))
		region := newRegion(t, image, 2*wasmPage)
		usage := sys.Usage()
		require.EqualValues(t, 1, usage.Images)
		require.EqualValues(t, 1, usage.Regions)
		require.Equal(t, sys.Mechanism() != snapshot.Copy, usage.Mapped >= 3*wasmPage)

		for range 2 {
			sys.Close()
			_, err = sys.NewImage(nil)
			require.ErrorIs(t, err, snapshot.ErrClosed)
			_, err = sys.OpenImage(f, 0, wasmPage)
			require.ErrorIs(t, err, snapshot.ErrClosed)
		}
		for range 2 {
			image.Close()
			_, err = image.NewRegion(wasmPage)
			require.ErrorIs(t, err, snapshot.ErrClosed)
		}
		require.Equal(t, usage, sys.Usage(), "the region still needs them")
		clear(region.Bytes())
		region.Restore()
		same(t, pattern(wasmPage), region.Bytes())
		require.Zero(t, region.Stats().Failed)

		for range 2 {
			region.Close()
			require.Nil(t, region.Bytes())
			_, ok := region.Grow(0)
			require.False(t, ok)
			region.Restore()
			region.Drop()
			require.Zero(t, region.Stats())
		}
		require.Zero(t, sys.Usage())
		require.Nil(t, image.Bytes())
	})
}

func TestManyAtOnce(t *testing.T) {
	each(t, func(t *testing.T, sys *snapshot.System) {
		mem := pattern(3*wasmPage + 5)
		image := newImage(t, sys, mem)
		var wg sync.WaitGroup
		for g := range 16 {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(uint64(g), 1))
				for range 5 {
					region, err := image.NewRegion(20 * wasmPage)
					if err != nil {
						t.Error(err)
						return
					}
					for range 20 {
						buf, _ := region.Grow(uint64(len(mem) + r.IntN(10*wasmPage)))
						for range 10 {
							buf[r.IntN(len(buf))] = byte(g + 1)
						}
						region.Restore()
						if !bytes.Equal(mem, region.Bytes()) {
							t.Error("memory differs from its image")
						}
					}
					region.Close()
				}
			})
		}
		wg.Wait()
		image.Close()
	})
}

func TestThousandsOfLargeRegions(t *testing.T) {
	each(t, func(t *testing.T, sys *snapshot.System) {
		if math.MaxInt == math.MaxInt32 {
			t.Skip("there are not so many addresses")
		}
		image := newImage(t, sys, pattern(wasmPage))
		regions := make([]*snapshot.Region, 2000)
		for i := range regions {
			limit := uint64(4) << 30
			regions[i] = newRegion(t, image, limit)
			regions[i].Bytes()[0] = 77
		}
		for _, region := range regions {
			region.Restore()
			same(t, image.Bytes(), region.Bytes())
			region.Close()
		}
		image.Close()
	})
}
