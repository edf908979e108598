package schema_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestErrorsAllocateLittle has few values with very many errors. What they cost beside building them is bounded.
func TestErrorsAllocateLittle(t *testing.T) {
	long := strings.Repeat("n", 99)
	open := `{"1` + long + `":{"2` + long + `":{"3` + long + `":`
	deep := func(inner string) string {
		return `{"type":"object","additionalProperties":{"additionalProperties":{"additionalProperties":` + inner + `}}}`
	}
	for name, c := range map[string]struct {
		schema, args string
		most         float64
	}{
		"missing names": {
			`{"type":"object","required":[` + repeat(5000, `"r%d"`) + `]}`, `{}`, 2000,
		},
		"violations that read alike": { // 2000 times 500 known names to sort
			deep(`{"items":{"additionalProperties":false,"properties":{` + repeat(500, `"p%d":true`) + `}}}`),
			open + `[` + strings.Repeat(`{"z":1},`, 2000) + `{"z":1}]}}}`, 60_000,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := compileInput(t, c.schema)
			require.Less(t, testing.AllocsPerRun(3, func() {
				_, _, err := s.Arguments([]byte(c.args), nil)
				require.NotNil(t, err)
			}), c.most)
		})
	}
}

// TestManyMissing has more missing members than are listed: the first by name, whatever the order of the schema's.
func TestManyMissing(t *testing.T) {
	s := compileInput(t, `{"type":"object","required":[`+repeat(100, `"r1%02[1]d","r0%02[1]d"`)+`]}`)
	_, _, err := s.Arguments([]byte(`{}`), nil)
	require.NotNil(t, err)
	require.True(t, strings.HasPrefix(err.Message, `invalid arguments: required parameters "r000", "r001", "r002", `), err.Message)
	require.True(t, strings.HasSuffix(err.Message, `, "r048", "r049" and 150 more are missing or null`), err.Message)

	s = compileInput(t, `{"type":"object","allOf":[{"required":["a","b"]},{"required":["b"]}]}`)
	_, _, err = s.Arguments([]byte(`{}`), nil)
	require.EqualError(t, err, `invalid arguments: required parameters "a", "b" are missing or null`)

	s = compileInput(t, `{"type":"object","additionalProperties":{"type":"string"}}`)
	_, _, err = s.Arguments([]byte(`{`+repeat(500, `"m%03d":1`)+`}`), nil)
	require.NotNil(t, err)
	require.True(t, strings.HasPrefix(err.Message, `invalid arguments: /m000: must be string, got number 1; /m001: `), err.Message)
	require.True(t, strings.HasSuffix(err.Message, `; and 495 more`), err.Message)
}

// TestMendsFewPlaces has a null among more wrong members than a slip makes: finding each of them would take too long.
func TestMendsFewPlaces(t *testing.T) {
	s := compileInput(t, `{"type":"object","properties":{"a":{"type":"string"},"z":{"items":{"properties":{"x":{"type":"string"}}}}}}`)
	wrong := func(n int) []byte {
		return []byte(`{"a":null,"z":[` + strings.Repeat(`{"x":1},`, n) + `{}]}`)
	}
	_, _, err := s.Arguments(wrong(900), nil)
	require.NotNil(t, err)
	require.NotContains(t, err.Message, "got null")
	_, _, err = s.Arguments(wrong(1000), nil)
	require.NotNil(t, err)
	require.Contains(t, err.Message, "/a: must be string, got null")
}
