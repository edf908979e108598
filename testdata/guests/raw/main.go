// Raw is a guest whose spec is written by hand: two tools in a few kilobytes.
package main

import (
	"bytes"

	"github.com/wasmtools/wasmtools/sdk-guest/raw"
)

func init() {
	raw.Register(`{"name": "shout", "description": "Returns the text in capitals.", "input": "text"}`, shout)
	raw.Register(`{"name": "echo", "description": "Returns its arguments.",
		"inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}}`, echo)
}

func shout(c raw.Context, input []byte) raw.Result {
	if len(input) == 0 {
		return raw.BadArguments(422, "there is nothing to shout")
	}
	c.LogText(raw.LevelInfo, "shouting")
	return raw.Text(string(bytes.ToUpper(input)))
}

func echo(_ raw.Context, input []byte) raw.Result { return raw.JSON(string(input)) }

func main() {}
