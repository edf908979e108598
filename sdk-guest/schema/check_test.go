package schema_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/sdk-guest/schema"
)

func TestCheck(t *testing.T) {
	const s = `{"type":"object","properties":{
		"n":{"type":"integer","minimum":-128,"maximum":127},"u":{"type":"integer","maximum":18446744073709551615},
		"x":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1,"multipleOf":0.25},
		"s":{"type":"string","pattern":"^[a-z]+$","minLength":2,"maxLength":3},"e":{"enum":["a",1,null]},
		"l":{"type":"array","items":{"type":"boolean"},"minItems":1,"maxItems":2},
		"m":{"type":"object","propertyNames":{"pattern":"^k"},"additionalProperties":{"type":"string"}},
		"r":{"$ref":"#/$defs/node"},"o":{"anyOf":[{"type":"string"},{"type":"null"}]}},
		"required":["n","o"],"additionalProperties":false,
		"$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}},"required":["next"]}}}`
	tests := map[string]string{ // arguments to error
		`{"n":5,"o":null}`:                                               ``,
		`{"n":-128,"o":"","u":18446744073709551615}`:                     ``,
		`{"n":5,"o":"","x":0.5,"s":"ab","e":1,"l":[true],"m":{"k":"v"}}`: ``,
		`{"n":5,"o":"","s":null}`:                                        ``, // null is absent where it may be
		`[]`:                                                             `must be of type object`,
		`{"n":`:                                                          `unexpected EOF`,
		`{"o":""}`:                                                       `"n": is missing or null`,
		`{"n":null,"o":""}`:                                              `"n": is missing or null`,
		`{"n":5}`:                                                        `"o": is missing or null`,
		`{"n":5.5,"o":""}`:                                               `"n": must be of type integer`,
		`{"n":"5","o":""}`:                                               `"n": must be of type integer`,
		`{"n":128,"o":""}`:                                               `"n": is 128, the maximum is 127`,
		`{"n":5,"o":"","u":18446744073709551616}`: ``, // beyond 64 bits the comparison is that of float64
		`{"n":5,"o":"","x":0}`:                    `"x": is 0, the exclusiveMinimum is 0`,
		`{"n":5,"o":"","x":1}`:                    `"x": is 1, the exclusiveMaximum is 1`,
		`{"n":5,"o":"","x":0.3}`:                  `"x": must be a multiple of 0.25`,
		`{"n":5,"o":"","x":1e400}`:                `"x": is not finite`,
		`{"n":5,"o":"","s":"a"}`:                  `"s": has length 1, the minLength is 2`,
		`{"n":5,"o":"","s":"abcd"}`:               `"s": has length 4, the maxLength is 3`,
		`{"n":5,"o":"","s":"AB"}`:                 `"s": does not match the pattern "^[a-z]+$"`,
		`{"n":5,"o":"","e":[]}`:                   `"e": must be one of [a 1 <nil>]`,
		`{"n":5,"o":"","l":[]}`:                   `"l": has length 0, the minItems is 1`,
		`{"n":5,"o":"","l":[true,null]}`:          `"l[1]": must be of type boolean`,
		`{"n":5,"o":"","m":{"k":null}}`:           `"m.k": must be of type string`,
		`{"n":5,"o":"","m":{"x":"v"}}`:            `"m.x": does not match the pattern "^k"`,
		`{"n":5,"o":"","r":{"next":{}}}`:          `"r.next.next": is missing or null`,
		`{"n":5,"o":1}`:                           `"o": fits none of the alternatives`,
		`{"n":5,"o":"","N":1}`:                    `"N": is not allowed`,
	}
	for arguments, want := range tests {
		t.Run(arguments, func(t *testing.T) {
			err := schema.Check([]byte(s), []byte(arguments))
			if want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, want)
		})
	}
}

// Schemas are our own; values come from whoever writes a test.
func FuzzCheck(f *testing.F) {
	const s = `{"properties":{"e":{"enum":["a",1,null]},"r":{"$ref":"#/$defs/node"},"n":{"multipleOf":3,"minimum":-5}},
		"additionalProperties":{"anyOf":[{"type":"string"},{"type":"array","items":{"pattern":"^a+$"}}]},
		"$defs":{"node":{"properties":{"next":{"$ref":"#/$defs/node"}},"required":["next"]}}}`
	f.Add(`{"e":[],"r":{"next":{"next":null}},"n":1e999,"x":["b"]}`)
	f.Fuzz(func(t *testing.T, v string) {
		if schema.Check([]byte(s), []byte(v)) == nil {
			require.NoError(t, schema.Check([]byte(`{}`), []byte(v)))
		}
	})
}
