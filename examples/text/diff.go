package main

import "slices"

// edit is one line of a comparison: kept (' '), deleted from the old text ('-') or inserted by the new one ('+').
type edit struct {
	op   byte
	line string
}

// maxTable bounds the table with which two ranges of lines are compared exactly: its size is the product of their lengths.
const maxTable = 1 << 18

// compare returns the edits that turn one list of lines into another.
//
// Ranges that are small, after what they have in common at both ends is taken away, are compared exactly. A large one is
// first divided at the lines that occur once on either side: they are almost always what a reader would line up, and
// finding them takes no more than sorting does. A large range without such lines is replaced as a whole. So time and
// memory stay bounded for any input, at the price of a result that is not always the shortest.
func compare(before, after []string) []edit {
	c := &comparison{numbers: map[string]line{}}
	c.compare(c.number(before), c.number(after), true)
	return c.edits
}

// line stands for all lines of one text. Comparing numbers is a good deal faster than comparing texts.
type line int32

type comparison struct {
	texts   []string
	numbers map[string]line // of the texts
	edits   []edit
	table   []int32 // reused: a guest that never frees must not ask twice
}

func (c *comparison) number(texts []string) []line {
	lines := make([]line, len(texts))
	for i, text := range texts {
		n, ok := c.numbers[text]
		if !ok {
			n = line(len(c.texts))
			c.numbers[text] = n
			c.texts = append(c.texts, text)
		}
		lines[i] = n
	}
	return lines
}

func (c *comparison) compare(before, after []line, divide bool) {
	head := commonPrefix(before, after)
	c.add(' ', before[:head])
	before, after = before[head:], after[head:]
	tail := commonSuffix(before, after)
	rest := before[len(before)-tail:]
	before, after = before[:len(before)-tail], after[:len(after)-tail]

	switch {
	case len(before) == 0 || len(after) == 0:
		c.replace(before, after)
	case len(before) <= maxTable/len(after):
		c.exact(before, after)
	case divide:
		c.divided(before, after)
	default:
		c.replace(before, after)
	}
	c.add(' ', rest)
}

func (c *comparison) add(op byte, lines []line) {
	for _, n := range lines {
		c.edits = append(c.edits, edit{op, c.texts[n]})
	}
}

func (c *comparison) replace(before, after []line) {
	c.add('-', before)
	c.add('+', after)
}

// exact takes a longest common subsequence. Cell (i, j) of the table is its length for before[i:] and after[j:].
func (c *comparison) exact(before, after []line) {
	width := len(after) + 1
	size := (len(before) + 1) * width
	c.table = slices.Grow(c.table[:0], size)[:size]
	clear(c.table)
	for i := len(before) - 1; i >= 0; i-- {
		fillRow(c.table[i*width:][:width], c.table[(i+1)*width:][:width], before[i], after)
	}
	i, j := 0, 0
	for i < len(before) && j < len(after) {
		switch {
		case before[i] == after[j]:
			c.add(' ', before[i:i+1])
			i, j = i+1, j+1
		case c.table[(i+1)*width+j] >= c.table[i*width+j+1]:
			c.add('-', before[i:i+1])
			i++
		default:
			c.add('+', after[j:j+1])
			j++
		}
	}
	c.replace(before[i:], after[j:])
}

// fillRow fills one row of the table from the one below it. This loop is where a comparison spends its time.
func fillRow(row, below []int32, n line, after []line) {
	var right, diagonal int32
	for j := len(after) - 1; j >= 0; j-- {
		down := below[j]
		if n == after[j] {
			right = diagonal + 1
		} else {
			right = max(right, down)
		}
		row[j] = right
		diagonal = down
	}
}

// divided compares what lies between the lines that are unique on both sides. It goes one level deep: unique lines within
// a part are not looked for again, which bounds the work.
func (c *comparison) divided(before, after []line) {
	i, j := 0, 0
	for _, p := range anchors(before, after) {
		c.compare(before[i:p.before], after[j:p.after], false)
		c.add(' ', before[p.before:p.before+1])
		i, j = p.before+1, p.after+1
	}
	c.compare(before[i:], after[j:], false)
}

func commonPrefix(a, b []line) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []line) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
