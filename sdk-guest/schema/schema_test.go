package schema_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/invopop/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/sdk-guest/schema"
)

type color string

func (color) Enum() []string { return []string{"RED", "GREEN"} }

type set[T comparable] []T

func (set[T]) UniqueItems()                 {}
func (*set[T]) UnmarshalJSON([]byte) error  { return nil }
func (set[T]) MarshalJSON() ([]byte, error) { return []byte("[]"), nil }

type maybe[T any] struct{ _ *T }

func (maybe[T]) SchemaAlias() reflect.Type { return reflect.TypeFor[T]() }

type point struct {
	_ struct{} `jsonschema_description:"A point, in space & time <here>."`
	X float64  `json:"x"`
	Y float64  `json:"y"`
}

type node struct {
	Value    string  `json:"value"`
	Children []*node `json:"children,omitempty"`
}

type ping struct {
	Pong *pong `json:"pong,omitempty"`
}

type pong struct {
	Ping *ping `json:"ping,omitempty"`
}

type base struct {
	ID string `json:"id"`
}

type custom struct{}

func (custom) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: "^a+$"}
}

type extended struct {
	A string `json:"a"`
}

func (extended) JSONSchemaExtend(s *jsonschema.Schema) { s.Title = "Extended" }

type extendedByPointer struct {
	A string `json:"a"`
}

func (*extendedByPointer) JSONSchemaExtend(s *jsonschema.Schema) { s.Title = "Extended" }

type blank struct{}

func (blank) JSONSchema() *jsonschema.Schema { return nil }

type pair[A, B any] struct {
	A A `json:"a"`
	B B `json:"b"`
}

// required is the schema of a struct with the one parameter p.
func required(p string) string {
	return `{"type":"object","properties":{"p":` + p + `},"required":["p"],"additionalProperties":false}`
}

func optional(p string) string {
	return `{"type":"object","properties":{"p":` + p + `},"required":[],"additionalProperties":false}`
}

func param[T any]() reflect.Type {
	return reflect.TypeFor[struct {
		P T `json:"p"`
	}]()
}

// What a point has in its schema.
const (
	xy   = `"properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"],"additionalProperties":false`
	spot = `"description":"A point, in space & time <here>."`
)

// inputTest is a type and its schema.
type inputTest struct {
	typ  reflect.Type
	want string
}

func testInput(t *testing.T, tests map[string]inputTest) {
	t.Helper()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := schema.Input(test.typ, false)
			require.NoError(t, err)
			require.JSONEq(t, test.want, string(got))
			again, err := schema.Input(test.typ, false)
			require.NoError(t, err)
			require.Equal(t, string(got), string(again), "must be the same at every call")
		})
	}
}

func TestInputScalars(t *testing.T) {
	testInput(t, map[string]inputTest{
		"A3-35 A2-21 no parameters": {reflect.TypeFor[struct{}](), `{"type":"object","properties":{},"required":[],"additionalProperties":false}`},
		"A3-26 bool":                {param[bool](), required(`{"type":"boolean"}`)},
		"A3-26 string":              {param[string](), required(`{"type":"string"}`)},
		"T4 int8":                   {param[int8](), required(`{"type":"integer","minimum":-128,"maximum":127}`)},
		"T4 int16":                  {param[int16](), required(`{"type":"integer","minimum":-32768,"maximum":32767}`)},
		"T4 int32":                  {param[int32](), required(`{"type":"integer","minimum":-2147483648,"maximum":2147483647}`)},
		"T4 int64":                  {param[int64](), required(`{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}`)},
		"T4 uint8":                  {param[uint8](), required(`{"type":"integer","minimum":0,"maximum":255}`)},
		"T4 uint16":                 {param[uint16](), required(`{"type":"integer","minimum":0,"maximum":65535}`)},
		"T4 uint32":                 {param[uint32](), required(`{"type":"integer","minimum":0,"maximum":4294967295}`)},
		"T4 uint64":                 {param[uint64](), required(`{"type":"integer","minimum":0,"maximum":18446744073709551615}`)},
		"T4 float32":                {param[float32](), required(`{"type":"number","minimum":-3.4028235e+38,"maximum":3.4028235e+38}`)},
		"T4 float64":                {param[float64](), required(`{"type":"number"}`)},
		"T4 bigint":                 {param[*big.Int](), required(`{"type":"integer"}`)},
		"T4 decimal":                {param[json.Number](), required(`{"type":"number"}`)},
		"T4 boxed stays required":   {param[*bool](), required(`{"type":"boolean"}`)},
		"T5 enum type":              {param[color](), required(`{"type":"string","enum":["RED","GREEN"]}`)},
	})
}

func TestInputTypes(t *testing.T) {
	testInput(t, map[string]inputTest{
		"time":                    {param[time.Time](), required(`{"type":"string","format":"date-time"}`)},
		"text":                    {param[netip.Addr](), required(`{"type":"string"}`)},
		"bytes":                   {param[[]byte](), required(`{"type":"string","contentEncoding":"base64"}`)},
		"any":                     {param[any](), required(`true`)},
		"raw":                     {param[json.RawMessage](), required(`true`)},
		"T6 list":                 {param[[]string](), required(`{"type":"array","items":{"type":"string"}}`)},
		"array":                   {param[[2]bool](), required(`{"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":2}`)},
		"T6 set of enum":          {param[set[color]](), required(`{"type":"array","items":{"type":"string","enum":["RED","GREEN"]},"uniqueItems":true}`)},
		"A3-31 map":               {param[map[string]bool](), required(`{"type":"object","additionalProperties":{"type":"boolean"}}`)},
		"A3-31 map of enum":       {param[map[color]bool](), required(`{"type":"object","propertyNames":{"type":"string","enum":["RED","GREEN"]},"additionalProperties":{"type":"boolean"}}`)},
		"map of int keys":         {param[map[int]bool](), required(`{"type":"object","propertyNames":{"pattern":"^-?[0-9]+$"},"additionalProperties":{"type":"boolean"}}`)},
		"T6 optional":             {param[maybe[bool]](), optional(`{"type":"boolean"}`)},
		"custom":                  {param[custom](), required(`{"type":"string","pattern":"^a+$"}`)},
		"extended":                {reflect.TypeFor[extended](), `{"title":"Extended","type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`},
		"extended by pointer":     {reflect.TypeFor[extendedByPointer](), `{"title":"Extended","type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`},
		"custom without a schema": {param[blank](), required(`true`)},
		"map as root":             {reflect.TypeFor[map[string]bool](), `{"type":"object","properties":{},"required":[],"additionalProperties":{"type":"boolean"}}`},
	})
}

func TestInputFields(t *testing.T) {
	testInput(t, map[string]inputTest{
		"A3-29 struct description": {param[point](), required(`{"type":"object",` + xy + `,` + spot + `}`)},
		"A3-29 A1-10 descriptions": {reflect.TypeFor[struct {
			A string `json:"a" jsonschema:"description=one\\, two <b>"`
			B string `json:"b" jsonschema_description:"first, \"x\"\nsecond \\u003c"`
			P point  `json:"p" jsonschema_description:"Where."`
		}](), `{"type":"object","properties":{"a":{"type":"string","description":"one, two <b>"},"b":{"type":"string","description":"first, \"x\"\nsecond \\u003c"},` +
			`"p":{"type":"object",` + xy + `,"description":"Where."}},"required":["a","b","p"],"additionalProperties":false}`},
		"A3-28 constraints": {reflect.TypeFor[struct {
			S string   `json:"s" jsonschema:"pattern=^[a-z]{1\\,3}$,minLength=1,maxLength=3,format=hostname"`
			N int8     `json:"n" jsonschema:"minimum=1,maximum=9,multipleOf=2"`
			F float64  `json:"f" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1"`
			L []string `json:"l" jsonschema:"minItems=1,maxItems=3,uniqueItems=true,enum=a,enum=b"`
			E string   `json:"e" jsonschema:"enum=a,enum=b"`
		}](), `{"type":"object","properties":{"s":{"type":"string","pattern":"^[a-z]{1,3}$","minLength":1,"maxLength":3,"format":"hostname"},` +
			`"n":{"type":"integer","minimum":1,"maximum":9,"multipleOf":2},"f":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1},` +
			`"l":{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":3,"uniqueItems":true},"e":{"type":"string","enum":["a","b"]}},` +
			`"required":["s","n","f","l","e"],"additionalProperties":false}`},
		"A3-32 A3-33 optional": {reflect.TypeFor[struct {
			A string `json:"a,omitempty"`
			B *int8  `json:"b,omitzero"`
			C struct {
				D []string `json:"d,omitempty"`
				E string   `json:"e"`
			} `json:"c"`
			F int8 `json:"f,omitempty" jsonschema:"required"`
		}](), `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer","minimum":-128,"maximum":127},` +
			`"c":{"type":"object","properties":{"d":{"type":"array","items":{"type":"string"}},"e":{"type":"string"}},"required":["e"],"additionalProperties":false},` +
			`"f":{"type":"integer","minimum":-128,"maximum":127}},"required":["c","f"],"additionalProperties":false}`},
		"T11 defaults": {reflect.TypeFor[struct {
			S string    `json:"s" jsonschema:"default=7"`
			N int8      `json:"n,omitempty" jsonschema:"default=7"`
			B *bool     `json:"b" jsonschema:"default=true"`
			L []int8    `json:"l" jsonschema:"default=1,default=2"`
			J []string  `json:"j" jsonschema:"default=[]"`
			P point     `json:"p" jsonschema:"default={\"x\":1\\,\"y\":2}"`
			T time.Time `json:"t" jsonschema:"default=2024-01-02T03:04:05Z"`
		}](), `{"type":"object","properties":{"s":{"type":"string","default":"7"},"n":{"type":"integer","minimum":-128,"maximum":127,"default":7},` +
			`"b":{"type":"boolean","default":true},"l":{"type":"array","items":{"type":"integer","minimum":-128,"maximum":127},"default":[1,2]},` +
			`"j":{"type":"array","items":{"type":"string"},"default":[]},"p":{"type":"object",` + xy + `,` + spot + `,"default":{"x":1,"y":2}},` +
			`"t":{"type":"string","format":"date-time","default":"2024-01-02T03:04:05Z"}},"required":[],"additionalProperties":false}`},
	})
}

func TestInputStructs(t *testing.T) {
	testInput(t, map[string]inputTest{
		"embedded and hidden": {reflect.TypeFor[struct {
			base
			Secret string `json:"-"`
			hidden string
			Other  string `jsonschema:"-"`
		}](), `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false}`},
		"A3-34 recursive": {reflect.TypeFor[node](), `{"type":"object","properties":{"value":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},` +
			`"required":["value"],"additionalProperties":false,"$defs":{"node":{"type":"object","properties":{"value":{"type":"string"},` +
			`"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["value"],"additionalProperties":false}}}`},
		"A3-34 mutually recursive": {param[ping](), `{"type":"object","properties":{"p":{"$ref":"#/$defs/ping"}},"required":["p"],"additionalProperties":false,` +
			`"$defs":{"ping":{"type":"object","properties":{"pong":{"type":"object","properties":{"ping":{"$ref":"#/$defs/ping"}},"additionalProperties":false}},"additionalProperties":false}}}`},
		"shared": {param[pair[point, point]](), `{"type":"object","properties":{"p":{"type":"object","properties":{"a":{"$ref":"#/$defs/point"},"b":{"$ref":"#/$defs/point"}},` +
			`"required":["a","b"],"additionalProperties":false}},"required":["p"],"additionalProperties":false,"$defs":{"point":{"type":"object",` + xy + `,` + spot + `}}}`},
	})
}

func TestNoHTMLEscapes(t *testing.T) { // A1-10
	got, err := schema.Input(reflect.TypeFor[point](), false)
	require.NoError(t, err)
	require.Contains(t, string(got), `"A point, in space & time <here>."`)
}

func TestSameNamesDoNotCollide(t *testing.T) {
	type both struct {
		A, B pair[bool, bool]
		C, D pair[string, string]
	}
	got, err := schema.Input(reflect.TypeFor[both](), false)
	require.NoError(t, err)
	var s struct {
		Defs map[string]any `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(got, &s))
	require.Len(t, s.Defs, 2)
	require.Contains(t, s.Defs, "pair")
	require.Contains(t, s.Defs, "pair2")
}

func TestInputOpen(t *testing.T) { // A6-59
	got, err := schema.Input(param[base](), true)
	require.NoError(t, err)
	require.JSONEq(t, `{"type":"object","properties":{"p":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false}},"required":["p"]}`, string(got))
}

type selfish struct{ *selfish }

func TestInputRefuses(t *testing.T) {
	tests := map[string]struct {
		typ  reflect.Type
		want string
	}{
		"root":               {reflect.TypeFor[string](), `arguments of type string: must be a struct or a map`},
		"channel":            {param[chan int](), `parameter "p": type chan int has no JSON form`},
		"function in a list": {param[[]func()](), `parameter "p[]": type func() has no JSON form`},
		"complex in a map":   {param[map[string]complex64](), `parameter "p{}": type complex64 has no JSON form`},
		"interface":          {param[error](), `parameter "p": type error has no JSON form`},
		"nested":             {param[pair[string, chan int]](), `parameter "p.b": type chan int has no JSON form`},
		"keys":               {param[map[float64]string](), `parameter "p": type map[float64]string: JSON has no such keys`},
		"embedding":          {reflect.TypeFor[selfish](), `parameter: type schema_test.selfish embeds itself`},
		"twice": {reflect.TypeFor[struct {
			base
			ID string `json:"id"`
		}](), `two fields "id"`},
		"string option": {reflect.TypeFor[struct {
			N int `json:"n,string"`
		}](), `field "n": the json options string and inline are not supported`},
		"T11 optional bool": {reflect.TypeFor[struct {
			P bool `json:"p,omitempty"`
		}](), `parameter "p": optional, but a bool cannot show that it is absent`},
		"T11 optional number": {reflect.TypeFor[struct {
			P float64 `json:"p,omitzero"`
		}](), `parameter "p": optional, but a float64 cannot show`},
		"T11 optional nested": {param[struct {
			Q int `json:"q,omitempty"`
		}](), `parameter "p.q": optional, but a int`},
		"T11 default on optional": {reflect.TypeFor[struct {
			P maybe[int] `json:"p" jsonschema:"default=1"`
		}](), `parameter "p": a default is not possible on`},
		"T11 default type": {reflect.TypeFor[struct {
			P int8 `json:"p" jsonschema:"default=banana"`
		}](), `parameter "p": default ["banana"]`},
		"T11 default width": {reflect.TypeFor[struct {
			P int8 `json:"p" jsonschema:"default=128"`
		}](), `parameter "p": default ["128"]`},
		"T11 default range": {reflect.TypeFor[struct {
			P int8 `json:"p" jsonschema:"default=7,maximum=5"`
		}](), `parameter "p": default: is 7, the maximum is 5`},
		"T11 default pattern": {reflect.TypeFor[struct {
			P string `json:"p" jsonschema:"default=b,pattern=^a$"`
		}](), `parameter "p": default: does not match`},
		"T11 default length": {reflect.TypeFor[struct {
			P string `json:"p" jsonschema:"default=b,minLength=2"`
		}](), `parameter "p": default: has length 1, the minLength is 2`},
		"T11 default enum": {reflect.TypeFor[struct {
			P color `json:"p" jsonschema:"default=BLUE"`
		}](), `parameter "p": default: must be one of [RED GREEN]`},
		"T11 default items": {reflect.TypeFor[struct {
			P []int8 `json:"p" jsonschema:"default=1,default=x"`
		}](), `parameter "p": default ["1" "x"]`},
		"T11 default date": {reflect.TypeFor[struct {
			P time.Time `json:"p" jsonschema:"default=banana"`
		}](), `parameter "p": default ["banana"]`},
		"T11 default object": {reflect.TypeFor[struct {
			P base `json:"p" jsonschema:"default={}"`
		}](), `parameter "p": default: "id": is missing or null`},
		"T11 default nested": {param[[]struct {
			Q bool `json:"q" jsonschema:"default=yes"`
		}](), `parameter "p[].q": default ["yes"]`},
		"tag that means nothing": {reflect.TypeFor[struct {
			P bool `json:"p" jsonschema:"minimum=1"`
		}](), `parameter "p": jsonschema tag "minimum" has no meaning here`},
		"comma in a description": {reflect.TypeFor[struct {
			P bool `json:"p" jsonschema:"description=a, b"`
		}](), `parameter "p": jsonschema tag " b" has no meaning here; a comma inside a value is written \\,`},
		"tag value": {reflect.TypeFor[struct {
			P int8 `json:"p" jsonschema:"minimum=one"`
		}](), `parameter "p": jsonschema tag "minimum": "one" is not a value for it`},
		"tag count": {reflect.TypeFor[struct {
			P string `json:"p" jsonschema:"maxLength=-1"`
		}](), `parameter "p": jsonschema tag "maxLength": "-1"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := schema.Input(test.typ, false)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestOutput(t *testing.T) {
	null := func(s string) string { return `{"anyOf":[` + s + `,{"type":"null"}]}` }
	tests := map[string]struct {
		typ  reflect.Type
		want string
	}{
		"number":         {reflect.TypeFor[float64](), `{"type":"number"}`},
		"enum":           {reflect.TypeFor[color](), `{"type":"string","enum":["RED","GREEN"]}`},
		"set":            {reflect.TypeFor[set[string]](), `{"type":"array","items":{"type":"string"},"uniqueItems":true}`},
		"nil list":       {reflect.TypeFor[[]string](), null(`{"type":"array","items":{"type":"string"}}`)},
		"nil map":        {reflect.TypeFor[map[string]*bool](), null(`{"type":"object","additionalProperties":` + null(`{"type":"boolean"}`) + `}`)},
		"T7 nil pointer": {reflect.TypeFor[*base](), null(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)},
		"T7 null field": {reflect.TypeFor[struct {
			A *string     `json:"a"`
			B *string     `json:"b,omitempty"`
			C maybe[bool] `json:"c"`
			N int8        `json:"n,omitempty"`
		}](), `{"type":"object","properties":{"a":` + null(`{"type":"string"}`) + `,"b":{"type":"string"},"c":` + null(`{"type":"boolean"}`) +
			`,"n":{"type":"integer","minimum":-128,"maximum":127}},"required":["a","c"]}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := schema.Output(test.typ)
			require.NoError(t, err)
			require.JSONEq(t, test.want, string(got))
		})
	}
	_, err := schema.Output(reflect.TypeFor[pair[string, chan int]]())
	require.EqualError(t, err, `result "b": type chan int has no JSON form`)
	any, err := schema.Output(reflect.TypeFor[any]())
	require.NoError(t, err)
	require.Empty(t, any)
}
