package schemaview

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCoerce holds the rules of key=value (T22): JSON where the schema takes that type, a list where only a list fits, and
// text otherwise.
func TestCoerce(t *testing.T) {
	for _, c := range []struct{ schema, text, want string }{
		{`{"type":"string"}`, `007`, `"007"`},
		{`{"type":"string"}`, `7`, `"7"`},
		{`{"type":"string"}`, `null`, `"null"`},
		{`{"type":"string"}`, `"x"`, `"\"x\""`},
		{`{"type":"string"}`, " x\n", `" x\n"`},
		{`{"type":"string"}`, `<&>`, `"<&>"`},
		{`{"type":"integer"}`, `7`, `7`},
		{`{"type":"integer"}`, " 7\n", `7`},
		{`{"type":"integer"}`, `12345678901234567890123`, `12345678901234567890123`},
		{`{"type":"integer"}`, `7.5`, `7.5`},
		{`{"type":"integer"}`, `007`, `"007"`},
		{`{"type":"integer"}`, `+7`, `"+7"`},
		{`{"type":"integer"}`, `NaN`, `"NaN"`},
		{`{"type":"integer"}`, ``, `""`},
		{`{"type":"integer"}`, `7 8`, `"7 8"`},
		{`{"type":"integer"}`, `null`, `null`},
		{`{"type":"integer"}`, `true`, `true`},
		{`{"type":"integer"}`, `"7"`, `"7"`},
		{`{"type":"boolean"}`, `true`, `true`},
		{`{"type":"boolean"}`, `True`, `"True"`},
		{`{"type":["integer","null"]}`, `null`, `null`},
		{`{"type":["string","null"]}`, `null`, `null`},
		{`{"type":["string","integer"]}`, `7`, `7`},
		{`{"type":"object"}`, `{"a":1}`, `{"a":1}`},
		{`{"type":"object"}`, `{"a":1`, `"{\"a\":1"`},
		{`{"type":"array","items":{"type":"integer"}}`, `[1]`, `[1]`},
		{`{"type":"array","items":{"type":"integer"}}`, `1`, `[1]`},
		{`{"type":"array","items":{"type":"string"}}`, `1`, `["1"]`},
		{`{"type":"array"}`, `1`, `[1]`},
		{`{"type":"array"}`, `x`, `["x"]`},
		{`{"type":"array"}`, `null`, `null`},
		{`{"type":"array","items":{"type":"integer"}}`, `{}`, `[{}]`},
		{`{"type":"array","items":{"type":"array","items":{"type":"integer"}}}`, `1`, `[1]`},
		{`{"type":["array","string"],"items":{"type":"string"}}`, `a`, `"a"`},
		{`{"enum":["1","2"]}`, `1`, `"1"`},
		{`{"enum":[1,2]}`, `1`, `1`},
		{`{"const":true}`, `true`, `true`},
		{`{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `7`, `7`},
		{`{"allOf":[{"$ref":"#/$defs/number"}]}`, `7`, `7`},
		{`{"$ref":"#/$defs/number"}`, `7`, `7`},
		{`{"$ref":"#/$defs/a~1b~0"}`, `7`, `"7"`},
		{`{"$ref":"#/$defs/self"}`, `7`, `7`},
		{`{"$ref":"#/$defs/list"}`, `7`, `[7]`},
		{`{"$ref":"#/$defs/none"}`, `7`, `7`},
		{`{"$ref":"elsewhere"}`, `{}`, `{}`},
		{`{}`, `7`, `7`},
		{`{}`, `x`, `"x"`},
		{`true`, `7`, `7`},
		{`{"type":7}`, `x`, `"x"`},
	} {
		t.Run(c.schema+" "+c.text, func(t *testing.T) {
			root := Parse(json.RawMessage(`{"type":"object","properties":{"p":` + c.schema + `},"$defs":{
				"number":{"type":"number"},"a/b~":{"type":"string"},"list":{"type":"array","items":{"$ref":"#/$defs/number"}},
				"self":{"anyOf":[{"$ref":"#/$defs/self"},{"type":"integer"},{"type":"array","items":{"$ref":"#/$defs/self"}}]}}}`))
			require.Equal(t, c.want, string(root.Property("p").Coerce(c.text)))
		})
	}
}

func TestCoerceUndeclared(t *testing.T) {
	root := Parse(json.RawMessage(`{"additionalProperties":{"type":"string"}}`))
	require.Equal(t, `"7"`, string(root.Property("any").Coerce("7")))
	root = Parse(json.RawMessage(`{"additionalProperties":false}`))
	require.Equal(t, `7`, string(root.Property("any").Coerce("7")))
}

// FuzzCoerce: whatever a schema says and a person writes, a value is JSON.
func FuzzCoerce(f *testing.F) {
	f.Add(`{"properties":{"p":{"$ref":"#"}},"items":{"$ref":"#"}}`, "x")
	f.Add(`{"anyOf":[{"$ref":"#"},{"type":["array",1]}]}`, `[`)
	f.Add(`{"properties":{"p":{"enum":[null,{}]}}}`, `{"a":}`)
	f.Fuzz(func(t *testing.T, schema, text string) {
		place := Parse(json.RawMessage(schema)).Property("p")
		require.True(t, json.Valid(place.Coerce(text)))
		value, err := place.CoerceAll([]string{text, "2"})
		require.True(t, err != nil || json.Valid(value))
		_ = place.Description()
	})
}
