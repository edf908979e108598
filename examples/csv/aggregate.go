package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// group sums up the rows of a table: one row for each combination of values of the columns by, in the order in which the
// combinations first occur, with a column for each aggregate. Without by there is exactly one row.
func group(t *table, by []string, aggregates []Aggregate) (*table, error) {
	keys, err := t.findAll(by)
	if err != nil {
		return nil, fmt.Errorf("group_by: %w", err)
	}
	out := &table{columns: pick(t.columns, keys)}
	sources := make([]int, len(aggregates))
	for i, a := range aggregates {
		if sources[i], err = a.check(t); err != nil {
			return nil, fmt.Errorf("aggregate[%d]: %w", i, err)
		}
		if out.index(a.name()) >= 0 {
			return nil, fmt.Errorf("aggregate[%d]: there are two columns %q in the result: rename one with as", i, a.name())
		}
		numeric := a.Op != "min" && a.Op != "max" || t.columns[sources[i]].numeric
		out.columns = append(out.columns, column{a.name(), numeric})
	}
	for _, rows := range partition(t.rows, keys) {
		var row []cell
		if len(keys) > 0 {
			row = pick(rows[0], keys)
		}
		for i, a := range aggregates {
			value, err := a.apply(t, rows, sources[i])
			if err != nil {
				return nil, fmt.Errorf("aggregate[%d]: %w", i, err)
			}
			row = append(row, value)
		}
		out.rows = append(out.rows, row)
	}
	return out, nil
}

// partition divides rows by what they hold in the key columns. Without keys all rows are one part, even if there are none.
func partition(rows [][]cell, keys []int) [][][]cell {
	if len(keys) == 0 {
		return [][][]cell{rows}
	}
	var parts [][][]cell
	places := map[string]int{}
	for _, row := range rows {
		var key strings.Builder
		for _, k := range keys {
			fmt.Fprintf(&key, "%q", row[k].text) // quoted, so that no two lists of texts look the same
		}
		at, ok := places[key.String()]
		if !ok {
			at = len(parts)
			places[key.String()] = at
			parts = append(parts, nil)
		}
		parts[at] = append(parts[at], row)
	}
	return parts
}

// name returns the column's name in the result.
func (a Aggregate) name() string {
	switch {
	case a.As != "":
		return a.As
	case a.Column == "":
		return a.Op
	}
	return a.Op + "_" + a.Column
}

// check returns the position of the column, -1 for a count of rows.
func (a Aggregate) check(t *table) (int, error) {
	if a.Column == "" {
		if a.Op != "count" {
			return 0, fmt.Errorf("op %q needs a column", a.Op)
		}
		return -1, nil
	}
	at, err := t.find(a.Column)
	if err != nil {
		return 0, err
	}
	if slices.Contains([]string{"sum", "avg", "median"}, a.Op) && !t.columns[at].numeric {
		return 0, fmt.Errorf("column %q does not hold numbers only: op %q needs numbers", a.Column, a.Op)
	}
	return at, nil
}

// apply returns the aggregate over rows. Cells without a value do not count; where there are only such, so is the result,
// apart from count and sum, which are then 0.
func (a Aggregate) apply(t *table, rows [][]cell, at int) (cell, error) {
	if at < 0 {
		return numberCell(float64(len(rows))), nil
	}
	var values []cell
	for _, row := range rows {
		if !row[at].empty() {
			values = append(values, row[at])
		}
	}
	switch {
	case a.Op == "count":
		return numberCell(float64(len(values))), nil
	case a.Op == "sum":
		return finite(sum(values), a.Column)
	case len(values) == 0:
		return cell{}, nil
	}
	order := func(x, y cell) int { return order(t.columns[at], x, y) }
	switch a.Op {
	case "min":
		return slices.MinFunc(values, order), nil
	case "max":
		return slices.MaxFunc(values, order), nil
	case "avg":
		return finite(sum(values)/float64(len(values)), a.Column)
	case "median":
		slices.SortFunc(values, order)
		upper, lower := values[len(values)/2], values[(len(values)-1)/2]
		return finite(sum([]cell{lower, upper})/2, a.Column)
	}
	return cell{}, fmt.Errorf("op %q is not known", a.Op)
}

// finite keeps out what JSON cannot say.
func finite(number float64, column string) (cell, error) {
	if math.IsInf(number, 0) || math.IsNaN(number) {
		return cell{}, fmt.Errorf("column %q: %w", column, errOverflow)
	}
	return numberCell(number), nil
}

var errOverflow = errors.New("the result is too large for a 64-bit floating-point number")

// sum adds numbers with the error carried along, and then drops what no sum of numbers with that many decimals can have: a
// sum of prices has two decimals.
func sum(values []cell) float64 {
	var total, carried float64
	decimals := 0
	for _, v := range values {
		next := total + v.number
		if math.Abs(total) >= math.Abs(v.number) {
			carried += (total - next) + v.number
		} else {
			carried += (v.number - next) + total
		}
		total = next
		decimals = max(decimals, decimalsOf(v.text))
	}
	return round(total+carried, decimals)
}

// decimalsOf counts the digits behind the point. A number with an exponent has too many to matter.
func decimalsOf(text string) int {
	if strings.ContainsAny(text, "eE") {
		return math.MaxInt
	}
	_, fraction, _ := strings.Cut(text, ".")
	return len(fraction)
}

// round rounds where a float64 can tell the decimals apart, and leaves other numbers alone.
func round(x float64, decimals int) float64 {
	if decimals > 15 {
		return x
	}
	scale := math.Pow10(decimals)
	if scaled := x * scale; math.Abs(scaled) < 1<<53 {
		return math.Round(scaled) / scale
	}
	return x
}
