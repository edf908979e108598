package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// table is rows of cells under named columns.
type table struct {
	columns []column
	rows    [][]cell
}

// column is numeric if none of its cells holds text.
type column struct {
	name    string
	numeric bool
}

// cell is a number, a text, or, where text is empty, no value.
type cell struct {
	text   string // as it is written
	number float64
	valid  bool // number holds the value
}

// newCell reads a cell. A number is what JSON calls one, so that codes such as 007 stay text.
func newCell(text string) cell {
	if !isNumber(text) {
		return cell{text: text}
	}
	number, err := strconv.ParseFloat(text, 64)
	return cell{text, number, err == nil} // an error means that the number is out of range
}

func numberCell(number float64) cell {
	return cell{strconv.FormatFloat(number, 'f', -1, 64), number, true}
}

func (c cell) empty() bool { return c.text == "" }

// isNumber reports whether text is a JSON number.
func isNumber(text string) bool {
	text = strings.TrimPrefix(text, "-")
	rest := strings.TrimLeft(text, "0123456789")
	whole := text[:len(text)-len(rest)]
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return false
	}
	if after, ok := strings.CutPrefix(rest, "."); ok {
		if rest = strings.TrimLeft(after, "0123456789"); len(rest) == len(after) {
			return false
		}
	}
	if rest == "" {
		return true
	}
	exponent := strings.TrimLeft(rest, "eE")
	if len(rest)-len(exponent) != 1 {
		return false
	}
	if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
		exponent = exponent[1:]
	}
	return exponent != "" && strings.TrimLeft(exponent, "0123456789") == ""
}

// readTable reads CSV whose first record names the columns. Every record must have as many cells.
func readTable(data string) (*table, error) {
	in := csv.NewReader(strings.NewReader(strings.TrimPrefix(data, "\ufeff")))
	header, err := in.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("data is empty: its first line must name the columns")
	case err != nil:
		return nil, fmt.Errorf("data: %w", err)
	}
	t := &table{}
	for _, name := range header {
		if name == "" || t.index(name) >= 0 {
			return nil, fmt.Errorf("data: the column names of the first line must be unique and not empty: %s", quote(header))
		}
		t.columns = append(t.columns, column{name, true})
	}
	for {
		record, err := in.Read()
		switch {
		case errors.Is(err, io.EOF):
			return t, nil
		case err != nil:
			return nil, fmt.Errorf("data: %w", err)
		}
		t.add(record)
	}
}

func (t *table) add(record []string) {
	row := make([]cell, len(record))
	for i, text := range record {
		row[i] = newCell(text)
		t.columns[i].numeric = t.columns[i].numeric && (row[i].valid || row[i].empty())
	}
	t.rows = append(t.rows, row)
}

// index returns the position of a column, or -1.
func (t *table) index(name string) int {
	return slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
}

// find returns the position of a column. The error says which columns there are.
func (t *table) find(name string) (int, error) {
	if i := t.index(name); i >= 0 {
		return i, nil
	}
	var names []string
	for _, c := range t.columns {
		names = append(names, c.name)
	}
	return 0, fmt.Errorf("there is no column %q; the columns are %s", name, quote(names))
}

// findAll returns the positions of columns.
func (t *table) findAll(names []string) ([]int, error) {
	list := make([]int, len(names))
	for i, name := range names {
		var err error
		if list[i], err = t.find(name); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// pick returns a table of those columns.
func (t *table) pick(columns []int) *table {
	picked := &table{columns: pick(t.columns, columns)}
	for _, row := range t.rows {
		picked.rows = append(picked.rows, pick(row, columns))
	}
	return picked
}

func pick[T any](list []T, positions []int) []T {
	picked := make([]T, len(positions))
	for i, position := range positions {
		picked[i] = list[position]
	}
	return picked
}

func quote(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	return strings.Join(quoted, ", ")
}
