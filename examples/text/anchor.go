package main

import (
	"slices"
	"sort"
)

// anchor is a line that occurs once on either side, by its positions.
type anchor struct{ before, after int }

// anchors returns the longest run of anchors that are in the same order on both sides.
func anchors(before, after []line) []anchor {
	var list []anchor
	places := unique(after)
	for n, i := range unique(before) {
		if j, ok := places[n]; ok && i >= 0 && j >= 0 {
			list = append(list, anchor{i, j})
		}
	}
	slices.SortFunc(list, func(a, b anchor) int { return a.before - b.before })
	return increasing(list)
}

// unique maps every line to its position, and those that occur more than once to -1.
func unique(lines []line) map[line]int {
	places := make(map[line]int, len(lines))
	for i, n := range lines {
		if _, ok := places[n]; ok {
			places[n] = -1
			continue
		}
		places[n] = i
	}
	return places
}

// increasing picks the longest subsequence whose positions after rise, from a list that is sorted by those before.
func increasing(list []anchor) []anchor {
	var ends []int // ends[n] is the anchor that ends the run of length n+1 with the lowest position
	previous := make([]int, len(list))
	for i, a := range list {
		n := sort.Search(len(ends), func(n int) bool { return list[ends[n]].after >= a.after })
		if n == len(ends) {
			ends = append(ends, i)
		}
		ends[n] = i
		previous[i] = -1
		if n > 0 {
			previous[i] = ends[n-1]
		}
	}
	if len(ends) == 0 {
		return nil
	}
	run := make([]anchor, 0, len(ends))
	for i := ends[len(ends)-1]; i >= 0; i = previous[i] {
		run = append(run, list[i])
	}
	slices.Reverse(run)
	return run
}
