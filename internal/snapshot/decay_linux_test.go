package snapshot_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/snapshot"
)

func TestDecay(t *testing.T) {
	const size = 1024
	page := os.Getpagesize()
	write := func(region *snapshot.Region, from, pages int) {
		for i := range pages {
			region.Bytes()[(from+i)*page]++
		}
	}
	for name, test := range map[string]func(*testing.T, *snapshot.Region){
		"one large call does not make later ones slow": func(t *testing.T, region *snapshot.Region) {
			for range 50 {
				write(region, 0, 10)
				region.Restore()
			}
			require.Equal(t, snapshot.Stats{Restores: 50, Copied: 500, Kept: 10}, region.Stats())
			write(region, 0, size)
			region.Restore()
			large := region.Stats()
			require.EqualValues(t, 1, large.Drops)
			require.Zero(t, large.Kept)
			write(region, 0, 10)
			region.Restore()
			require.EqualValues(t, 10, region.Stats().Copied-large.Copied)
		},
		"grown pages count": func(t *testing.T, region *snapshot.Region) {
			_, ok := region.Grow(uint64(2 * size * page))
			require.True(t, ok)
			write(region, size-10, 20)
			region.Restore()
			require.EqualValues(t, 20, region.Stats().Kept)
			_, ok = region.Grow(uint64(2 * size * page))
			require.True(t, ok)
			write(region, size, size)
			region.Restore()
			require.Zero(t, region.Stats().Kept)
			region.Restore()
			require.Zero(t, region.Stats().Kept)
		},
		"few pages are kept at once": func(t *testing.T, region *snapshot.Region) {
			write(region, 0, snapshot.FewPages)
			region.Restore()
			require.Equal(t, snapshot.Stats{Restores: 1, Copied: snapshot.FewPages, Kept: snapshot.FewPages}, region.Stats())
		},
		"many pages are kept where they are the rule": func(t *testing.T, region *snapshot.Region) {
			for range 100 {
				write(region, 0, 500)
				region.Restore()
			}
			require.LessOrEqual(t, region.Stats().Drops, uint64(10))
			require.EqualValues(t, 500, region.Stats().Kept)
		},
		"more runs of pages than one search finds": func(t *testing.T, region *snapshot.Region) {
			for range 20 {
				for i := range size / 2 {
					write(region, 2*i, 1)
				}
				region.Restore()
			}
			require.EqualValues(t, size/2, region.Stats().Kept)
		},
		"pages collected one by one are given back now and then": func(t *testing.T, region *snapshot.Region) {
			for i := range 2 * snapshot.DropEvery {
				write(region, i%60, 1)
				region.Restore()
			}
			require.EqualValues(t, 2, region.Stats().Drops)
			write(region, 0, 1)
			region.Restore()
			require.EqualValues(t, 1, region.Stats().Kept)
		},
		"drop keeps nothing": func(t *testing.T, region *snapshot.Region) {
			write(region, 0, 20)
			region.Restore()
			write(region, 0, 20)
			region.Drop()
			require.Equal(t, snapshot.Stats{Restores: 2, Copied: 20, Drops: 1}, region.Stats())
		},
		"reading is not writing": func(t *testing.T, region *snapshot.Region) {
			require.NotZero(t, bytes.Count(region.Bytes(), []byte{1}))
			region.Restore()
			require.Zero(t, region.Stats().Copied)
		},
		"reading grown memory is not writing": func(t *testing.T, region *snapshot.Region) {
			buf, ok := region.Grow(uint64((size + 50) * page))
			require.True(t, ok)
			same(t, make([]byte, 50*page), buf[size*page:])
			region.Restore()
			if strings.HasSuffix(t.Name(), string(snapshot.PagemapScan)) { // Pagemap does not know the zero page
				require.Zero(t, region.Stats().Copied)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, sys *snapshot.System) {
				onlyMapped(t, sys)
				image := newImage(t, sys, pattern(size*page))
				defer image.Close()
				region := newRegion(t, image, uint64(2*size*page))
				defer region.Close()
				test(t, region)
				region.Restore()
				same(t, image.Bytes(), region.Bytes())
				require.Zero(t, region.Stats().Failed)
			})
		})
	}
}

func TestKeptGrownPagesCostNothingWithoutGrowth(t *testing.T) {
	each(t, func(t *testing.T, sys *snapshot.System) {
		onlyMapped(t, sys)
		page := uint64(os.Getpagesize())
		image := newImage(t, sys, pattern(int(page)))
		defer image.Close()
		region := newRegion(t, image, 100*page)
		defer region.Close()
		buf, ok := region.Grow(51 * page)
		require.True(t, ok)
		for at := page; at < 51*page; at += page {
			buf[at] = 1
		}
		region.Restore()
		require.EqualValues(t, 50, region.Stats().Copied)
		region.Restore()
		require.EqualValues(t, 50, region.Stats().Copied)
		require.EqualValues(t, 50, region.Stats().Kept)
		buf, ok = region.Grow(100 * page)
		require.True(t, ok)
		same(t, make([]byte, 99*page), buf[page:])
	})
}
