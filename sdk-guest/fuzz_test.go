package guest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	guest "github.com/wasmtools/wasmtools/sdk-guest"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/host"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/module"
)

type fuzzArgs struct {
	Set  guest.Set[string]                  `json:"set,omitempty"`
	Opt  guest.Optional[int8]               `json:"opt"`
	Map  map[string]guest.Optional[float64] `json:"map,omitempty"`
	Deep []struct {
		N uint8 `json:"n" jsonschema:"default=3"`
	} `json:"deep,omitempty"`
	Any any `json:"any,omitempty"`
}

// feed is a host that knows nothing but arguments. It hands them out whole and keeps the output.
type feed struct {
	host.Functions
	input  []byte
	output string
}

func (f *feed) Input() int32        { return int32(len(f.input)) }
func (f *feed) Read(p []byte) int32 { return int32(copy(p, f.input)) }
func (f *feed) Write(text string)   { f.output += text }

// echo is a module of one tool that returns its arguments.
func echo() *module.Tools {
	tools := module.Registered()
	saved := *tools
	*tools = module.Tools{}
	guest.Register("echo", "", func(_ guest.Context, in fuzzArgs) (fuzzArgs, error) { return in, nil }, guest.AllowUnknown())
	mine := *tools
	*tools = saved
	return &mine
}

func FuzzArguments(f *testing.F) {
	f.Add(`{"set":["a","b","a"],"opt":null,"map":{"k":null},"deep":[{},{"n":null}],"Any":1}`)
	f.Add(`{"opt":128,"any":[1e999,"\ud800"]}`)
	tools := echo()
	f.Fuzz(func(t *testing.T, arguments string) {
		first := &feed{input: []byte(arguments)}
		if tools.Execute(host.Host{Functions: first}, 0) != 1 {
			require.NotEmpty(t, first.output)
			return
		}
		require.True(t, json.Valid([]byte(first.output)))
	})
}

func BenchmarkCall(b *testing.B) {
	for name, arguments := range map[string]string{
		"given":   `{"set":["a","b"],"opt":1,"map":{"k":2},"deep":[{"n":1}],"any":true}`,
		"default": `{"deep":[{},{},{}]}`,
	} {
		b.Run(name, func(b *testing.B) {
			tools := echo()
			for b.Loop() {
				tools.Execute(host.Host{Functions: &feed{input: []byte(arguments)}}, 0)
			}
		})
	}
}
