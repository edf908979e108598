package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// predicate tells whether a row is wanted.
type predicate func(row []cell) bool

// newPredicate returns what a condition asks of the table's rows.
//
// Where all values of the column are numbers and the condition's value is one too, numbers are compared; otherwise texts
// are, byte by byte. To put a numeric column in order with a text is an error. A cell without a value is below nothing and
// above nothing; it equals the empty text only.
func newPredicate(t *table, c Condition) (predicate, error) {
	at, err := t.find(c.Column)
	if err != nil {
		return nil, err
	}
	if (c.Op == "in") != (len(c.Values) > 0) || c.Op == "in" && c.Value != nil {
		return nil, fmt.Errorf("column %q: op %q needs %s", c.Column, c.Op, operand(c.Op))
	}
	if c.Op == "in" {
		return func(row []cell) bool {
			return slices.ContainsFunc(c.Values, func(v Value) bool { return equal(t.columns[at], row[at], v.cell()) })
		}, nil
	}
	if c.Value == nil {
		return nil, fmt.Errorf("column %q: op %q needs %s", c.Column, c.Op, operand(c.Op))
	}
	return compareWith(t.columns[at], at, c.Op, c.Value.cell())
}

func operand(op string) string {
	if op == "in" {
		return "values and no value"
	}
	return "a value and no values"
}

func compareWith(col column, at int, op string, want cell) (predicate, error) {
	switch op {
	case "eq":
		return func(row []cell) bool { return equal(col, row[at], want) }, nil
	case "ne":
		return func(row []cell) bool { return !equal(col, row[at], want) }, nil
	case "contains":
		return func(row []cell) bool { return strings.Contains(row[at].text, want.text) }, nil
	}
	holds, known := orders()[op]
	switch {
	case !known:
		return nil, fmt.Errorf("column %q: op %q is not known", col.name, op)
	case col.numeric && !want.valid:
		return nil, fmt.Errorf("column %q holds numbers: op %q needs a number, not %q", col.name, op, want.text)
	}
	return func(row []cell) bool { return !row[at].empty() && holds(order(col, row[at], want)) }, nil
}

// orders maps an operator to what it accepts of a comparison's result.
func orders() map[string]func(int) bool {
	return map[string]func(int) bool{
		"lt": func(n int) bool { return n < 0 },
		"le": func(n int) bool { return n <= 0 },
		"gt": func(n int) bool { return n > 0 },
		"ge": func(n int) bool { return n >= 0 },
	}
}

func equal(col column, a, b cell) bool {
	if a.empty() || b.empty() {
		return a.text == b.text
	}
	return order(col, a, b) == 0
}

// order compares two values of a column.
func order(col column, a, b cell) int {
	if col.numeric && a.valid && b.valid {
		return cmp.Compare(a.number, b.number)
	}
	return strings.Compare(a.text, b.text)
}
