// Command json is a guest for benchmarks: it decodes JSON into structures and encodes something of it, as tools do.
package main

import (
	"encoding/json"
	"slices"
	"strings"
	"unsafe"
)

type item struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Score float64  `json:"score"`
	Tags  []string `json:"tags,omitempty"`
}

type arguments struct {
	Query string         `json:"query"`
	Limit int            `json:"limit"`
	Items []item         `json:"items"`
	Opts  map[string]any `json:"opts"`
}

var input, output []byte

//go:wasmexport alloc
func alloc(n int32) int32 {
	input = make([]byte, n)
	return int32(uintptr(unsafe.Pointer(unsafe.SliceData(input))))
}

//go:wasmexport execute
func execute(_, n int32) int32 {
	var a arguments
	if err := json.Unmarshal(input[:n], &a); err != nil {
		return 0
	}
	slices.SortFunc(a.Items, func(x, y item) int { return int(y.Score - x.Score) })
	a.Limit = len(strings.Fields(a.Query))
	a.Query = strings.ToUpper(a.Query)
	output, _ = json.Marshal(a)
	return int32(len(output))
}

func main() {}
