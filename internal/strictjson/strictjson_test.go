package strictjson_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/strictjson"
)

// TestParseRefuses has the rows of T3 that no strict reader takes.
func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		offset int
		reason string
	}{
		"T3 empty":                      {"", 0, "unexpected end of text"},
		"T3 blanks":                     {"  ", 2, "unexpected end of text"},
		"T3 escaped quotes":             {`{\"a\":\"x\"}`, 1, `unexpected '\\', want a member's name`},
		"T3 trailing comma":             {`{"a":"x",}`, 9, `unexpected '}', want a member's name`},
		"T3 trailing comma in an array": {`[1,]`, 3, `unexpected ']', want a value`},
		"T3 truncated":                  {`{"a":"x"`, 8, `unexpected end of text, want ',' or '}'`},
		"T3 truncated string":           {`{"a":"x`, 7, "end of text in a string"},
		"T3 single quotes":              {`{'a':'x'}`, 1, `unexpected '\''`},
		"T3 bare name":                  {`{a:"x"}`, 1, `unexpected 'a'`},
		"T3 fenced":                     {"```json\n{}\n```", 0, "unexpected '`'"},
		"T3 trailing text":              {`{"a":"x"} trailing`, 10, "text after the value: 't'"},
		"T3 duplicate":                  {`{"a":"x","a":"y"}`, 9, `duplicate member "a"`},
		"T3 duplicate by escape":        {`{"a":1,"\u0061":2}`, 7, `duplicate member "a"`},
		"T3 invalid UTF-8":              {"{\"a\":\"\xff\"}", 6, "not UTF-8"},
		"T3 overlong UTF-8":             {"\"\xc0\xaf\"", 1, "not UTF-8"},
		"T3 UTF-8 surrogate":            {"\"\xed\xa0\x80\"", 1, "not UTF-8"},
		"T3 NaN":                        {`{"a":NaN}`, 5, `unexpected 'N'`},
		"T3 Infinity":                   {`{"a":-Infinity}`, 6, `unexpected 'I', want a digit`},
		"T3 depth":                      {strings.Repeat("[", 65) + strings.Repeat("]", 65), 64, "nested more than 64 deep"},
		"T3 size":                       {`"` + strings.Repeat("x", 1<<20) + `"`, 1 << 20, "text of 1048578 bytes is over the limit of 1048576"},
		"lone high surrogate":           {`"\ud800"`, 1, "half of a surrogate pair"},
		"lone low surrogate":            {`"\udc00\ud800"`, 1, "half of a surrogate pair"},
		"two high surrogates":           {`"\ud800\ud800"`, 1, "half of a surrogate pair"},
		"sign in an escape":             {`"\u+123"`, 1, "unknown escape"},
		"underscore in an escape":       {`"\u1_23"`, 1, "unknown escape"},
		"escape at the end":             {`"\`, 1, "unknown escape"},
		"short escape":                  {`"\u12"`, 1, "unknown escape"},
		"newline in a string":           {"\"a\nb\"", 2, "control character"},
		"newline behind an escape":      {"\"\\t\nb\"", 3, "control character"},
		"leading zero":                  {`01`, 1, "text after the value"},
		"plus":                          {`+1`, 0, "unexpected '+'"},
		"no fraction":                   {`1.`, 2, "unexpected end of text, want a digit"},
		"no exponent":                   {`1e+`, 3, "unexpected end of text, want a digit"},
		"misspelt":                      {`nul`, 0, "unexpected 'n'"},
		"byte order mark inside":        {"{\uFEFF}", 1, "unexpected"},
		"no-break space":                {"\u00a0{}", 0, "unexpected"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := strictjson.Parse([]byte(c.text), nil)
			var e *strictjson.Error
			require.ErrorAs(t, err, &e)
			require.Contains(t, e.Reason, c.reason)
			require.Equal(t, c.offset, e.Offset)
			requireCheckAgrees(t, []byte(c.text), nil)
		})
	}
}

// requireCheckAgrees holds Check to what Parse says of a text.
func requireCheckAgrees(t *testing.T, text []byte, o *strictjson.Options) {
	_, err := strictjson.Parse(text, o)
	if strings.HasPrefix(string(text), strictjson.BOM) {
		require.ErrorContains(t, strictjson.Check(text, o), "byte order mark")
		return
	}
	require.Equal(t, err, strictjson.Check(text, o))
}

// TestDuplicatesAnywhere has objects on both sides of the size from which on names are looked up in a table.
func TestDuplicatesAnywhere(t *testing.T) {
	for size := range 40 {
		var members []string
		for i := range size {
			members = append(members, fmt.Sprintf(`"m%d":{"m%d":[{}]}`, i, (i+1)%size))
		}
		good := "{" + strings.Join(members, ",") + "}"
		require.NoError(t, strictjson.Check([]byte(good), nil))
		for i := range size {
			for _, again := range []string{`"m%d":0`, `"\u006d%d":0`} {
				again = fmt.Sprintf(again, i)
				text := []byte(strings.TrimSuffix(good, "}") + "," + again + "}")
				err := strictjson.Check(text, nil)
				require.Equal(t, &strictjson.Error{Offset: len(text) - len(again) - 1, Reason: fmt.Sprintf(`duplicate member "m%d"`, i)}, err)
				requireCheckAgrees(t, text, nil)
			}
		}
	}
}

func TestDuplicatesInLargeObjects(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		b.WriteString(`"m` + strings.Repeat("x", i) + `":0,`)
	}
	_, err := strictjson.Parse([]byte("{"+b.String()+`"z":0}`), nil)
	require.NoError(t, err)
	for _, name := range []string{"m", "mxxxxxxxxxxxxxxxxxxxx", "mxxxxx"} {
		_, err = strictjson.Parse([]byte("{"+b.String()+`"`+name+`":0}`), nil)
		require.ErrorContains(t, err, "duplicate member")
	}
}

func TestParseKeeps(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"order":                {` { "b" : 1 , "a" : [ true , null ] } `, `{"b":1,"a":[true,null]}`},
		"A6-55 numbers":        {`[9007199254740993,123456789012345678901234567890,1.50,-0,1E400]`, `[9007199254740993,123456789012345678901234567890,1.50,-0,1E400]`},
		"T3 byte order mark":   {"\uFEFF{}", `{}`},
		"needless escapes":     {`"\u0041\/\u00e9\uD83D\uDE00"`, `"A/é😀"`},
		"needed escapes":       {`"\u0022\\\b\u001f\n\r\t\u007f"`, "\"\\\"\\\\\\u0008\\u001f\\n\\r\\t\x7f\""},
		"U+FFFD as such":       {"\"\uFFFD\"", "\"\uFFFD\""},
		"names that need help": {`{"\"\n":0}`, `{"\"\n":0}`},
		"sixty-four deep":      {strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 64) + strings.Repeat("]", 64)},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := strictjson.Parse([]byte(c.text), nil)
			require.NoError(t, err)
			require.Equal(t, c.want, string(v.Append(nil)))
		})
	}
}

func TestChange(t *testing.T) {
	v, err := strictjson.Parse([]byte(`{"a":{"list":[1,2]},"b":null,"c":false,"d":"x"}`), nil)
	require.NoError(t, err)
	require.True(t, v.Delete("c"))
	require.False(t, v.Delete("c"))
	v.Member("b").Omit = true
	v.At([]string{"a", "list", "1"}).Text = "3"
	require.Equal(t, `{"a":{"list":[1,3]},"b":null,"d":"x"}`, string(v.Append(nil)))
	require.Equal(t, map[string]any{
		"a": map[string]any{"list": []any{json.Number("1"), json.Number("3")}}, "d": "x",
	}, v.Any())

	for _, path := range [][]string{{"z"}, {"a", "list", "2"}, {"a", "list", "-1"}, {"a", "list", "x"}, {"d", "0"}, {"b", "a"}} {
		require.Nil(t, v.At(path), path)
	}
	require.Same(t, v, v.At(nil))
}

func TestOptions(t *testing.T) {
	_, err := strictjson.Parse([]byte(`[[]]`), &strictjson.Options{MaxDepth: 1})
	require.ErrorContains(t, err, "nested more than 1 deep")
	_, err = strictjson.Parse([]byte(`[]`), &strictjson.Options{MaxBytes: 1})
	require.ErrorContains(t, err, "over the limit of 1")
	_, err = strictjson.Parse([]byte(`"`+strings.Repeat("x", 2<<20)+`"`), &strictjson.Options{MaxBytes: -1})
	require.NoError(t, err)
	require.ErrorContains(t, strictjson.Check([]byte("\uFEFF{}"), nil), "byte order mark")
	require.NoError(t, strictjson.Check([]byte("{}"), nil))
}

func TestMaxValues(t *testing.T) {
	four := []byte(`{"a":[1,{}]}`)
	for limit, want := range map[int]error{
		4: nil, 5: nil, -1: nil, 0: nil,
		3: &strictjson.Error{Offset: 8, Reason: "text of 4 values is over the limit of 3", Limit: true},
		1: &strictjson.Error{Offset: 5, Reason: "text of 4 values is over the limit of 1", Limit: true},
	} {
		o := &strictjson.Options{MaxValues: limit}
		require.Equal(t, want, strictjson.Check(four, o))
		requireCheckAgrees(t, four, o)
		if want != nil {
			require.Equal(t, want, strictjson.Decode(four, o, new(any)))
		}
	}
	most := []byte(`[` + strings.Repeat("1,", 99_998) + `1]`)
	require.NoError(t, strictjson.Check(most, nil))
	over := append(most[:len(most)-1], `,1]`...)
	require.ErrorContains(t, strictjson.Check(over, nil), "text of 100001 values is over the limit of 100000")
	require.ErrorContains(t, strictjson.Check(append(over, '1'), nil), "text after the value", "a mistake behind the limit counts first")
}

// TestMemoryIsBounded has a megabyte of the smallest values and members. Check needs little more than the text, however many
// there are, and Parse no more for what it refuses.
func TestMemoryIsBounded(t *testing.T) {
	const size = 1 << 20
	allocated := func(f func()) int {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return int(after.TotalAlloc - before.TotalAlloc)
	}
	for name, text := range shapes(size) {
		require.Less(t, allocated(func() {
			require.NoError(t, strictjson.Check(text, &strictjson.Options{MaxBytes: -1, MaxValues: -1}), name)
		}), 8*size, name)
		require.Less(t, allocated(func() {
			_, _ = strictjson.Parse(text, &strictjson.Options{MaxBytes: -1, MaxValues: 10_000})
		}), 8*size, name)
	}
}

type inner struct {
	Raw  json.RawMessage `json:"raw"`
	Skip string          `json:"-"`
	Bare int
}

type Embedded struct {
	Deep int `json:"deep"`
}

type outer struct {
	Embedded
	Name  string           `json:"name"`
	List  []inner          `json:"list,omitempty"`
	Map   map[string]inner `json:"map"`
	Ptr   *inner           `json:"ptr"`
	Any   any              `json:"any"`
	Bytes []byte           `json:"bytes"`
}

func TestDecode(t *testing.T) {
	for name, c := range map[string]struct{ text, err string }{
		"unknown member":      {`{"nam":"x"}`, `unknown member "nam"`},
		"T6 other case":       {`{"Name":"x"}`, `unknown member "Name"`},
		"unknown in a list":   {`{"list":[{},{"bare":1}]}`, `unknown member "list.bare"`},
		"unknown in a map":    {`{"map":{"k":{"x":1}}}`, `unknown member "map.k.x"`},
		"behind a pointer":    {`{"ptr":{"x":1}}`, `unknown member "ptr.x"`},
		"skipped field":       {`{"ptr":{"Skip":""}}`, `unknown member "ptr.Skip"`},
		"dash":                {`{"ptr":{"-":""}}`, `unknown member "ptr.-"`},
		"embedded's own name": {`{"Embedded":{}}`, `unknown member "Embedded"`},
		"wrong type":          {`{"name":5}`, "cannot unmarshal number"},
		"object for a list":   {`{"list":{"a":{}}}`, "cannot unmarshal object"},
		"list for an object":  {`[]`, "cannot unmarshal array"},
		"duplicate":           {`{"name":"a","name":"b"}`, "duplicate member"},
		"long name":           {`{"` + strings.Repeat("n", 1<<20-20) + `":0}`, "n…"},
		"long number":         {`{"ptr":{"Bare":` + strings.Repeat("1", 1<<20-20) + `}}`, "1…"},
		"long duplicate":      {`{"` + strings.Repeat("n", 1<<19-20) + `":0,"` + strings.Repeat("n", 1<<19-20) + `":0}`, "n…"},
		"duplicate in raw":    {`{"ptr":{"raw":{"a":1,"a":2}}}`, "duplicate member"},
	} {
		t.Run(name, func(t *testing.T) {
			err := strictjson.Decode([]byte(c.text), nil, new(outer))
			require.ErrorContains(t, err, c.err)
			require.Less(t, len(err.Error()), 300)
		})
	}
	var got outer
	text := "\uFEFF" + `{"deep":1,"name":"n","list":[{"raw":{"Any":1},"Bare":2}],"map":{"K":{}},"ptr":null,"any":{"x":1},"bytes":"AQI="}`
	require.NoError(t, strictjson.Decode([]byte(text), nil, &got))
	require.Equal(t, outer{
		Embedded: Embedded{Deep: 1}, Name: "n", List: []inner{{Raw: json.RawMessage(`{"Any":1}`), Bare: 2}},
		Map: map[string]inner{"K": {}}, Any: map[string]any{"x": 1.0}, Bytes: []byte{1, 2},
	}, got)
	require.Error(t, strictjson.Decode([]byte(`{}`), nil, nil))
	require.Error(t, strictjson.Decode([]byte(`{}`), nil, outer{}))
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-0.5e+3,"\ud83d\ude00",null,true]}`, `"\ud800"`, "\uFEFF{}", `{"a":1,"a":2}`, "[\"\xff\"]", `[[[`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		requireCheckAgrees(t, text, nil)
		requireCheckAgrees(t, text, &strictjson.Options{MaxValues: 3})
		v, err := strictjson.Parse(text, nil)
		bare := strings.TrimPrefix(string(text), strictjson.BOM)
		std, stdErr := stdDecode(bare)
		if err != nil {
			var e *strictjson.Error
			require.ErrorAs(t, err, &e)
			require.LessOrEqual(t, e.Offset, len(text))
			if stdErr == nil {
				require.Regexp(t, "not UTF-8|duplicate member|nested more|half of a surrogate|over the limit", e.Reason)
			}
			if stdErr == nil && strings.HasPrefix(e.Reason, "duplicate member") {
				require.True(t, hasDuplicates(bare))
			}
			return
		}
		require.NoError(t, stdErr)
		require.False(t, hasDuplicates(bare))
		require.Equal(t, std, v.Any())
		again, err := strictjson.Parse(v.Append(nil), &strictjson.Options{MaxBytes: -1})
		require.NoError(t, err)
		require.Equal(t, v, again)
	})
}

func stdDecode(text string) (any, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err == nil || err.Error() != "EOF" {
		return nil, errors.New("trailing text")
	}
	return v, nil
}

// hasDuplicates looks for members of the same name with encoding/json's tokens.
func hasDuplicates(text string) bool {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	type open struct {
		object bool
		tokens int // names and values read
		names  map[string]bool
	}
	stack := []open{{}}
	for {
		token, err := dec.Token()
		if err != nil {
			return false
		}
		if token == json.Delim('}') || token == json.Delim(']') {
			stack = stack[:len(stack)-1]
			continue
		}
		top := &stack[len(stack)-1]
		if top.tokens++; top.object && top.tokens%2 == 1 {
			name := token.(string)
			if top.names[name] {
				return true
			}
			top.names[name] = true
			continue
		}
		if delim, ok := token.(json.Delim); ok {
			stack = append(stack, open{object: delim == '{', names: map[string]bool{}})
		}
	}
}

func BenchmarkParse(b *testing.B) {
	text := []byte(`{"city":"Paris","days":5,"units":"metric","detailed":true,"tags":["a","b"],"where":{"lat":48.85,"lon":2.35}}`)
	b.Run("strict", func(b *testing.B) {
		for b.Loop() {
			v, err := strictjson.Parse(text, nil)
			require.NoError(b, err)
			_ = v.Any()
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		for b.Loop() {
			_, err := stdDecode(string(text))
			require.NoError(b, err)
		}
	})
}
