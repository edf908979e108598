package main

import (
	"fmt"
	"strings"
)

// unified writes edits in the unified format, with that many lines of context around each change. It returns an empty
// text where nothing changed.
func unified(edits []edit, context int) string {
	var out strings.Builder
	before, after := 0, 0 // lines passed on either side
	for i := 0; i < len(edits); {
		from, to := hunk(edits, i, context)
		passed := from - i // all of them kept
		before, after = before+passed, after+passed
		if from == to {
			break
		}
		if out.Len() == 0 {
			out.WriteString("--- old\n+++ new\n")
		}
		deleted, inserted := sizes(edits[from:to])
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", span(before, deleted), span(after, inserted))
		for _, e := range edits[from:to] {
			writeLine(&out, e)
		}
		before, after = before+deleted, after+inserted
		i = to
	}
	return out.String()
}

// hunk returns the range of the next hunk at or after start, an empty one where there is none. Changes that are no further
// apart than twice the context share a hunk.
func hunk(edits []edit, start, context int) (from, to int) {
	first := start
	for first < len(edits) && edits[first].op == ' ' {
		first++
	}
	if first == len(edits) {
		return first, first
	}
	last := first // the last change of the hunk
	for i := first; i < len(edits) && i <= last+2*context+1; i++ {
		if edits[i].op != ' ' {
			last = i
		}
	}
	return max(start, first-context), min(len(edits), last+context+1)
}

// sizes counts the lines on either side.
func sizes(edits []edit) (before, after int) {
	for _, e := range edits {
		if e.op != '+' {
			before++
		}
		if e.op != '-' {
			after++
		}
	}
	return before, after
}

// span names n lines after the first passed ones. The format counts from 1, names the line before an empty range, and
// leaves out the number 1.
func span(passed, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", passed)
	case 1:
		return fmt.Sprintf("%d", passed+1)
	}
	return fmt.Sprintf("%d,%d", passed+1, n)
}

func writeLine(out *strings.Builder, e edit) {
	out.WriteByte(e.op)
	out.WriteString(e.line)
	if !strings.HasSuffix(e.line, "\n") {
		out.WriteString("\n\\ No newline at end of file\n")
	}
}
