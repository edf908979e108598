package schema_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/schema"
	"github.com/wasmtools/wasmtools/tool"
)

func compileInput(t testing.TB, text string) *schema.Schema {
	s, err := schema.CompileInput([]byte(text), nil)
	require.NoError(t, err)
	return s
}

// object is an input schema with the given properties and required names.
func object(properties string, required ...string) string {
	return fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s]}`, properties, quoteAll(required))
}

func quoteAll(names []string) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	return strings.Join(quoted, ",")
}

const (
	int32Type = `{"type":"integer","minimum":-2147483648,"maximum":2147483647}`
	int64Type = `{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}`
	colors    = `{"type":"string","enum":["RED","GREEN"]}`
)

type refusal struct{ schema, args, message string }

func (c refusal) test(t *testing.T, status int32) {
	canonical, _, err := compileInput(t, c.schema).Arguments([]byte(c.args), nil)
	require.NotNil(t, err)
	require.Nil(t, canonical)
	require.Equal(t, "invalid arguments: "+c.message, err.Message)
	require.ErrorIs(t, err, tool.InvalidArguments)
	require.Equal(t, status, *err.Status)
}

// TestRefusesText has the rows of T3 that are errors.
func TestRefusesText(t *testing.T) {
	s := object(`"a":{"type":"string"}`)
	for name, c := range map[string]struct{ args, message string }{
		"A6-50 T3 array":         {`[]`, "must be a JSON object, got array"},
		"A6-50 T3 array of one":  {`[1]`, "must be a JSON object, got array"},
		"A6-50 T3 string":        {`"x"`, "must be a JSON object, got string"},
		"A6-50 number":           {`5`, "must be a JSON object, got number"},
		"A6-50 boolean":          {`true`, "must be a JSON object, got boolean"},
		"T3 double-encoded":      {`"{\"a\": \"x\"}"`, "must be a JSON object, got string"},
		"T3 escaped quotes":      {`{\"a\":\"x\"}`, `not valid JSON at byte 1: unexpected '\\', want a member's name in double quotes`},
		"T3 trailing comma":      {`{"a":"x",}`, "not valid JSON at byte 9: unexpected '}', want a member's name in double quotes"},
		"A6-49 T3 truncated":     {`{"a":"x"`, "not valid JSON at byte 8: unexpected end of text, want ',' or '}'"},
		"T3 single quotes":       {`{'a':'x'}`, `not valid JSON at byte 1: unexpected '\'', want a member's name in double quotes`},
		"T3 fenced":              {"```json\n{}\n```", "not valid JSON at byte 0: unexpected '`', want a value"},
		"T3 trailing text":       {`{"a":"x"} trailing`, "not valid JSON at byte 10: text after the value: 't'"},
		"T3 duplicate key":       {`{"a":"x","a":"y"}`, `not valid JSON at byte 9: duplicate member "a"`},
		"T3 invalid UTF-8":       {"{\"a\":\"\xff\"}", "not valid JSON at byte 6: not UTF-8"},
		"T3 depth":               {strings.Repeat(`{"b":`, 65) + `1` + strings.Repeat(`}`, 65), "nested more than 64 deep"},
		"T3 size":                {`{"a":"` + strings.Repeat("x", 1<<20) + `"}`, "text of 1048584 bytes is over the limit of 1048576"},
		"T3 NaN":                 {`{"a":NaN}`, "not valid JSON at byte 5: unexpected 'N', want a value"},
		"T3 not JSON":            {`hello`, "not valid JSON at byte 0: unexpected 'h', want a value"},
		"T4 infinite":            {`{"b":{"c":[1,-1e400]}}`, "/b/c/1: number -1e400 is not finite or too long"},
		"exponent of ten digits": {`{"b":1e1000000000}`, "/b: number 1e1000000000 is not finite or too long"},
		"negative exponent":      {`{"b":1e-1000000000}`, "/b: number 1e-1000000000 is not finite or too long"},
		"long exponent":          {`{"b":1e99999999999999999999}`, "/b: number 1e99999999999999999999 is not finite or too long"},
		"many digits":            {`{"b":` + strings.Repeat("9", 401) + `}`, "/b: number " + strings.Repeat("9", 40) + "… is not finite or too long"},
	} {
		t.Run(name, func(t *testing.T) { refusal{s, c.args, c.message}.test(t, 400) })
	}
	_, _, err := compileInput(t, s).Arguments([]byte(`{"a":"xyz"}`), &schema.ArgumentsOptions{MaxBytes: 10})
	require.ErrorContains(t, err, "over the limit of 10")
}

// TestRefusesMissing has A6-51 and the rows of T4 to T6 and T11 about required parameters. T9: the status is 422.
func TestRefusesMissing(t *testing.T) {
	for name, c := range map[string]refusal{
		"A6-51 one":                     {object(`"a":{},"b":{}`, "a"), `{"b":1}`, `required parameter "a" is missing or null`},
		"A6-51 all of them":             {object(`"a":{},"b":{},"c":{}`, "c", "a", "b"), `{"b":1}`, `required parameters "a", "c" are missing or null`},
		"A3-35 no text":                 {object(`"a":{}`, "a"), ``, `required parameter "a" is missing or null`},
		"T4 required int32 null":        {object(`"a":`+int32Type, "a"), `{"a":null}`, `required parameter "a" is missing or null`},
		"T5 required string null":       {object(`"a":{"type":"string"}`, "a"), `{"a":null}`, `required parameter "a" is missing or null`},
		"T6 required list null":         {object(`"a":{"type":"array"}`, "a"), `{"a":null}`, `required parameter "a" is missing or null`},
		"T6 required object absent":     {object(`"a":{"type":"object"}`, "a"), `{}`, `required parameter "a" is missing or null`},
		"T6 nested":                     {object(`"a":{"type":"object","properties":{"b":{}},"required":["b"]}`), `{"a":{}}`, `required parameter "/a/b" is missing or null`},
		"T6 nested null":                {object(`"a":{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}`), `{"a":{"b":null}}`, `required parameter "/a/b" is missing or null`},
		"A6-51 at both levels":          {object(`"a":{"type":"object","required":["b"]},"c":{}`, "c"), `{"a":{}}`, `required parameters "/a/b", "c" are missing or null`},
		"A6-51 beside a violation":      {object(`"a":{},"n":{"type":"integer"}`, "a"), `{"n":"x"}`, `required parameter "a" is missing or null; /n: must be integer, got string`},
		"T6 other case":                 {object(`"a":{}`, "a"), `{"A":1}`, `required parameter "a" is missing or null`},
		"required by a sibling":         {`{"type":"object","properties":{"a":{"type":"string"}},"allOf":[{"required":["a"]}]}`, `{"a":null}`, `required parameter "a" is missing or null`},
		"required behind a $ref":        {`{"type":"object","$ref":"#/$defs/x","$defs":{"x":{"required":["a"]}}}`, `{}`, `required parameter "a" is missing or null`},
		"required in an optional union": {object(`"a":{"anyOf":[{"type":"object","required":["b"]},{"type":"null"}]}`), `{"a":{}}`, `required parameter "/a/b" is missing or null`},
	} {
		t.Run(name, func(t *testing.T) { c.test(t, 422) })
	}
	many := strings.Split(repeat(60, "p%d"), ",")
	_, _, err := compileInput(t, object("", many...)).Arguments(nil, nil)
	require.Contains(t, err.Message, `"p53"`)
	require.Contains(t, err.Message, " and 10 more are missing or null")
}

// TestRefusesValues has A6-52, A6-53, A6-56, A6-57, A6-59 and the strict column of T4 to T6.
func TestRefusesValues(t *testing.T) {
	integer := object(`"n":` + int32Type)
	list := func(items string) string { return object(`"l":{"type":"array","items":` + items + `}`) }
	for name, c := range map[string]refusal{
		"A6-56 T4 5.5":                  {integer, `{"n":5.5}`, "/n: must be integer, got number 5.5"},
		"A6-52 T4 digits in a string":   {integer, `{"n":"5"}`, "/n: must be integer, got string"},
		"T4 banana":                     {integer, `{"n":"banana"}`, "/n: must be integer, got string"},
		"T4 boolean for an integer":     {integer, `{"n":true}`, "/n: must be integer, got boolean"},
		"A6-57 T4 int32 over":           {integer, `{"n":2147483648}`, "/n: must be at most 2147483647, got 2147483648"},
		"T4 int64 over":                 {object(`"n":` + int64Type), `{"n":9223372036854775808}`, "/n: must be at most 9223372036854775807, got 9223372036854775808"},
		"T4 int8 over":                  {object(`"n":{"type":"integer","minimum":-128,"maximum":127}`), `{"n":128}`, "/n: must be at most 127, got 128"},
		"T4 bigint 1.5":                 {object(`"n":{"type":"integer"}`), `{"n":1.5}`, "/n: must be integer, got number 1.5"},
		"T4 NaN in a string":            {object(`"n":{"type":"number"}`), `{"n":"NaN"}`, "/n: must be number, got string"},
		"T4 float32 over":               {object(`"n":{"type":"number","maximum":3.4028235e38}`), `{"n":1e39}`, "/n: must be at most 340282350000000000000000000000000000000, got 1000000000000000000000000000000000000000"},
		"T4 boolean in a string":        {object(`"b":{"type":"boolean"}`), `{"b":"true"}`, "/b: must be boolean, got string"},
		"T4 1 for a boolean":            {object(`"b":{"type":"boolean"}`), `{"b":1}`, "/b: must be boolean, got number 1"},
		"T5 number for a string":        {object(`"s":{"type":"string"}`), `{"s":1.0}`, "/s: must be string, got number 1"},
		"T5 object for a string":        {object(`"s":{"type":"string"}`), `{"s":{"k":[1,2.50]}}`, "/s: must be string, got object"},
		"T5 space before an enum":       {object(`"c":` + colors), `{"c":" RED"}`, `/c: must be one of "RED", "GREEN"`},
		"T5 no value of an enum":        {object(`"c":` + colors), `{"c":"BLUE"}`, `/c: must be one of "RED", "GREEN"`},
		"T5 0 for an enum":              {object(`"c":` + colors), `{"c":0}`, `/c: must be string, got number 0`},
		"T5 values that differ by case": {object(`"c":{"enum":["Red","RED"]}`), `{"c":"red"}`, `/c: must be one of "Red", "RED"`},
		"T5 uuid":                       {object(`"u":{"type":"string","format":"uuid"}`), `{"u":"x"}`, "/u: is not a valid uuid"},
		"T6 elements":                   {list(`{"type":"string"}`), `{"l":[1,true,null]}`, "/l/0: must be string, got number 1; /l/1: must be string, got boolean; /l/2: must be string, got null"},
		"T6 bare value":                 {list(`{"type":"string"}`), `{"l":"x"}`, "/l: must be array, got string"},
		"T6 1.5 among integers":         {list(`{"type":"integer"}`), `{"l":[1.5]}`, "/l/0: must be integer, got number 1.5"},
		"T6 digits among integers":      {list(`{"type":"integer"}`), `{"l":["1",2.0]}`, "/l/0: must be integer, got string"},
		"T6 map of strings":             {object(`"m":{"type":"object","additionalProperties":{"type":"integer"}}`), `{"m":{"k":"1"}}`, "/m/k: must be integer, got string"},
		"T6 map with null":              {object(`"m":{"type":"object","additionalProperties":{"type":"integer"}}`), `{"m":{"k":null}}`, "/m/k: must be integer, got null"},
		"T6 array for a map":            {object(`"m":{"type":"object"}`), `{"m":[]}`, "/m: must be object, got array"},
		"T6 JSON in a string":           {object(`"o":{"type":"object"}`), `{"o":"{\"name\":\"n\"}"}`, "/o: must be object, got string"},
		"T6 optional of wrong type":     {object(`"n":{"type":["integer","null"]}`), `{"n":"x"}`, "/n: must be null or integer, got string"},
		"T11 default is no fallback":    {object(`"n":{"type":"integer","default":7}`), `{"n":"banana"}`, "/n: must be integer, got string"},
		"A6-59 unknown parameter":       {`{"type":"object","properties":{"city":{},"days":{}},"additionalProperties":false}`, `{"town":1,"b":2}`, `unknown parameters "b", "town" (known: "city", "days")`},
		"A6-59 T6 unknown member":       {object(`"o":{"additionalProperties":false}`), `{"o":{"x":null}}`, `/o: unknown parameter "x"`},
		"A6-53 pattern":                 {object(`"s":{"pattern":"^a+$"}`), `{"s":"b"}`, "/s: does not match the pattern ^a+$"},
		"A6-53 lengths":                 {object(`"a":{"minLength":2},"b":{"maxLength":1},"c":{"minItems":1},"d":{"maxItems":0}`), `{"a":"é","b":"éé","c":[],"d":[1]}`, "/a: must have at least 2 characters, got 1; /b: must have at most 1 characters, got 2; /c: must have at least 1 items, got 0; /d: must have at most 0 items, got 1"},
		"A6-53 ranges":                  {object(`"a":{"minimum":1.5},"b":{"exclusiveMinimum":1},"c":{"exclusiveMaximum":1},"d":{"multipleOf":0.5}`), `{"a":1,"b":1,"c":1,"d":0.7}`, "/a: must be at least 1.5, got 1; /b: must be more than 1, got 1; /c: must be less than 1, got 1; /d: must be a multiple of 0.5, got 0.7"},
		"A6-53 members":                 {`{"type":"object","minProperties":1,"maxProperties":2,"propertyNames":{"maxLength":1}}`, `{"a":1,"b":1,"cc":1}`, `must have at most 2 members, got 3; parameter name "cc" is not allowed`},
		"A6-53 nested pointer":          {object(`"a/b":{"properties":{"~":{"items":{"const":1}}}}`), `{"a/b":{"~":[1,2]}}`, "/a~1b/~0/1: must be 1"},
		"contains":                      {object(`"a":{"contains":{"const":1}},"b":{"contains":{"const":1},"minContains":2},"c":{"contains":{"const":1},"maxContains":1}`), `{"a":[],"b":[1],"c":[1,1]}`, "/a: has none of the items that it must contain; /b: must contain at least 2 items of the required form, got 1; /c: must contain at most 1 items of the required form, got 2"},
		"dependencies":                  {`{"type":"object","dependentRequired":{"a":["b","c"]}}`, `{"a":1}`, `needs "b", "c" beside "a"`},
		"not":                           {object(`"a":{"not":{"const":1}}`), `{"a":1}`, "/a: has a form that is not allowed"},
		"never":                         {object(`"a":false`), `{"a":null}`, "/a: is not allowed"},
		"unevaluated":                   {`{"type":"object","allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, "/b: is not allowed"},
		"union of types":                {object(`"a":{"anyOf":[{"type":"integer"},{"type":"null"}]}`), `{"a":"x"}`, "/a: must be integer or null, got string"},
		"union behind a $ref":           {`{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/$defs/o"},{"type":"null"}]}},"$defs":{"o":{"type":"object"}}}`, `{"a":"x"}`, "/a: must be null or object, got string"},
		"long path":                     {`{"type":"object","additionalProperties":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"object","additionalProperties":{"$ref":"#/$defs/n"}}}}`, strings.Repeat(`{"a23456789":`, 40) + "1" + strings.Repeat("}", 40), strings.Repeat("/a23456789", 31) + "/…: must be object, got number 1"},
		"union with null":               {object(`"a":{"anyOf":[{"enum":["x"]},{"type":"null"}]}`), `{"a":"y"}`, `/a: must be one of "x"`},
		"union by tag":                  {object(`"a":{"oneOf":[{"properties":{"k":{"const":"a"},"n":{"type":"integer"}}},{"properties":{"k":{"const":"b"},"n":{"type":"string"}}}]}`), `{"a":{"k":"a","n":"x"}}`, "/a/n: must be integer, got string"},
		"union":                         {object(`"a":{"anyOf":[{"minimum":5},{"multipleOf":2},{"const":3},{"const":1}]}`), `{"a":-1}`, "/a: fits none of the allowed forms: (1) /a: must be at least 5, got -1, (2) /a: must be a multiple of 2, got -1, (3) /a: must be 3, or 1 other forms"},
		"union of unions":               {object(`"a":{"anyOf":[{"anyOf":[{"minimum":5},{"multipleOf":2}]},{"const":3}]}`), `{"a":-1}`, "/a: fits none of the allowed forms: (1) /a: fits none of the allowed forms, (2) /a: must be 3"},
		"both of one":                   {object(`"a":{"oneOf":[{},{"type":"integer"}]}`), `{"a":1}`, "/a: fits more than one of the allowed forms, and has to fit exactly one"},
		"five at most":                  {list(`{"type":"string"}`), `{"l":[1,2,3,4,5,6,7]}`, "/l/0: must be string, got number 1; /l/1: must be string, got number 2; /l/2: must be string, got number 3; /l/3: must be string, got number 4; /l/4: must be string, got number 5; and 2 more"},
		"many values of an enum":        {object(`"a":{"enum":[` + repeat(300, `"value %d"`) + `]}`), `{"a":"x"}`, "/a: must be one of " + strings.ReplaceAll(repeat(41, `"value %d"`), ",", ", ") + " and 259 more"},
		"control characters":            {object(`"o":{"additionalProperties":{"type":"string"}}`), `{"o":{"\n\u202e":1}}`, `"/o/\n\u202e": must be string, got number 1`},
		"draft 7":                       {`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"l":{"items":[{}],"additionalItems":false}},"dependencies":{"a":["b"]}}`, `{"a":1,"l":[1,2]}`, `needs "b" beside "a"; /l: has 1 items too many`},
	} {
		t.Run(name, func(t *testing.T) { c.test(t, 400) })
	}
}

// TestTakes has what is taken, in its canonical form.
func TestTakes(t *testing.T) {
	anything := `{"type":"object"}`
	for name, c := range map[string]struct {
		schema, args, want string
		warnings           []string
	}{
		"A6-48 T3 empty":        {anything, ``, `{}`, nil},
		"A6-48 T3 blanks":       {anything, " \n", `{}`, nil},
		"A6-48 T3 null":         {anything, ` null `, `{}`, []string{"arguments: null taken as {}"}},
		"T3 byte order mark":    {anything, "\uFEFF{\"a\":1}", `{"a":1}`, []string{"arguments: byte order mark removed"}},
		"order and white space": {anything, ` { "b" : 1 , "a" : [ ] } `, `{"b":1,"a":[]}`, nil},
		"escapes":               {anything, `{"\u0061":"\u202e\/"}`, "{\"a\":\"\u202e/\"}", nil},
		"A6-56 T4 integers":     {object(`"l":{"type":"array","items":` + int32Type + `}`), `{"l":[5,5.0,1e3,-2147483648,0.0,-0.5e1,1200e-2]}`, `{"l":[5,5,1000,-2147483648,0,-5,12]}`, nil},
		"T4 1.0E18":             {object(`"n":` + int64Type), `{"n":1.0E18}`, `{"n":1000000000000000000}`, nil},
		"A6-55 T4 int64":        {object(`"n":` + int64Type), `{"n":9007199254740993}`, `{"n":9007199254740993}`, nil},
		"A6-55 T4 30 digits":    {object(`"n":{"type":"integer"}`), `{"n":123456789012345678901234567890}`, `{"n":123456789012345678901234567890}`, nil},
		"T4 decimals":           {object(`"l":{"items":{"type":["number","string"]}}`), `{"l":[0.1,"1.50",1.50,1e300,1e-300,0e99999999999,-0.0]}`, `{"l":[0.1,"1.50",1.50,1e300,1e-300,0,-0]}`, nil},
		"400 digits":            {anything, `{"n":` + strings.Repeat("9", 400) + `}`, `{"n":` + strings.Repeat("9", 400) + `}`, nil},
		"T5 enum":               {object(`"c":` + colors), `{"c":"RED"}`, `{"c":"RED"}`, nil},
		"T5 enum in other case": {object(`"c":` + colors), `{"c":"Red"}`, `{"c":"RED"}`, []string{`arguments: /c: "Red" taken as "RED"`}},
		"T5 exact among values that differ by case": {object(`"c":{"enum":["Red","RED"]}`), `{"c":"RED"}`, `{"c":"RED"}`, nil},
		"T5 enum or null":           {object(`"c":{"anyOf":[` + colors + `,{"type":"null"}]}`), `{"c":"green"}`, `{"c":"GREEN"}`, []string{`arguments: /c: "green" taken as "GREEN"`}},
		"T5 two enums":              {object(`"c":{"allOf":[` + colors + `,{"enum":["RED","BLUE"]}]}`), `{"c":"red"}`, `{"c":"RED"}`, []string{`arguments: /c: "red" taken as "RED"`}},
		"T5 empty string":           {object(`"s":{"type":"string"}`, "s"), `{"s":""}`, `{"s":""}`, nil},
		"T6 set of enums":           {object(`"s":{"uniqueItems":true,"items":` + colors + `}`), `{"s":["RED","red","GREEN","RED"]}`, `{"s":["RED","GREEN"]}`, []string{`arguments: /s/1: "red" taken as "RED"`, "arguments: /s: 2 repeated items dropped"}},
		"T6 set of numbers":         {object(`"s":{"uniqueItems":true}`), `{"s":[1.50,1.5,15e-1,2,"2",{"a":1,"b":[]},{"b":[],"a":1.0}]}`, `{"s":[1.50,2,"2",{"a":1,"b":[]}]}`, []string{"arguments: /s: 3 repeated items dropped"}},
		"T6 set of sets":            {object(`"s":{"uniqueItems":true,"items":{"uniqueItems":true}}`), `{"s":[[1,1],[1],[2]]}`, `{"s":[[1],[2]]}`, []string{"arguments: /s/0: 1 repeated items dropped", "arguments: /s: 1 repeated items dropped"}},
		"T6 T11 optional null":      {object(`"a":{"type":"integer"},"b":{"type":"string"}`, "b"), `{"a":null,"b":"x"}`, `{"a":null,"b":"x"}`, nil},
		"T11 null and default":      {object(`"a":{"type":"integer","default":7}`), `{"a":null}`, `{"a":null}`, nil},
		"T6 nested null":            {`{"type":"object","properties":{"o":{"properties":{"a":{"$ref":"#/$defs/i"}}}},"$defs":{"i":{"enum":[1]}}}`, `{"o":{"a":null}}`, `{"o":{"a":null}}`, nil},
		"null of its own":           {object(`"a":{"type":"null"}`, "a"), `{"a":null}`, `{"a":null}`, nil},
		"null in a list of objects": {object(`"l":{"items":{"properties":{"a":{"anyOf":[{"minLength":1,"type":"string"},{"type":"integer"}]}}}}`), `{"l":[{"a":null},{"a":"x"}]}`, `{"l":[{"a":null},{"a":"x"}]}`, nil},
		"A6-59 T6 unknown":          {object(`"a":{}`), `{"b":{"c":null}}`, `{"b":{"c":null}}`, nil},
		"T6 empty list":             {object(`"l":{"type":"array","items":{"type":"string"}}`), `{"l":[]}`, `{"l":[]}`, nil},
		"T6 map":                    {object(`"m":{"type":"object","additionalProperties":{"type":"integer"}}`), `{"m":{"k":1}}`, `{"m":{"k":1}}`, nil},
		"all at once": {object(`"a":{"type":"integer"},"c":` + colors + `,"s":{"uniqueItems":true}`), `{"s":[1,1.0],"c":"red","a":null}`, `{"s":[1],"c":"RED","a":null}`,
			[]string{`arguments: /c: "red" taken as "RED"`, "arguments: /s: 1 repeated items dropped"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := compileInput(t, c.schema)
			canonical, warnings, err := s.Arguments([]byte(c.args), nil)
			require.Nil(t, err)
			require.Equal(t, c.want, string(canonical))
			require.Equal(t, c.warnings, warnings)
			again, warnings, err := s.Arguments(canonical, nil)
			require.Nil(t, err)
			require.Equal(t, c.want, string(again))
			require.Empty(t, warnings)
		})
	}
}

// TestDrop: a model's value for what the host injects is removed before the schema sees it. A3-36.
func TestDrop(t *testing.T) {
	s := compileInput(t, `{"type":"object","properties":{"a":{"type":"object"}},"additionalProperties":false}`)
	canonical, warnings, err := s.Arguments([]byte(`{"memoryId":7,"a":{"memoryId":8}}`), &schema.ArgumentsOptions{Drop: []string{"memoryId", "user"}})
	require.Nil(t, err)
	require.Equal(t, `{"a":{"memoryId":8}}`, string(canonical))
	require.Equal(t, []string{`arguments: "memoryId" dropped: the host injects it`}, warnings)
}

func TestSameMessageEveryTime(t *testing.T) {
	enums := compileInput(t, `{"type":"object","additionalProperties":{"items":{"enum":["A"]},"uniqueItems":true}}`)
	_, warnings, err := enums.Arguments([]byte(`{"c":["a","A"],"a":["a","A"],"b":["A","a"]}`), nil)
	require.Nil(t, err)
	require.Equal(t, []string{
		`arguments: /a/0: "a" taken as "A"`, `arguments: /b/1: "a" taken as "A"`, `arguments: /c/0: "a" taken as "A"`,
		"arguments: /a: 1 repeated items dropped", "arguments: /b: 1 repeated items dropped", "arguments: /c: 1 repeated items dropped",
	}, warnings)

	s := compileInput(t, `{"type":"object","additionalProperties":{"type":"string"}}`)
	args := []byte(`{` + repeat(20, `"m%d":1`) + `}`)
	_, _, first := s.Arguments(args, nil)
	for range 50 {
		_, _, err := s.Arguments(args, nil)
		require.Equal(t, first, err)
	}
}

// TestErrorsAreBounded has arguments with very many errors, which must not take time that grows with their square.
func TestErrorsAreBounded(t *testing.T) {
	for name, c := range map[string]struct{ schema, args string }{
		"wrong types":   {`{"type":"object","additionalProperties":{"type":"string"}}`, `{` + repeat(30_000, `"m%d":1`) + `}`},
		"missing":       {`{"type":"object","additionalProperties":{"required":["a","b"]}}`, `{` + repeat(30_000, `"m%d":{}`) + `}`},
		"some enums":    {`{"type":"object","additionalProperties":{"enum":["A"]}}`, `{` + repeat(30_000, `"m%d":"A"`) + `,` + repeat(800, `"n%d":"a"`) + `,"z":1}`},
		"enums":         {`{"type":"object","additionalProperties":{"enum":["A"]}}`, `{` + repeat(30_000, `"m%d":"a"`) + `}`},
		"repeated":      {`{"type":"object","additionalProperties":{"uniqueItems":true}}`, `{` + repeat(20_000, `"m%d":[1,1]`) + `}`},
		"nulls":         {`{"type":"object","properties":{` + repeat(1500, `"p%d":{"type":"string"}`) + `}}`, `{` + repeat(1500, `"p%d":null`) + `}`},
		"unions":        {`{"type":"object","additionalProperties":{"anyOf":[{"minimum":2},{"const":2}]}}`, `{` + repeat(20_000, `"m%d":1`) + `}`},
		"unknown":       {`{"type":"object","additionalProperties":false}`, `{` + repeat(30_000, `"m%d":1`) + `}`},
		"names":         {`{"type":"object","propertyNames":{"maxLength":1}}`, `{` + repeat(20_000, `"m%d":1`) + `}`},
		"far members":   {`{"type":"object","properties":{"z":{"items":{"properties":{"x":{"type":"string"}}}}}}`, `{` + repeat(30_000, `"m%d":1`) + `,"z":[` + strings.Repeat(`{"x":1},`, 30_000) + `{}]}`},
		"long integers": {`{"type":"object","additionalProperties":{"type":"string"}}`, `{` + repeat(2000, `"m%d":1`+strings.Repeat("0", 390)) + `}`},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			s := compileInput(t, c.schema)
			_, _, err := s.Arguments([]byte(c.args), nil)
			require.NotNil(t, err)
			_, _, again := s.Arguments([]byte(c.args), nil)
			require.Equal(t, err, again)
			require.Less(t, len(err.Message), 2000)
			require.Less(t, time.Since(start), patience)
		})
	}
}

func TestMessagesAreBounded(t *testing.T) {
	long := strings.Repeat("n", 5000)
	s := compileInput(t, `{"type":"object","additionalProperties":{"additionalProperties":{"const":"`+long+`"}}}`)
	_, _, err := s.Arguments([]byte(`{"`+long+`":{`+repeat(100, `"`+long+`%d":1`)+`}}`), nil)
	require.NotNil(t, err)
	require.Less(t, len(err.Message), 3000)
}

func TestValidate(t *testing.T) {
	s, err := schema.Compile([]byte(`{"type":"array","items":{"properties":{"a":{"enum":["X"]}},"required":["b"]},"uniqueItems":true}`), nil)
	require.NoError(t, err)
	for text, want := range map[string]string{
		`[{"a":"x","b":1}]`: `validate: /0/a: must be one of "X"`,
		`[{"a":null}]`:      `validate: required member "/0/b" is missing; /0/a: must be one of "X"`,
		`[1,1]`:             "validate: items 0 and 1 are the same",
		`{}`:                "validate: must be array, got object",
		`null`:              "validate: must be array, got null",
		`[1e400]`:           `validate "/0": number 1e400 is not finite or too long`,
		`[1,]`:              "json at byte 3: unexpected ']', want a value",
		``:                  "json at byte 0: unexpected end of text, want a value",
		"\uFEFF[]":          "validate: starts with a byte order mark",
	} {
		require.EqualError(t, s.Validate([]byte(text)), want, text)
	}
	require.NoError(t, s.Validate([]byte(`[1,2.0,{"b":null}]`)))
}

// TestTextInput has A6-60 and the single-input rows of T3.
func TestTextInput(t *testing.T) {
	for args, want := range map[string]string{
		`{"input":"a \u0041\n"}`:      "a A\n",
		`{"input":""}`:                "",
		`{"input":5}`:                 "5",
		`{"input":1.50}`:              "1.50",
		`{"input":true}`:              "true",
		`{"input": { "k" : [1, 2] }}`: `{"k":[1,2]}`,
		`{"input":"x","other":1}`:     "x",
		"\uFEFF{\"input\":\"x\"}":     "x",
		`{"input":null}`:              `{"input":null}`,
		`{"other":1}`:                 `{"other":1}`,
		`{"Input":"x"}`:               `{"Input":"x"}`,
		`{"input":"x"`:                `{"input":"x"`,
		`{"input":"x","input":"y"}`:   `{"input":"x","input":"y"}`,
		`{}`:                          `{}`,
		``:                            ``,
		`null`:                        `null`,
		`[1]`:                         `[1]`,
		`"x"`:                         `"x"`,
		`plain words`:                 `plain words`,
	} {
		require.Equal(t, want, string(schema.TextInput([]byte(args))), args)
	}
	require.Nil(t, schema.TextInput(nil))
}
