package schema

import (
	"bytes"

	"github.com/wasmtools/wasmtools/internal/strictjson"
)

// TextInput returns what a tool that takes text gets of a call's arguments: of {"input":X} the text of X, which is a
// string's content and the compact JSON of any other value. Everything else is handed over as it came, whether it is JSON
// or not, an object whose "input" is null, or of more values than [strictjson.Options] allow, included. The result may alias
// args.
func TextInput(args []byte) []byte {
	start := bytes.TrimLeft(bytes.TrimPrefix(args, []byte(strictjson.BOM)), " \t\r\n")
	if len(start) == 0 || start[0] != '{' {
		return args
	}
	v, err := strictjson.Parse(args, &strictjson.Options{MaxBytes: -1})
	if err != nil {
		return args
	}
	switch input := v.Member("input"); {
	case input == nil || input.Kind == strictjson.Null:
		return args
	case input.Kind == strictjson.String:
		return []byte(input.Text)
	default:
		return input.Append(nil)
	}
}
