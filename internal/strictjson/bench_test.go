package strictjson_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/wasmtools/wasmtools/internal/strictjson"
)

// shapes returns texts of about size bytes each: what tools give, and what costs most for its size.
func shapes(size int) map[string][]byte {
	list := func(open, end string, item func(i int) string) []byte {
		b := append(make([]byte, 0, size+200), open...)
		for i := 0; len(b) < size; i++ {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, item(i)...)
		}
		return append(b, end...)
	}
	same := func(text string) func(int) string { return func(int) string { return text } }
	return map[string][]byte{
		"ones":    list("[", "]", same("1")),
		"arrays":  list("[", "]", same("[]")),
		"objects": list("[", "]", same(`{"a":{}}`)),
		"members": list("{", "}", func(i int) string { return fmt.Sprintf(`"%x":{}`, i) }),
		"wide": list("[", "]", func(i int) string {
			return `{` + strings.Repeat(`"aaaaaaaaaaaaaaaa":0,`, i%2) + fmt.Sprintf(`"b":0,"c%d":0,"d":0,"e":0,"f":0,"g":0,"h":0,"i":0,"j":0}`, i)
		}),
		"records": list("[", "]", func(i int) string {
			return fmt.Sprintf(`{"id": %d, "name": "Käthe Müller", "mail": "kaethe.%d@example.com", "score": 0.%d, "tags": ["a", "b"], "ok": true}`, i, i, i)
		}),
		"text":    []byte(`"` + strings.Repeat("The quick brown fox jumps over the lazy dog. ", size/45) + `"`),
		"escapes": []byte(`"` + strings.Repeat(`\n`, size/2) + `"`),
	}
}

func BenchmarkShapes(b *testing.B) {
	unlimited := &strictjson.Options{MaxBytes: -1, MaxValues: -1}
	for name, text := range shapes(4 << 20) {
		run := func(what string, f func() error) {
			b.Run(name+"/"+what, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("Check", func() error { return strictjson.Check(text, unlimited) })
		run("Parse", func() error { _, err := strictjson.Parse(text, unlimited); return err })
		run("encoding-json", func() error { return json.Unmarshal(text, new(any)) })
	}
}

// BenchmarkDecode has a result of very many parts, which is what costs most when it is decoded.
func BenchmarkDecode(b *testing.B) {
	type part struct {
		Type, Text, MIMEType, URI, Name string
		Data                            []byte
	}
	text := []byte(`{"content":[` + strings.Repeat("{},", 99_000) + `{}]}`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var into struct {
			Content []part `json:"content"`
		}
		if err := strictjson.Decode(text, nil, &into); err != nil {
			b.Fatal(err)
		}
	}
}
