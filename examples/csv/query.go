package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Query is a question about CSV data. The steps are taken in the order of the fields.
type Query struct {
	Data      string      `json:"data" jsonschema:"description=CSV text whose first line names the columns"`
	Where     []Condition `json:"where,omitempty" jsonschema:"description=Rows must meet all of these"`
	GroupBy   []string    `json:"group_by,omitempty" jsonschema:"description=One row for each combination of values of these columns"`
	Aggregate []Aggregate `json:"aggregate,omitempty" jsonschema:"description=What to compute for each group or without group_by for all rows"`
	Sort      []Key       `json:"sort,omitempty" jsonschema:"description=By columns of the data or of the grouped result; the first counts most"`
	Select    []string    `json:"select,omitempty" jsonschema:"description=The columns to return. Default: all"`
	Limit     int         `json:"limit" jsonschema:"default=100,minimum=1,maximum=10000,description=How many rows to return at most"`
}

// Condition is what a row must meet.
type Condition struct {
	Column string  `json:"column"`
	Op     string  `json:"op" jsonschema:"enum=eq,enum=ne,enum=lt,enum=le,enum=gt,enum=ge,enum=contains,enum=in"`
	Value  *Value  `json:"value,omitempty" jsonschema:"oneof_type=string;number,description=For every op but in. Numbers compare as numbers; dates such as 2025-03-31 as text"`
	Values []Value `json:"values,omitempty" jsonschema:"description=Texts and numbers for the op in"`
}

// Aggregate is a value computed over the rows of a group.
type Aggregate struct {
	Op     string `json:"op" jsonschema:"enum=count,enum=sum,enum=avg,enum=min,enum=max,enum=median"`
	Column string `json:"column,omitempty" jsonschema:"description=May be left out for count: rows are counted then"`
	As     string `json:"as,omitempty" jsonschema:"description=Name of the column in the result. Default: op_column"`
}

// Key is a column to sort by.
type Key struct {
	Column     string `json:"column"`
	Descending bool   `json:"descending" jsonschema:"default=false"`
}

// Answer is the result of a query.
type Answer struct {
	Columns []string  `json:"columns"`
	Rows    [][]Value `json:"rows" jsonschema:"description=Texts and numbers and null for no value"`
	Matched int       `json:"matched" jsonschema:"description=Rows of the data that met the conditions"`
	More    int       `json:"more" jsonschema:"description=Rows that the limit left out"`
}

// answer runs a query. All errors are mistakes in the query or its data.
func answer(q Query) (Answer, error) {
	t, err := readTable(q.Data)
	if err != nil {
		return Answer{}, err
	}
	if err := filter(t, q.Where); err != nil {
		return Answer{}, err
	}
	matched := len(t.rows)
	if len(q.GroupBy)+len(q.Aggregate) > 0 {
		if t, err = group(t, q.GroupBy, q.Aggregate); err != nil {
			return Answer{}, err
		}
	}
	if err := sortRows(t, q.Sort); err != nil {
		return Answer{}, err
	}
	more := max(0, len(t.rows)-q.Limit)
	t.rows = t.rows[:len(t.rows)-more]
	if len(q.Select) > 0 {
		columns, err := t.findAll(q.Select)
		if err != nil {
			return Answer{}, fmt.Errorf("select: %w", err)
		}
		t = t.pick(columns)
	}
	return newAnswer(t, matched, more), nil
}

func filter(t *table, conditions []Condition) error {
	for i, c := range conditions {
		holds, err := newPredicate(t, c)
		if err != nil {
			return fmt.Errorf("where[%d]: %w", i, err)
		}
		t.rows = slices.DeleteFunc(t.rows, func(row []cell) bool { return !holds(row) })
	}
	return nil
}

// sortRows keeps the order of rows that the keys do not tell apart. Cells without a value come last.
func sortRows(t *table, keys []Key) error {
	columns := make([]int, len(keys))
	for i, key := range keys {
		var err error
		if columns[i], err = t.find(key.Column); err != nil {
			return fmt.Errorf("sort[%d]: %w", i, err)
		}
	}
	slices.SortStableFunc(t.rows, func(a, b []cell) int {
		for i, key := range keys {
			if n := key.order(t.columns[columns[i]], a[columns[i]], b[columns[i]]); n != 0 {
				return n
			}
		}
		return 0
	})
	return nil
}

func (k Key) order(col column, a, b cell) int {
	switch {
	case a.empty() && b.empty():
		return 0
	case a.empty():
		return 1
	case b.empty():
		return -1
	case k.Descending:
		return order(col, b, a)
	}
	return order(col, a, b)
}

func newAnswer(t *table, matched, more int) Answer {
	a := Answer{Columns: []string{}, Rows: [][]Value{}, Matched: matched, More: more}
	for _, c := range t.columns {
		a.Columns = append(a.Columns, c.name)
	}
	for _, row := range t.rows {
		values := make([]Value, len(row))
		for i, c := range row {
			values[i] = Value{c.text, t.columns[i].numeric}
		}
		a.Rows = append(a.Rows, values)
	}
	return a
}

// Value is a text, a number, or the empty text for no value.
type Value struct {
	text    string
	numeric bool // in JSON it is a number, or null where there is no text
}

func (v Value) cell() cell { return newCell(v.text) }

// UnmarshalJSON takes a string or a number.
func (v *Value) UnmarshalJSON(data []byte) error {
	if text := string(data); isNumber(text) {
		*v = Value{text, true}
		return nil
	}
	*v = Value{}
	if strings.HasPrefix(string(data), `"`) {
		return json.Unmarshal(data, &v.text)
	}
	return fmt.Errorf("%s is neither a text nor a number", data)
}

// MarshalJSON writes a number as it stands in the data.
func (v Value) MarshalJSON() ([]byte, error) {
	switch {
	case !v.numeric:
		return json.Marshal(v.text)
	case v.text == "":
		return []byte("null"), nil
	}
	return []byte(v.text), nil
}
