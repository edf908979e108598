package schema_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/sdk-guest/schema"
)

type inner struct {
	N int8   `json:"n" jsonschema:"default=7"`
	S string `json:"s,omitempty"`
}

type outer struct {
	A    string           `json:"a" jsonschema:"default=x"`
	One  inner            `json:"one,omitzero"`
	Obj  inner            `json:"obj" jsonschema:"default={}"`
	Many []inner          `json:"many,omitempty"`
	Map  map[string]inner `json:"map,omitempty"`
	Opt  maybe[inner]     `json:"opt"`
	Next *outer           `json:"next,omitempty"`
	List []string         `json:"list" jsonschema:"default=p,default=q"`
}

func TestDefaults(t *testing.T) {
	const obj, list = `"obj":{"n":7}`, `"list":["p","q"]`
	tests := map[string]struct{ in, want string }{
		"T11 absent":         {`{}`, `{"a":"x",` + obj + `,` + list + `}`},
		"T11 null":           {`{"a":null,"obj":null,"list":null}`, `{"a":"x",` + obj + `,` + list + `}`},
		"T11 given":          {`{"a":"","obj":{"n":0},"list":[]}`, `{"a":"","obj":{"n":0},"list":[]}`},
		"T6 bad value stays": {`{"a":5,"obj":{"n":"banana"},"list":3}`, `error`},
		"nested":             {`{"one":{},"opt":{"n":null}}`, `{"a":"x","one":{"n":7},` + obj + `,"opt":{"n":7},` + list + `}`},
		"elements":           {`{"many":[{},{"n":1},{"s":"b"}]}`, `{"a":"x",` + obj + `,"many":[{"n":7},{"n":1},{"n":7,"s":"b"}],` + list + `}`},
		"map values":         {`{"map":{"k\"<":{}}}`, `{"a":"x",` + obj + `,"map":{"k\"<":{"n":7}},` + list + `}`},
		"recursive":          {`{"next":{"a":"y"}}`, `{"a":"x",` + obj + `,"next":{"a":"y",` + obj + `,` + list + `},` + list + `}`},
		"T6 other case":      {`{"A":"evil","Obj":{"n":3}}`, `{"a":"x",` + obj + `,` + list + `}`},
		"not an object":      {`[]`, `error`},
	}
	d := schema.NewDefaults(reflect.TypeFor[outer](), false)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := d.Apply([]byte(test.in))
			if test.want == "error" {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			require.JSONEq(t, test.want, string(got))
		})
	}
}

func TestDefaultsExactNames(t *testing.T) { // T6, A6-59
	in := []byte(`{"A":"evil","s":"b","zzz":1}`)
	got, err := schema.NewDefaults(reflect.TypeFor[struct {
		A string `json:"a,omitempty"`
		S string `json:"s"`
	}](), true).Apply(in)
	require.NoError(t, err)
	require.JSONEq(t, `{"s":"b"}`, string(got))

	got, err = schema.NewDefaults(reflect.TypeFor[base](), false).Apply(in)
	require.NoError(t, err)
	require.Equal(t, in, got, "nothing to do")

	var none *schema.Defaults
	got, err = none.Apply(in)
	require.NoError(t, err)
	require.Equal(t, in, got)
}

func FuzzDefaults(f *testing.F) {
	f.Add(`{"one":{},"many":[{},null],"map":{"a":{}},"next":{"A":1}}`)
	f.Add(`{"a":null}`)
	d := schema.NewDefaults(reflect.TypeFor[outer](), true)
	f.Fuzz(func(t *testing.T, in string) {
		got, err := d.Apply([]byte(in))
		if err != nil {
			return
		}
		require.True(t, json.Valid(got), "%q became %q", in, got)
		again, err := d.Apply(got)
		require.NoError(t, err)
		require.JSONEq(t, string(got), string(again), "must change nothing the second time")
	})
}
