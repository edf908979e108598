package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

const people = "name,city,age,score\n" +
	"Ada,London,36,1.10\n" +
	"Bob,paris,,2.20\n" +
	"Cyd,Paris,9,\n" +
	"Dan,London,100,3.30\n" +
	"Eve,,9,-0.5\n"

// ask decodes a query as the SDK would and returns the answer as JSON.
func ask(t *testing.T, data, query string) (string, error) {
	t.Helper()
	q := Query{Data: data, Limit: 100}
	require.NoError(t, json.Unmarshal([]byte(query), &q))
	got, err := answer(q)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(got)
	require.NoError(t, err)
	return string(text), nil
}

func TestAnswerErrors(t *testing.T) {
	const columns = `the columns are "name", "city", "age", "score"`
	for name, test := range map[string]struct{ query, err string }{
		"where":               {`{"where":[{"column":"Age","op":"eq","value":1}]}`, `where[0]: there is no column "Age"; ` + columns},
		"group_by":            {`{"group_by":["x"]}`, `group_by: there is no column "x"; ` + columns},
		"aggregate":           {`{"aggregate":[{"op":"count"},{"op":"sum","column":"x"}]}`, `aggregate[1]: there is no column "x"; ` + columns},
		"sort":                {`{"sort":[{"column":"x"}]}`, `sort[0]: there is no column "x"; ` + columns},
		"select":              {`{"select":["name","x"]}`, `select: there is no column "x"; ` + columns},
		"sort after grouping": {`{"group_by":["city"],"sort":[{"column":"age"}]}`, `sort[0]: there is no column "age"; the columns are "city"`},
		"no value":            {`{"where":[{"column":"age","op":"lt"}]}`, `where[0]: column "age": op "lt" needs a value and no values`},
		"values":              {`{"where":[{"column":"age","op":"eq","value":1,"values":[1]}]}`, `op "eq" needs a value and no values`},
		"in without values":   {`{"where":[{"column":"age","op":"in","value":1}]}`, `op "in" needs values and no value`},
		"in with both":        {`{"where":[{"column":"age","op":"in","value":1,"values":[1]}]}`, `op "in" needs values and no value`},
		"number and text":     {`{"where":[{"column":"age","op":"gt","value":"old"}]}`, `column "age" holds numbers: op "gt" needs a number, not "old"`},
		"an unknown op":       {`{"where":[{"column":"age","op":"like","value":"x"}]}`, `op "like" is not known`},
		"an unknown aggregate": {`{"aggregate":[{"op":"mode","column":"age"}]}`,
			`aggregate[0]: op "mode" is not known`},
		"a sum of texts":      {`{"aggregate":[{"op":"sum","column":"city"}]}`, `column "city" does not hold numbers only: op "sum" needs numbers`},
		"a sum of nothing":    {`{"aggregate":[{"op":"sum"}]}`, `op "sum" needs a column`},
		"two columns alike":   {`{"group_by":["city"],"aggregate":[{"op":"count","as":"city"}]}`, `two columns "city" in the result`},
		"two aggregates same": {`{"aggregate":[{"op":"count"},{"op":"count"}]}`, `aggregate[1]: there are two columns "count"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ask(t, people, test.query)
			require.ErrorContains(t, err, test.err)
		})
	}

	_, err := ask(t, "n\n1e308\n1e308\n", `{"aggregate":[{"op":"sum","column":"n"}]}`)
	require.ErrorIs(t, err, errOverflow)

	for _, value := range []string{"true", "[]", "{}"} {
		var v Value
		require.Error(t, json.Unmarshal([]byte(value), &v), value)
	}
}

func TestWhere(t *testing.T) {
	for where, want := range map[string]string{
		`{"column":"age","op":"lt","value":36}`:              `[["Cyd"],["Eve"]]`,
		`{"column":"age","op":"le","value":"36.0"}`:          `[["Ada"],["Cyd"],["Eve"]]`,
		`{"column":"age","op":"gt","value":9}`:               `[["Ada"],["Dan"]]`,
		`{"column":"age","op":"ge","value":9}`:               `[["Ada"],["Cyd"],["Dan"],["Eve"]]`,
		`{"column":"age","op":"eq","value":9.0}`:             `[["Cyd"],["Eve"]]`,
		`{"column":"age","op":"ne","value":9}`:               `[["Ada"],["Bob"],["Dan"]]`,
		`{"column":"age","op":"eq","value":""}`:              `[["Bob"]]`,
		`{"column":"age","op":"eq","value":"nine"}`:          `[]`,
		`{"column":"age","op":"contains","value":0}`:         `[["Dan"]]`,
		`{"column":"age","op":"in","values":[36,"100",7]}`:   `[["Ada"],["Dan"]]`,
		`{"column":"city","op":"eq","value":"Paris"}`:        `[["Cyd"]]`,
		`{"column":"city","op":"gt","value":"London"}`:       `[["Bob"],["Cyd"]]`,
		`{"column":"city","op":"lt","value":"a"}`:            `[["Ada"],["Cyd"],["Dan"]]`,
		`{"column":"city","op":"contains","value":"ari"}`:    `[["Bob"],["Cyd"]]`,
		`{"column":"city","op":"in","values":["London",""]}`: `[["Ada"],["Dan"],["Eve"]]`,
		`{"column":"city","op":"ge","value":"M"},` +
			`{"column":"score","op":"gt","value":2}`: `[["Bob"]]`,
	} {
		t.Run(where, func(t *testing.T) {
			got, err := ask(t, people, `{"select":["name"],"where":[`+where+`]}`)
			require.NoError(t, err)
			require.Contains(t, got, `"rows":`+want)
		})
	}
}

func TestAnswer(t *testing.T) {
	for name, test := range map[string]struct{ query, want string }{
		"everything": {`{"limit":2}`, `{"columns":["name","city","age","score"],` +
			`"rows":[["Ada","London",36,1.10],["Bob","paris",null,2.20]],"matched":5,"more":3}`},
		"nothing matches": {`{"where":[{"column":"name","op":"eq","value":"x"}]}`,
			`{"columns":["name","city","age","score"],"rows":[],"matched":0,"more":0}`},
		"sort with ties and gaps": {`{"select":["name","age"],"sort":[{"column":"age","descending":true},{"column":"name"}]}`,
			`{"columns":["name","age"],"rows":[["Dan",100],["Ada",36],["Cyd",9],["Eve",9],["Bob",null]],"matched":5,"more":0}`},
		"sort by what is not selected": {`{"select":["name"],"sort":[{"column":"score"}],"limit":2}`,
			`{"columns":["name"],"rows":[["Eve"],["Ada"]],"matched":5,"more":3}`},
		"aggregates of all rows": {`{"aggregate":[{"op":"count"},{"op":"count","column":"age"},{"op":"sum","column":"score"},` +
			`{"op":"avg","column":"age"},{"op":"median","column":"age"},{"op":"min","column":"score"},{"op":"max","column":"city","as":"last"}]}`,
			`{"columns":["count","count_age","sum_score","avg_age","median_age","min_score","last"],` +
				`"rows":[[5,4,6.1,38.5,22.5,-0.5,"paris"]],"matched":5,"more":0}`},
		"aggregates of no rows": {`{"where":[{"column":"name","op":"eq","value":"x"}],"aggregate":[{"op":"count"},` +
			`{"op":"sum","column":"age"},{"op":"avg","column":"age"},{"op":"max","column":"age"}]}`,
			`{"columns":["count","sum_age","avg_age","max_age"],"rows":[[0,0,null,null]],"matched":0,"more":0}`},
		"groups of no rows": {`{"where":[{"column":"name","op":"eq","value":"x"}],"group_by":["city"],"aggregate":[{"op":"count"}]}`,
			`{"columns":["city","count"],"rows":[],"matched":0,"more":0}`},
		"groups, sorted and cut": {`{"group_by":["city"],"aggregate":[{"op":"count"},{"op":"avg","column":"score"}],` +
			`"sort":[{"column":"count","descending":true},{"column":"city"}],"limit":2}`,
			`{"columns":["city","count","avg_score"],"rows":[["London",2,2.2],["Paris",1,null]],"matched":5,"more":2}`},
		"distinct values": {`{"group_by":["age"],"select":["age"]}`,
			`{"columns":["age"],"rows":[[36],[null],[9],[100]],"matched":5,"more":0}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ask(t, people, test.query)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

func TestSum(t *testing.T) {
	for data, want := range map[string]string{
		"n\n0.1\n0.2\n":                     "0.3",
		"n\n0.1\n0.2\n1e0\n":                "1.3",
		"n\n9007199254740993\n1\n":          "9007199254740992", // a float64 can do no better
		"n\n1e16\n1\n-1e16\n":               "1",
		"n\n1e-7\n":                         "0.0000001",
		"n\n123456789012345678901234\n":     "123456789012345690000000",
		"n\n-5\n5\n":                        "0",
		"n\n0.12345678901234567\n0.1\n":     "0.22345678901234567",
		"n\n100000000000000000.25\n0.5\n":   "100000000000000000",
		"n\n4503599627370495.5\n0.5\n0.5\n": "4503599627370496",
	} {
		got, err := ask(t, data, `{"aggregate":[{"op":"sum","column":"n"}]}`)
		require.NoError(t, err)
		require.Contains(t, got, `"rows":[[`+want+`]]`, data)
	}
}

// TestOrders compares with sums that were made with exact decimals.
func TestOrders(t *testing.T) {
	data, err := os.ReadFile("orders.csv")
	require.NoError(t, err)
	got, err := ask(t, string(data), `{"where":[{"column":"status","op":"eq","value":"paid"}],"group_by":["country"],`+
		`"aggregate":[{"op":"sum","column":"amount"}],"sort":[{"column":"country"}]}`)
	require.NoError(t, err)
	require.Equal(t, `{"columns":["country","sum_amount"],"rows":[["Austria",21250.5],["France",44205.7],["Germany",66483.3],`+
		`["Italy",21206.6],["Poland",22399.8],["Spain",20407],["Sweden",24170.8]],"matched":4727,"more":0}`, got)
}
