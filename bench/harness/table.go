package harness

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Table prints a table in Markdown. All rows are as long as the header; columns but the first are aligned to the right.
func (l *Lab) Table(header []string, rows [][]string) {
	widths := make([]int, len(header))
	for _, row := range append([][]string{header}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	rule := make([]string, len(header))
	for i, width := range widths {
		rule[i] = strings.Repeat("-", width)
		if i > 0 {
			rule[i] = rule[i][1:] + ":"
		}
	}
	fmt.Fprintln(l.w)
	for _, row := range append([][]string{header, rule}, rows...) {
		for i, cell := range row {
			if i == 0 {
				fmt.Fprintf(l.w, "| %-*s ", widths[i], cell)
			} else {
				fmt.Fprintf(l.w, "| %*s ", widths[i], cell)
			}
		}
		fmt.Fprintln(l.w, "|")
	}
}

// Seconds writes a time with its unit.
func Seconds(s float64) string {
	switch {
	case s < 1e-6:
		return significant(s*1e9) + " ns"
	case s < 1e-3:
		return significant(s*1e6) + " µs"
	case s < 1:
		return significant(s*1e3) + " ms"
	}
	return significant(s) + " s"
}

// significant writes a number with three digits that count.
func significant(value float64) string { return strconv.FormatFloat(value, 'f', digits(value), 64) }
