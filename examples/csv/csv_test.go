package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/examples/internal/exampletest"
	"github.com/wasmtools/wasmtools/internal/readmetest"
)

func TestREADME(t *testing.T) { readmetest.Run(t, "examples/csv/README.md") }

// TestModule calls the built module.
func TestModule(t *testing.T) {
	module := exampletest.Load(t, "csv.wasm", nil)

	t.Run("refused", func(t *testing.T) {
		require.Contains(t, module.Refused("query", `{"data":"a,b\n1,2\n","select":["c"]}`), `there is no column "c"; the columns are "a", "b"`)
		require.Contains(t, module.Refused("query", `{"data":""}`), "data is empty")
		for _, args := range []string{
			`{}`,
			`{"data":"a\n","limit":0}`,
			`{"data":"a\n","where":[{"column":"a","op":"like","value":1}]}`,
			`{"data":"a\n","where":[{"column":"a","op":"eq","value":true}]}`,
			`{"data":"a\n","where":[{"column":"a","op":"in","values":[[1]]}]}`,
			`{"data":"a\n","aggregate":[{"op":"mode","column":"a"}]}`,
			`{"data":"a\n","sort":[{"column":"a","descending":"yes"}]}`,
		} {
			module.Refused("query", args)
		}
	})

	t.Run("values keep their form", func(t *testing.T) {
		require.JSONEq(t, `{"columns":["zip","n","city"],"rows":[["01067",1.50,"Dresden <\"A\">"],["80331",null,""]],"matched":2,"more":0}`,
			module.Text("query", `{"data":"zip,n,city\n01067,1.50,\"Dresden <\"\"A\"\">\"\n80331,,\n"}`))
		require.Contains(t, module.Text("query", `{"data":"n\n1.50\n"}`), `[[1.50]]`)
	})

	t.Run("orders", func(t *testing.T) {
		data, err := os.ReadFile("orders.csv")
		require.NoError(t, err)
		args, err := json.Marshal(map[string]any{
			"data":      string(data),
			"where":     []any{map[string]any{"column": "rating", "op": "le", "value": 2}},
			"group_by":  []string{"product"},
			"aggregate": []any{map[string]any{"op": "count", "as": "complaints"}},
			"sort":      []any{map[string]any{"column": "complaints", "descending": true}, map[string]any{"column": "product"}},
			"limit":     3,
		})
		require.NoError(t, err)
		var q Query
		require.NoError(t, json.Unmarshal(args, &q))
		want, err := answer(q)
		require.NoError(t, err)
		text, err := json.Marshal(want)
		require.NoError(t, err)
		require.Equal(t, string(text), module.Text("query", string(args)), "what Go says and what the module says")
	})
}
