package snapshot_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/snapshot"
)

// benchSize is the size of the image, no byte of which is zero.
const benchSize = 8 << 20

func benchImage(b *testing.B, m snapshot.Mechanism) *snapshot.Image {
	b.Helper()
	sys, err := snapshot.Open(m)
	if err != nil {
		b.Skip(err)
	}
	image := newImage(b, sys, bytes.Repeat([]byte{0x5a}, benchSize))
	b.Cleanup(func() {
		image.Close()
		require.Zero(b, sys.Usage())
		sys.Close()
	})
	return image
}

// BenchmarkRestore writes to a part of the memory and restores it. us/restore is the median of restoring alone, ns/op the mean of
// both.
func BenchmarkRestore(b *testing.B) {
	for _, m := range snapshot.Mechanisms() {
		for _, dirty := range []int{0, 10 << 10, 100 << 10, 1 << 20} {
			b.Run(fmt.Sprintf("%s/%dK", m, dirty>>10), func(b *testing.B) {
				benchRestore(b, m, func(r *snapshot.Region) { clear(r.Bytes()[2<<20:][:dirty]) })
			})
		}
		b.Run(fmt.Sprintf("%s/grown-1024K", m), func(b *testing.B) {
			benchRestore(b, m, func(r *snapshot.Region) {
				buf, _ := r.Grow(benchSize + 1<<20)
				copy(buf[benchSize:], buf)
			})
		})
		// The pages that are only read have to be looked at, too.
		b.Run(fmt.Sprintf("%s/10K,read-8M", m), func(b *testing.B) {
			sum := 0
			benchRestore(b, m, func(r *snapshot.Region) {
				mem := r.Bytes()
				clear(mem[2<<20:][:10<<10])
				for at := 0; at < len(mem); at += 4 << 10 {
					sum += int(mem[at])
				}
			})
			require.NotZero(b, sum)
		})
	}
}

func benchRestore(b *testing.B, m snapshot.Mechanism, call func(*snapshot.Region)) {
	region := newRegion(b, benchImage(b, m), 16<<20)
	defer region.Close()
	var took []time.Duration
	for b.Loop() {
		call(region)
		start := time.Now()
		region.Restore()
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "us/restore")
}

// BenchmarkParallel is BenchmarkRestore with 100 KiB on all cores: a mechanism that changes page tables does not scale.
func BenchmarkParallel(b *testing.B) {
	for _, m := range snapshot.Mechanisms() {
		b.Run(string(m), func(b *testing.B) {
			image := benchImage(b, m)
			b.RunParallel(func(p *testing.PB) {
				region := newRegion(b, image, 16<<20)
				defer region.Close()
				for p.Next() {
					clear(region.Bytes()[2<<20:][:100<<10])
					region.Restore()
				}
			})
		})
	}
}

// BenchmarkDrop is what a restore costs that gives pages back, and the next writes cost that then fault.
func BenchmarkDrop(b *testing.B) {
	for _, m := range snapshot.Mechanisms() {
		b.Run(string(m), func(b *testing.B) {
			region := newRegion(b, benchImage(b, m), 16<<20)
			defer region.Close()
			for b.Loop() {
				clear(region.Bytes()[2<<20:][:100<<10])
				region.Drop()
			}
		})
	}
}

func BenchmarkNewRegion(b *testing.B) {
	for _, m := range snapshot.Mechanisms() {
		b.Run(string(m), func(b *testing.B) {
			image := benchImage(b, m)
			for b.Loop() {
				newRegion(b, image, 128<<20).Close()
			}
		})
	}
}

func BenchmarkNewImage(b *testing.B) {
	for _, m := range snapshot.Mechanisms() {
		b.Run(string(m), func(b *testing.B) {
			image := benchImage(b, m)
			sys, err := snapshot.Open(m)
			require.NoError(b, err)
			defer sys.Close()
			for b.Loop() {
				newImage(b, sys, image.Bytes()).Close()
			}
		})
	}
}

func BenchmarkProbe(b *testing.B) {
	for b.Loop() {
		snapshot.Probe().Close()
	}
}
