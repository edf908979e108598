package raw

import (
	"errors"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/host"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/module"
)

// Register adds a tool. Call it while the module initialises, that is in init; the order of registration is the order
// of the tools in the module.
//
// The spec is one member of the array "tools" as docs/abi.md describes it: an abi.Tool as JSON, written by hand. It is
// passed on as it is and checked by the host when it loads the module. The function gets the arguments as the host hands
// them over: checked against the spec's input schema, as compact JSON; or as plain text where the spec says "input":"text".
//
// A nil function makes the module's spec fail.
func Register(spec string, fn func(Context, []byte) Result) {
	module.Registered().Add(module.Tool{
		Spec: func() (string, error) {
			if fn == nil {
				return "", errors.New("register raw tool: the function is nil")
			}
			return spec, nil
		},
		Run: func(h host.Host) abi.Status {
			result := fn(Context{h}, h.Input())
			h.Write(result.Output)
			return abi.NewStatus(result.Kind, result.Code)
		},
	})
}
