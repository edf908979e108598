package schema_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/schema"
	"github.com/wasmtools/wasmtools/tool"
)

// weather is the input schema of a tool with six parameters.
const weather = `{
	"type": "object",
	"properties": {
		"city":  {"type": "string", "minLength": 1, "description": "Where"},
		"days":  {"type": "integer", "minimum": 1, "maximum": 14},
		"units": {"type": "string", "enum": ["METRIC", "IMPERIAL"]},
		"full":  {"type": "boolean"},
		"tags":  {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
		"where": {"type": "object", "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}}, "required": ["lat", "lon"]}
	},
	"required": ["city"],
	"additionalProperties": false
}`

const weatherArgs = `{"city":"Paris","days":5,"units":"METRIC","full":true,"tags":["a","b"],"where":{"lat":48.85,"lon":2.35}}`

// BenchmarkArguments gives what a call pays for the check beside what the library alone takes for a decoded value.
func BenchmarkArguments(b *testing.B) {
	s := compileInput(b, weather)
	var value, doc any
	require.NoError(b, json.Unmarshal([]byte(weatherArgs), &value))
	require.NoError(b, json.Unmarshal([]byte(weather), &doc))
	c := jsonschema.NewCompiler()
	require.NoError(b, c.AddResource("urn:weather", doc))
	plain, err := c.Compile("urn:weather")
	require.NoError(b, err)

	var library float64
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			if err := plain.Validate(value); err != nil {
				b.Fatal(err)
			}
		}
		library = float64(b.Elapsed()) / float64(b.N)
	})
	b.Run("Arguments", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := s.Arguments([]byte(weatherArgs), nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/library, "x-library")
	})
	b.Run("mended", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := s.Arguments([]byte(`{"city":"Paris","units":"metric","days":null}`), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkValidate has values of many small parts, as many as are checked.
func BenchmarkValidate(b *testing.B) {
	for name, c := range map[string]struct{ schema, value string }{
		"numbers":     {`{"items":{"type":"integer"}}`, `[` + repeat(39_000, "%d") + `]`},
		"wrong":       {`{"items":{"type":"string"}}`, `[` + repeat(39_000, "%d") + `]`},
		"objects":     {`{"items":{"type":"object"}}`, `[` + strings.Repeat(`{"a":{}},`, 39_000) + `{}]`},
		"members":     {`{"additionalProperties":{"type":"integer"}}`, `{` + repeat(39_000, `"%x":0`) + `}`},
		"records":     {`{"items":{"properties":{"id":{"pattern":"^[a-z0-9]+$"},"n":{"type":"number"}},"required":["id"]}}`, `[` + repeat(9_000, `{"id":"r%d","n":1.5}`) + `]`},
		"enum":        {`{"items":{"enum":[` + repeat(5000, "%d") + `]}}`, `[4999,4999,4999,4999,4999,4999,4999]`},
		"any":         {`{}`, `[` + strings.Repeat("1,", 99_000) + `1]`},
		"over values": {`{"items":{"type":"integer"}}`, `[` + strings.Repeat("1,", 2<<20-1) + `1]`},
		"over work":   {`{"items":{"minimum":0,"maximum":1}}`, `[` + repeat(39_000, "%d") + `]`},
	} {
		s, err := schema.Compile([]byte(c.schema), nil)
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(c.value)))
			b.ReportAllocs()
			for b.Loop() {
				_ = s.Validate([]byte(c.value))
			}
		})
	}
}

// BenchmarkCompile has a usual schema beside those that take longest for their size or in all.
func BenchmarkCompile(b *testing.B) {
	for name, text := range map[string]string{
		"weather":       weather,
		"subschemas":    `{"anyOf":[` + strings.Repeat("{},", 1900) + `{}]}`,
		"unknown $refs": `{"x":{` + repeat(900, `"d%d":{"type":"null"}`) + `},"anyOf":[` + repeat(900, `{"$ref":"#/x/d%d"}`) + `]}`,
		"long $ids":     `{"$id":"http://h/` + strings.Repeat("a/", 490) + `","$defs":{` + repeat(1900, `"d%[1]d":{"$id":"%[1]d"}`) + `}}`,
		"folded ranges": `{"pattern":"(?i:[` + strings.Repeat(`B-\\x{10fffe}`, 7) + `])"}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := schema.Compile([]byte(text), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzCompile(f *testing.F) {
	for _, text := range []string{
		weather, `true`, doubled(5, `{"$ref":"#"}`), `{"$id":"x","$ref":"y#z"}`, `{"$dynamicRef":"#a"}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"dependencies":{"a":["b"],"c":{}}}]}`,
		`{"patternProperties":{"^(a|b)*$":{"not":{"enum":[1,{"a":1e5}]}}},"unevaluatedProperties":false}`,
	} {
		f.Add([]byte(text), []byte(`{"a":[1,{"b":null}],"city":"x"}`))
	}
	f.Fuzz(func(t *testing.T, text, value []byte) {
		s, err := schema.Compile(text, nil)
		if err != nil {
			var refusal schema.Refusal
			require.ErrorAs(t, err, &refusal)
			require.Nil(t, s)
			return
		}
		if err := s.Validate(value); err != nil {
			require.NotContains(t, err.Error(), "defect")
		}
	})
}

func FuzzArguments(f *testing.F) {
	schemas := []*schema.Schema{
		compileInput(f, weather),
		compileInput(f, `{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"anyOf":[
			{"type":"array","uniqueItems":true,"items":{"$ref":"#/$defs/n"}},
			{"type":"object","properties":{"e":{"enum":["A","b",1]}},"additionalProperties":{"$ref":"#/$defs/n"}},
			{"type":"integer"}]}}}`),
	}
	for _, args := range []string{
		weatherArgs, ``, `null`, "\uFEFF{}", `{"city":"x","units":"metric","days":5.0,"tags":["a","a"]}`,
		`{"n":[[1,1.0,1e0],{"e":"B","x":null}]}`, `{"n":1e400}`, `{"city":null,"days":1e1000000000}`,
	} {
		f.Add([]byte(args))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		for _, s := range schemas {
			canonical, _, err := s.Arguments(args, nil)
			if err != nil {
				require.Equal(t, tool.InvalidArguments, err.Code)
				require.Nil(t, err.Cause)
				require.True(t, utf8.ValidString(err.Message))
				continue
			}
			require.True(t, json.Valid(canonical))
			again, warnings, err := s.Arguments(canonical, nil)
			require.Nil(t, err)
			require.Empty(t, warnings)
			require.Equal(t, string(canonical), string(again))
		}
	})
}

func FuzzTextInput(f *testing.F) {
	for _, args := range []string{`{"input":"x"}`, `{"input":{"k":1}}`, `{"input":null}`, `plain`, ``} {
		f.Add([]byte(args))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		got := schema.TextInput(args)
		var object struct{ Input json.RawMessage }
		if json.Unmarshal(args, &object) != nil {
			require.Equal(t, args, got)
		}
	})
}
