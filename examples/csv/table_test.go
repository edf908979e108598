package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadTable(t *testing.T) {
	for name, test := range map[string]struct{ data, err string }{
		"nothing":            {"", "data is empty: its first line must name the columns"},
		"blank lines":        {"\n\n", "data is empty"},
		"no name":            {"a,,b\n", `unique and not empty: "a", "", "b"`},
		"a name twice":       {"a,b,a\n", `unique and not empty: "a", "b", "a"`},
		"a cell too many":    {"a,b\n1,2\n1,2,3\n", "record on line 3: wrong number of fields"},
		"a cell missing":     {"a,b\n1\n", "record on line 2: wrong number of fields"},
		"an unclosed quote":  {"a\n\"x\n", "parse error on line"},
		"a quote in a field": {"a\nx\"y\n", `bare " in non-quoted`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readTable(test.data)
			require.ErrorContains(t, err, test.err)
		})
	}

	table, err := readTable("\ufeffa,b,c,d\r\n1,\"x, \"\"y\"\"\nz\",,\r\n-2.50,007,,1e999\r\n")
	require.NoError(t, err)
	require.Equal(t, []column{{"a", true}, {"b", false}, {"c", true}, {"d", false}}, table.columns)
	require.Len(t, table.rows, 2)
	require.Equal(t, cell{"x, \"y\"\nz", 0, false}, table.rows[0][1])
	require.Equal(t, cell{"-2.50", -2.5, true}, table.rows[1][0])
	require.False(t, table.rows[1][3].valid, "out of range")
}

func FuzzReadTable(f *testing.F) {
	f.Add("a,b\n1,x\n")
	f.Add("\ufeffa\n\"\n\"\n")
	f.Fuzz(func(t *testing.T, data string) {
		got, err := answer(Query{Data: data, Limit: 1000})
		if err != nil {
			return
		}
		text, err := json.Marshal(got)
		require.NoError(t, err)
		require.True(t, json.Valid(text))
		for _, row := range got.Rows {
			require.Len(t, row, len(got.Columns))
		}
	})
}

func FuzzIsNumber(f *testing.F) {
	for _, seed := range []string{"0", "-0.0", "1e5", "1.5E-3", "007", "1.", ".5", "1e", "+1", "0x1", "1_0", "NaN", "", "-", "1ee5", "1e+"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var number json.Number
		want := text != "" && text[0] != ' ' && json.Unmarshal([]byte(text), &number) == nil && string(number) == text
		require.Equal(t, want, isNumber(text), "%q", text)
	})
}
