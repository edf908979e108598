package schema_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/schema"
	"github.com/wasmtools/wasmtools/internal/strictjson"
)

// patience is a ceiling that a slow machine with the race detector keeps, and that exponential or quadratic work on the
// hostile texts here is far above.
const patience = 20 * time.Second

// doubled is a schema of n levels, each of which applies the one below twice to the same value.
func doubled(n int, last string) string {
	var b strings.Builder
	b.WriteString(`{"type":"object","$ref":"#/$defs/d0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":%s}}`, n, last)
	return b.String()
}

func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestCompileRefuses has the schemas that must never reach the compiler, or must not come out of it. T20: each has an error
// of its own, and none takes long.
func TestCompileRefuses(t *testing.T) {
	const remote = "https://example.com/schema.json"
	for name, c := range map[string]struct {
		text string
		want schema.Refusal
	}{
		"T20 not JSON":                    {`{"type":`, schema.NotJSON},
		"T20 empty":                       {``, schema.NotJSON},
		"T20 duplicate member":            {`{"type":"object","type":"string"}`, schema.NotJSON},
		"T20 invalid UTF-8":               {"{\"title\":\"\xff\"}", schema.NotJSON},
		"T20 huge":                        {`{"title":"` + strings.Repeat("x", 64<<10) + `"}`, schema.TooLarge},
		"T20 a million nodes":             {`{"anyOf":[` + strings.Repeat("{},", 1<<20) + `{}]}`, schema.TooLarge},
		"T20 huge enum":                   {`{"enum":[` + repeat(20_000, "%d") + `]}`, schema.TooLarge},
		"T20 5000 deep":                   {strings.Repeat(`{"not":`, 5000) + `{}` + strings.Repeat(`}`, 5000), schema.TooDeep},
		"T20 65 deep":                     {strings.Repeat(`{"not":`, 65) + `true` + strings.Repeat(`}`, 65), schema.TooDeep},
		"T20 many booleans":               {`{"anyOf":[` + strings.Repeat("true,", 10_000) + `true]}`, schema.TooMany},
		"T20 many objects":                {`{"anyOf":[` + strings.Repeat("{},", 10_000) + `{}]}`, schema.TooMany},
		"T20 many in an unknown keyword":  {`{"$ref":"#/x","x":{"anyOf":[` + strings.Repeat("true,", 3000) + `true]}}`, schema.TooMany},
		"T20 long names above many":       {`{"properties":{"` + strings.Repeat("n", 30_000) + `":{"anyOf":[` + strings.Repeat("{},", 1500) + `{}]}}}`, schema.TooLarge},
		"T20 long $id":                    {`{"$id":"https://` + strings.Repeat("a/", 5000) + `"}`, schema.TooLarge},
		"T20 long $ref":                   {`{"$ref":"#` + strings.Repeat("/a", 5000) + `"}`, schema.TooLarge},
		"T20 $ref bomb":                   {doubled(20, `{"type":"string"}`), schema.TooCostly},
		"T20 $ref bomb, recursive":        {doubled(20, `{"properties":{"x":{"$ref":"#"}}}`), schema.TooCostly},
		"T20 $ref bomb over members":      {strings.ReplaceAll(doubled(20, `{}`), `"anyOf":[`, `"prefixItems":[`), schema.TooCostly},
		"T20 $ref to a file":              {`{"$ref":"file:///etc/passwd"}`, schema.RefOutside},
		"T20 $ref to a host":              {`{"$ref":"` + remote + `"}`, schema.RefOutside},
		"T20 $ref to a relative file":     {`{"$ref":"other.json"}`, schema.RefOutside},
		"T20 $ref to an absolute path":    {`{"$ref":"/etc/passwd"}`, schema.RefOutside},
		"T20 $ref to a host's file":       {`{"$ref":"//example.com/x"}`, schema.RefOutside},
		"T20 $id that moves a $ref":       {`{"$id":"file:///etc/x","properties":{"a":{"$ref":"passwd"}}}`, schema.RefOutside},
		"T20 inner $id that moves a $ref": {`{"properties":{"a":{"$id":"file:///etc/","$ref":"passwd"}}}`, schema.RefOutside},
		"T20 inner $schema":               {`{"properties":{"a":{"$id":"x","$schema":"` + remote + `"}}}`, schema.RefOutside},
		"T20 $ref in an unknown keyword":  {`{"$ref":"#/x","x":{"$ref":"` + remote + `"}}`, schema.RefOutside},
		"T20 unknown dialect":             {`{"$schema":"` + remote + `"}`, schema.BadDialect},
		"T20 file dialect":                {`{"$schema":"file:///etc/passwd"}`, schema.BadDialect},
		"T20 vocabulary as a dialect":     {`{"$schema":"https://json-schema.org/draft/2020-12/meta/core"}`, schema.BadDialect},
		"T20 $ref to itself":              {`{"type":"object","$ref":"#"}`, schema.RefLoop},
		"T20 $ref in a circle":            {`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"allOf":[{"$ref":"#/$defs/a"}]}}}`, schema.RefLoop},
		"T20 not itself":                  {`{"not":{"$ref":"#"}}`, schema.RefLoop},
		"T20 $dynamicRef":                 {`{"$dynamicAnchor":"a","properties":{"x":{"$dynamicRef":"#a"}}}`, schema.DynamicRef},
		"T20 $recursiveRef":               {`{"$schema":"https://json-schema.org/draft/2019-09/schema","properties":{"x":{"$recursiveRef":"#"}}}`, schema.DynamicRef},
		"T20 the metaschema":              {`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, schema.DynamicRef},
		"T20 look-ahead":                  {`{"pattern":"a(?=b)"}`, schema.Pattern},
		"T20 back-reference":              {`{"patternProperties":{"(a)\\1":{}}}`, schema.Pattern},
		"T20 long pattern":                {`{"pattern":"` + strings.Repeat("a", 5000) + `"}`, schema.Pattern},
		"T20 pattern that expands":        {`{"pattern":"` + strings.Repeat("(abcdefghij){1000}", 10) + `"}`, schema.Pattern},
		"T20 patterns that expand":        {`{"allOf":[` + repeat(40, `{"pattern":"(abc){999}%d"}`) + `]}`, schema.Pattern},
		"T20 slow classes":                {`{"allOf":[` + repeat(10, `{"pattern":"%d`+strings.Repeat(`\\pL|`, 700)+`"}`) + `]}`, schema.Pattern},
		"T20 slow folded range":           {`{"pattern":"(?s-i:x)(?i:[` + strings.Repeat(`B-\\x{10fffe}`, 50) + `])"}`, schema.Pattern},
		"T20 slow folded range, literal":  {`{"pattern":"(?i)[` + strings.Repeat("B-\U0010fffe", 50) + `]"}`, schema.Pattern},
		"T20 exponent of ten digits":      {`{"minimum":1e1000000000}`, schema.BadNumber},
		"T20 negative exponent":           {`{"multipleOf":1e-1000000000}`, schema.BadNumber},
		"T20 exponent in an enum":         {`{"enum":[{"a":[1e999999999]}]}`, schema.BadNumber},
		"T20 digits":                      {`{"maximum":` + strings.Repeat("9", 401) + `}`, schema.BadNumber},
		"wrong keyword":                   {`{"type":"objekt"}`, schema.NotSchema},
		"not a schema":                    {`[]`, schema.NotSchema},
		"duplicate $id":                   {`{"$defs":{"a":{"$id":"x:a"},"b":{"$id":"x:a"}}}`, schema.NotSchema},
		"duplicate anchor":                {`{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}`, schema.NotSchema},
		"missing anchor":                  {`{"$ref":"#x"}`, schema.NotSchema},
		"missing definition":              {`{"$ref":"#/$defs/a"}`, schema.NotSchema},
		"bad pointer":                     {`{"$ref":"#/~2"}`, schema.NotSchema},
		"bad URL":                         {`{"$ref":"%zz"}`, schema.NotSchema},
		"A3-20 no type":                   {`{}`, schema.NotForObject},
		"A3-20 string":                    {`{"type":"string"}`, schema.NotForObject},
		"A3-20 object or null":            {`{"type":["object","null"]}`, schema.NotForObject},
		"A3-20 boolean schema":            {`true`, schema.NotForObject},
		"A3-20 behind a $ref":             {`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object"}}}`, schema.NotForObject},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			s, err := schema.CompileInput([]byte(c.text), nil)
			require.ErrorIs(t, err, c.want)
			require.Nil(t, s)
			require.NotContains(t, err.Error(), "tool://")
			require.Less(t, len(err.Error()), 600)
			require.Less(t, time.Since(start), patience)
		})
	}
}

// TestCompileBoundsTime has schemas that are within every limit and built to be slow.
func TestCompileBoundsTime(t *testing.T) {
	for name, text := range map[string]string{
		"T20 many subschemas": `{"anyOf":[` + strings.Repeat("{},", 1900) + `{}]}`,
		"T20 many $ids":       `{"$defs":{` + repeat(900, `"d%[1]d":{"$id":"x:%[1]d"}`) + `}}`,
		"T20 many anchors":    `{"$defs":{` + repeat(900, `"d%[1]d":{"$anchor":"a%[1]d"}`) + `}}`,
		"T20 many $refs to no keyword": `{"x":{` + repeat(900, `"d%d":{"type":"null"}`) + `},"anyOf":[` +
			repeat(900, `{"$ref":"#/x/d%d"}`) + `]}`,
		"T20 chain of $refs": `{"$ref":"#/$defs/d0","$defs":{` + repeat(900, `"d%d":{"$ref":"#/$defs/d999"}`) + `,"d999":{}}}`,
		"T20 long base":      `{"$id":"https://h/` + strings.Repeat("a/", 500) + `","anyOf":[` + strings.Repeat(`{"$ref":"#/$defs/d"},`, 1800) + `{}],"$defs":{"d":{}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, err := schema.Compile([]byte(text), nil)
			require.NoError(t, err)
			require.Less(t, time.Since(start), patience)
		})
	}
}

func TestCompileTakes(t *testing.T) {
	for name, text := range map[string]string{
		"A3-34 tree":          `{"type":"object","properties":{"left":{"$ref":"#"},"right":{"$ref":"#"}}}`,
		"A3-34 tree in $defs": `{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"anyOf":[{"type":"array","items":{"$ref":"#/$defs/n"}},{"type":"object","additionalProperties":{"$ref":"#/$defs/n"}},{"type":"string"}]}}}`,
		"twenty deep":         `{"type":"object",` + strings.Repeat(`"properties":{"a":{`, 20) + `"type":"string"` + strings.Repeat(`}}`, 20) + `}`,
		"draft 7":             `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"a":{}},"properties":{"a":{"$ref":"#/definitions/a"}}}`,
		"draft 7 metaschema":  `{"type":"object","properties":{"schema":{"$ref":"http://json-schema.org/draft-07/schema#"}}}`,
		"draft 4":             `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"a":{"minimum":0,"exclusiveMinimum":true}}}`,
		"own $id":             `{"$id":"https://example.com/a","type":"object","properties":{"x":{"$ref":"https://example.com/a#/$defs/s"}},"$defs":{"s":{}}}`,
		"$schema as a name":   `{"type":"object","properties":{"$schema":{"type":"string"}}}`,
		"$schema as data":     `{"type":"object","default":{"$schema":"file:///x"}}`,
		"unknown format":      `{"type":"object","properties":{"a":{"type":"string","format":"no-such"}}}`,
		"folded patterns":     `{"type":"object","properties":{"a":{"pattern":"(?i)^[a-zäöüß]+-\\p{Lu}+$"},"b":{"pattern":"(?P<id>[0-9]-\\x{30}-*)"}}}`,
		"A3-21 no parameters": `{"type":"object","properties":{},"required":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := schema.CompileInput([]byte(text), nil)
			require.NoError(t, err)
		})
	}
}

func TestOptions(t *testing.T) {
	text := []byte(`{"type":"object","properties":{"a":{"properties":{"b":{"type":"string"}}}}}`)
	for want, o := range map[schema.Refusal]*schema.Options{
		schema.TooLarge:  {MaxBytes: 10},
		schema.TooDeep:   {MaxDepth: 2},
		schema.TooMany:   {MaxSubschemas: 3},
		schema.TooCostly: {MaxCost: 2},
	} {
		_, err := schema.Compile(text, o)
		require.ErrorIs(t, err, want)
	}
	s, err := schema.Compile(text, &schema.Options{MaxWork: 3})
	require.NoError(t, err)
	require.ErrorContains(t, s.Validate([]byte(`{"a":{"b":"x","c":0,"d":0,"e":0,"f":0}}`)), "too large")
}

// TestWorkIsBounded has pairs of a schema and a value that are harmless alone. T20, T3.
func TestWorkIsBounded(t *testing.T) {
	nested := func(n int, open, middle, end string) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	// All of these are arrays of two strings with one hash in the library.
	var collisions []string
	for i := range 8000 {
		var b strings.Builder
		for bit := range 14 {
			b.WriteString([]string{`","`, `\u0004`}[i>>bit&1])
		}
		collisions = append(collisions, `["`+b.String()+`"]`)
	}
	for name, c := range map[string]struct{ schema, value string }{
		"recursion that doubles": {
			`{"properties":{"c":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}}}`, nested(60, `{"c":`, `1`, `}`),
		},
		"recursion that doubles by tags": {
			`{"$ref":"#/$defs/e","$defs":{"e":{"oneOf":[
				{"properties":{"op":{"const":"add"},"x":{"$ref":"#/$defs/e"}}},
				{"properties":{"op":{"const":"neg"},"x":{"$ref":"#/$defs/e"}}}]}}}`, nested(60, `{"op":"add","x":`, `{}`, `}`),
		},
		"many subschemas, many values": {
			`{"items":{"allOf":[` + strings.Repeat(`{"type":"integer"},`, 1500) + `{}]}}`, `[` + repeat(10_000, "%d") + `]`,
		},
		"many numbers in an enum, many values": {
			`{"items":{"enum":[` + repeat(5000, "%d") + `]}}`, `[` + strings.Repeat("4999,", 10_000) + `1]`,
		},
		"large patterns, long string": {
			`{"pattern":"(a{0,30}b){0,30}c"}`, `"` + strings.Repeat("a", 500_000) + `"`,
		},
		"large patterns, many names": {
			`{"patternProperties":{"^(a{0,30}b){0,30}c":{}}}`, `{` + repeat(20_000, `"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%d":0`) + `}`,
		},
		"many required, many objects": {
			`{"items":{"required":[` + repeat(3000, `"r%d"`) + `]}}`, `[` + strings.Repeat("{},", 10_000) + `{}]`,
		},
		"many missing, few objects": {
			`{"properties":{"a":{"items":{"required":[` + repeat(5000, `"r%d"`) + `]}}}}`, `{"a":[` + strings.Repeat("{},", 900) + `{}]}`,
		},
		"many missing beside a member, few objects": {
			`{"items":{"dependentRequired":{"a":[` + repeat(5000, `"r%d"`) + `]}}}`, `[` + strings.Repeat(`{"a":1},`, 900) + `{}]`,
		},
		"many missing beside a member, draft 7": {
			`{"$schema":"http://json-schema.org/draft-07/schema#","items":{"dependencies":{"a":[` + repeat(5000, `"r%d"`) + `]}}}`,
			`[` + strings.Repeat(`{"a":1},`, 900) + `{}]`,
		},
		"many bounds, many numbers": {
			`{"items":{"minimum":5,"exclusiveMinimum":6,"maximum":0,"exclusiveMaximum":0}}`, `[` + repeat(20_000, "%d") + `]`,
		},
		"deep errors": {
			`{"type":"array","items":{"$ref":"#"}}`, nested(60, "[", repeat(20_000, "%d"), "]"),
		},
		"format that splits": {
			`{"format":"ipv4"}`, `"` + strings.Repeat(".", 4<<20) + `"`,
		},
		"uniqueItems, colliding items": {
			`{"uniqueItems":true}`, `[` + strings.Join(collisions, ",") + `]`,
		},
		"propertyNames that double": {
			doubled(10, `{"propertyNames":{"maxLength":9}}`), `{` + repeat(5000, `"n%d":0`) + `}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := schema.Compile([]byte(c.schema), nil)
			require.NoError(t, err)
			start := time.Now()
			require.ErrorContains(t, s.Validate([]byte(c.value)), "too large")
			require.Less(t, time.Since(start), patience)
		})
	}
}

// TestRefusesManyValues has text that would cost far more than its size if it was parsed. T20, T3.
func TestRefusesManyValues(t *testing.T) {
	const want = "text of 2097153 values is over the limit of 100000"
	text := []byte(`[` + strings.Repeat("1,", 2<<20-1) + `1]`)
	for _, schemaText := range []string{`{"type":"array"}`, `{"properties":{"a":{}}}`, `false`, `{}`} {
		s, err := schema.Compile([]byte(schemaText), nil)
		require.NoError(t, err)
		require.ErrorContains(t, s.Validate(text), want)
		require.Less(t, testing.AllocsPerRun(3, func() { _ = s.Validate(text) }), 10.0+20)
		_, _, bad := s.Arguments(text, &schema.ArgumentsOptions{MaxBytes: -1})
		require.EqualError(t, bad, "invalid arguments: "+want)
	}
	s, err := schema.Compile([]byte(`{"type":"string"}`), nil)
	require.NoError(t, err)
	require.NoError(t, s.Validate([]byte(`"\"`+strings.Repeat(",", 3<<20)+`"`)), "no values in a string")
}

// TestOpenSchema has the schemas that take any JSON: they cost no more than parsing it, and are held to no limit of work.
func TestOpenSchema(t *testing.T) {
	text := []byte(`[` + strings.Repeat("[1,2],", 30_000) + `{}]`)
	parse := testing.AllocsPerRun(3, func() {
		_, err := strictjson.Parse(text, &strictjson.Options{MaxBytes: -1})
		require.NoError(t, err)
	})
	for _, schemaText := range []string{`{}`, ` true `} {
		s, err := schema.Compile([]byte(schemaText), &schema.Options{MaxWork: 10})
		require.NoError(t, err)
		require.NoError(t, s.Validate(text))
		require.Less(t, testing.AllocsPerRun(3, func() { _ = s.Validate(text) }), parse+10)
		require.ErrorContains(t, s.Validate([]byte(`[1,]`)), "json at byte 3")
		require.ErrorContains(t, s.Validate([]byte(`[1e400]`)), "not finite")
	}
}

// TestFormatRegex has the format that is not asserted. T20: compiling what a guest or a model sends is no bounded work.
func TestFormatRegex(t *testing.T) {
	s, err := schema.Compile([]byte(`{"items":{"format":"regex"}}`), nil)
	require.NoError(t, err)
	bomb := []byte(`["` + strings.Repeat(".{999}", 20) + `","a(?=b)","("]`)
	require.NoError(t, s.Validate(bomb))
	require.Less(t, testing.AllocsPerRun(3, func() { _ = s.Validate(bomb) }), 100.0)
}

// TestWorkAllows has large values that people do send.
func TestWorkAllows(t *testing.T) {
	for name, c := range map[string]struct{ schema, value string }{
		"a file":                {`{"properties":{"content":{"type":"string"},"path":{"type":"string","pattern":"^[a-z/]{1,64}$"}}}`, `{"content":"` + strings.Repeat("x", 900_000) + `","path":"a/b"}`},
		"integers":              {`{"items":{"type":"integer","minimum":0}}`, `[` + repeat(20_000, "%d") + `]`},
		"records":               {`{"items":{"properties":{"id":{"pattern":"^[a-z0-9-]{1,36}$"},"color":{"enum":["RED","GREEN","BLUE"]},"n":{"type":"number"}},"required":["id"]}}`, `[` + repeat(5_000, `{"id":"r%d","color":"RED","n":1.5}`) + `]`},
		"a deep tree":           {`{"properties":{"left":{"$ref":"#"},"right":{"$ref":"#"},"v":{"type":"integer"}}}`, strings.Repeat(`{"v":1,"right":{},"left":`, 60) + `{}` + strings.Repeat(`}`, 60)},
		"JSON":                  {`{"$ref":"#/$defs/j","$defs":{"j":{"anyOf":[{"type":"array","items":{"$ref":"#/$defs/j"}},{"type":"object","additionalProperties":{"$ref":"#/$defs/j"}},{"type":["string","number","boolean","null"]}]}}}`, strings.Repeat(`[{"a":`, 5) + `[` + repeat(2000, "%d") + `]` + strings.Repeat(`}]`, 5)},
		"unique":                {`{"uniqueItems":true,"items":{"type":"string"}}`, `[` + repeat(20_000, `"item %d"`) + `]`},
		"an expression":         {`{"$ref":"#/$defs/e","$defs":{"e":{"oneOf":[{"type":"integer"},{"type":"object","properties":{"op":{"const":"add"},"x":{"$ref":"#/$defs/e"}}},{"type":"object","properties":{"op":{"const":"neg"},"x":{"$ref":"#/$defs/e"}}}]}}}`, strings.Repeat(`{"op":"add","x":`, 8) + `1` + strings.Repeat(`}`, 8)},
		"required":              {`{"items":{"required":[` + repeat(20, `"r%d"`) + `]}}`, `[` + strings.Repeat(`{`+repeat(20, `"r%d":1`)+`},`, 4_000) + `{` + repeat(20, `"r%d":1`) + `}]`},
		"a URI of data":         {`{"format":"uri"}`, `"data:` + strings.Repeat("x", 1<<20) + `"`},
		"eleven doubled levels": {doubled(11, `{"type":"object"}`), `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := schema.Compile([]byte(c.schema), nil)
			require.NoError(t, err)
			require.NoError(t, s.Validate([]byte(c.value)))
		})
	}
}

func TestConcurrentUse(t *testing.T) {
	s, err := schema.CompileInput([]byte(`{"type":"object","properties":{"re":{"type":"string","format":"regex"},"color":{"enum":["RED"]}}}`), nil)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				canonical, _, err := s.Arguments([]byte(`{"re":"a+(b","color":"red"}`), nil)
				if err != nil || string(canonical) != `{"re":"a+(b","color":"RED"}` {
					t.Errorf("got %s, %v", canonical, err)
				}
			}
		})
	}
	wg.Wait()
}
