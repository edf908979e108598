package snapshot

import "slices"

const (
	// dropEvery is after how many restores pages are given back whatever their number: calls that write here and there
	// collect pages one by one, and the median with them.
	dropEvery = 1024
	// fewPages are always kept: to overwrite them takes less than the page faults of the next call would.
	fewPages = 64
	// muchMore than the median are given back.
	muchMore = 4
)

// decay decides whether written pages are kept. It remembers how many there were the last times.
type decay struct {
	recent [15]uint64
	next   int
	median uint64
}

// allowed is how many written pages are kept.
func (d *decay) allowed() uint64 { return max(fewPages, muchMore*d.median) }

// note remembers a number of written pages. A region in steady use has the same number every time, and nothing to sort.
func (d *decay) note(pages uint64) {
	slot := &d.recent[d.next]
	d.next = (d.next + 1) % len(d.recent)
	if *slot == pages {
		return
	}
	*slot = pages
	sorted := d.recent
	slices.Sort(sorted[:])
	d.median = sorted[len(sorted)/2]
}
