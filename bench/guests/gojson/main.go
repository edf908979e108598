// Gojson is a guest for benchmarks: JSON in, JSON out, by encoding/json. It is built by standard Go when benchmarks are run,
// and by TinyGo into the file beside it.
package main

import (
	"github.com/wasmtools/wasmtools/bench/guests/work"
	"github.com/wasmtools/wasmtools/sdk-guest/raw"
)

func init() {
	raw.Register(`{"name": "json", "description": "Sorts the items of its arguments."}`, json)
	raw.Register(`{"name": "sha256", "description": "Hashes 64 KB."}`, sha256)
}

func json(_ raw.Context, input []byte) raw.Result {
	output, err := work.JSON(input)
	if err != nil {
		return raw.BadArguments(0, err.Error())
	}
	return raw.JSON(string(output))
}

func sha256(raw.Context, []byte) raw.Result { return raw.JSON(string(work.SHA256())) }

func main() {}
