package guest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/abi"
	guest "github.com/wasmtools/wasmtools/sdk-guest"
	"github.com/wasmtools/wasmtools/sdk-guest/guesttest"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/module"
)

func void(guest.Context, guest.None) (guest.None, error) { return guest.None{}, nil }

type greeter struct{ word string }

func (g greeter) Greet(_ guest.Context, in string) (string, error) { return g.word + in, nil }
func (g *greeter) greet(guest.Context, guest.None) (string, error) { return g.word, nil }
func generic[T any](_ guest.Context, in map[string]T) (int, error) { return len(in), nil }
func helper(c guest.Context, in guest.None) (guest.None, error)    { return void(c, in) }

func TestRegisterRefuses(t *testing.T) {
	tests := map[string]struct {
		register func()
		want     string
	}{
		"nil function": {func() { guest.Register[guest.None, guest.None]("a", "", nil) }, `register tool "a": the function is nil`},
		"nil text":     {func() { guest.RegisterText("a", "", nil) }, `register tool "a": the function is nil`},
		"A1-1 closure without a name": {func() {
			guest.Register(" ", "", func(guest.Context, guest.None) (string, error) { return "", nil })
		}, `the name is blank, and the function's own is not known here`},
		"A4-39 metadata list": {func() { guest.Register("a", "", void, guest.Metadata(`[1]`)) }, `register tool "a": metadata "[1]": not a JSON object`},
		"A4-39 metadata text": {func() { guest.Register("a", "", void, guest.Metadata(`{`)) }, `metadata "{": not a JSON object`},
		"A4-39 metadata null": {func() { guest.Register("a", "", void, guest.Metadata(`null`)) }, `metadata "null": not a JSON object`},
		"T11 parameter": {func() {
			guest.Register("a", "", func(guest.Context, struct{ N chan int }) (string, error) { return "", nil })
		}, `register tool "a": parameter "N": type chan int`},
		"result":           {func() { guest.Register("a", "", func(guest.Context, guest.None) (chan int, error) { return nil, nil }) }, `register tool "a": result: type chan int`},
		"text as argument": {func() { guest.Register("a", "", func(guest.Context, string) (string, error) { return "", nil }) }, `arguments of type string: must be a struct or a map`},
		"several tools at once": {func() {
			guest.Register("a", "", void, guest.Metadata(`1`))
			guest.Register("b", "", void)
			guest.Register("c", "", void, guest.Metadata(`2`))
		}, "register tool \"a\": metadata \"1\": not a JSON object\nregister tool \"c\": metadata \"2\": not a JSON object"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			fresh(t)
			test.register()
			_, err := guesttest.Module()
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestNames(t *testing.T) {
	g := &greeter{"hi"}
	tests := map[string]struct {
		register func()
		want     string
	}{
		"A1-2 explicit":       {func() { guest.Register("other", "", void) }, "other"},
		"A1-1 empty":          {func() { guest.Register("", "", void) }, "void"},
		"A1-1 blank":          {func() { guest.Register("  ", "", helper) }, "helper"},
		"A1-13 method":        {func() { guest.RegisterText("", "", g.Greet) }, "Greet"},
		"A1-13 hidden method": {func() { guest.Register("", "", g.greet) }, "greet"},
		"A1-13 named closure": {func() {
			guest.Register("c", "", func(guest.Context, guest.None) (string, error) { return g.word, nil })
		}, "c"},
		"A1-13 generic": {func() { guest.Register("", "", generic[string]) }, "generic"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			fresh(t)
			test.register()
			require.Equal(t, test.want, describe(t).Name)
		})
	}
}

func TestDescribe(t *testing.T) { // A2-16
	fresh(t)
	guest.Register("a", "one <b> & \"two\"\nlines  ", void,
		guest.Title("A"), guest.Version("1.0"), guest.ReadOnly(), guest.Destructive(false), guest.Idempotent(), guest.OpenWorld(),
		guest.ReturnImmediate(), guest.Metadata(`{"k": "<v>"}`), guest.RequestLimits(guest.Limits{TimeMS: 10}),
		guest.RequireApproval(), guest.NeedsMemoryID(), guest.NeedsParam("tenant"), nil)
	text, ok := module.Registered().Spec()
	require.True(t, ok)
	require.Equal(t, `{"tools":[{"name":"a","title":"A","description":"one <b> & \"two\"\nlines  ","version":"1.0",`+
		`"inputSchema":{"properties":{},"additionalProperties":false,"type":"object","required":[]},`+
		`"annotations":{"readOnly":true,"destructive":false,"idempotent":true,"openWorld":true},"return":"immediate","requireApproval":true,`+
		`"inject":["memoryId","params.tenant"],"metadata":{"k":"<v>"},"limits":{"timeMs":10}}]}`, text) // A1-8, A1-10, A3-36, A11-89
	again, _ := module.Registered().Spec()
	require.Equal(t, text, again)
}

func TestDescribeMinimal(t *testing.T) {
	fresh(t)
	text, ok := module.Registered().Spec()
	require.True(t, ok)
	require.Equal(t, `{"tools":[]}`, text) // A1-14

	guest.Register("a", "", void, guest.ClosedWorld(), guest.ReturnImmediateIfLast())
	tool := describe(t)
	require.Empty(t, tool.Description)
	require.Equal(t, abi.ReturnImmediateIfLast, tool.Return) // T12
	require.False(t, *tool.Annotations.OpenWorld)
	require.Nil(t, tool.Annotations.ReadOnly)
}

func TestRegisterText(t *testing.T) {
	fresh(t)
	guest.RegisterText("shout", "Shouts.", func(_ guest.Context, in string) (string, error) { return strings.ToUpper(in), nil })
	tool := describe(t)
	require.Equal(t, abi.InputText, tool.Input)
	// A3-37: to the byte
	require.Equal(t, `{"type":"object","properties":{"input":{"type":"string","description":"The input to pass to the tool"}},"required":["input"]}`, string(tool.InputSchema))
	for in, want := range map[string]string{ // A6-60
		`{"input":"a\u0000b"}`: "A\x00B",
		`{"other":"a"}`:        `{"OTHER":"A"}`,
		`{"input":null}`:       `{"INPUT":NULL}`,
		`plain`:                `PLAIN`,
		``:                     ``,
	} {
		res, err := guesttest.Call("shout", in, nil)
		require.NoError(t, err)
		require.Equal(t, want, res.Text)
	}
}

func TestMixedKindsKeepTheirOrder(t *testing.T) { // A3-38, A1-12
	fresh(t)
	guest.Register("one", "", void)
	guest.RegisterText("two", "", (greeter{"hi "}).Greet)
	guest.Register("three", "", generic[bool])
	m, err := guesttest.Module()
	require.NoError(t, err)
	require.Len(t, m.Tools, 3)
	res, err := guesttest.Call("two", `{"input":"Ann"}`, nil)
	require.NoError(t, err)
	require.Equal(t, "hi Ann", res.Text)
	res, err = guesttest.Call("three", `{"a":true,"b":false}`, nil)
	require.NoError(t, err)
	require.Equal(t, "2", res.Text)
}

func TestNoParameters(t *testing.T) { // A3-35
	for _, arguments := range []string{`{}`, ``, "  "} {
		require.Equal(t, "Success", call(t, void, arguments, nil).Text)
	}
}

type colored string

func (colored) Enum() []string { return []string{"RED", "GREEN"} }

func TestArguments(t *testing.T) {
	type args struct {
		Set  guest.Set[colored]    `json:"set,omitempty"`
		Opt  guest.Optional[int32] `json:"opt"`
		Deep guest.Optional[*struct {
			N int8 `json:"n" jsonschema:"default=3"`
		}] `json:"deep"`
		Seven int64    `json:"seven" jsonschema:"default=7"`
		List  []string `json:"list" jsonschema:"default=a,default=b"`
	}
	var got args
	keep := func(_ guest.Context, in args) (guest.None, error) { got = in; return guest.None{}, nil }

	call(t, keep, `{"set":["GREEN","RED","GREEN"]}`, nil)
	require.Equal(t, guest.Set[colored]{"GREEN", "RED"}, got.Set) // T6
	require.True(t, got.Opt.IsZero())
	require.Equal(t, int64(7), got.Seven) // T11
	got.List[0] = "changed"

	call(t, keep, `{"opt":null,"seven":null,"list":null,"deep":{}}`, nil)
	require.True(t, got.Opt.IsNull()) // A6-58: not the same as absent
	require.Equal(t, int64(7), got.Seven)
	require.Equal(t, []string{"a", "b"}, got.List) // T11: a fresh copy
	deep, ok := got.Deep.Get()
	require.True(t, ok)
	require.Equal(t, int8(3), deep.N)

	call(t, keep, `{"opt":0,"seven":0}`, nil)
	n, ok := got.Opt.Get()
	require.True(t, ok)
	require.Zero(t, n)
	require.Zero(t, got.Seven)
}

func TestArgumentsAreRefused(t *testing.T) {
	fresh(t)
	guest.Register("t", "", func(_ guest.Context, in struct {
		A string          `json:"a,omitempty"`
		B []byte          `json:"b,omitempty"`
		N []int8          `json:"n,omitempty"`
		D json.RawMessage `json:"d,omitempty"`
	}) (string, error) {
		return in.A, nil
	})
	for arguments, want := range map[string]string{
		`{"A":1}`:     `call "t": arguments: "A": is not allowed`, // T6
		`{"a":1}`:     `call "t": arguments: "a": must be of type string`,
		`{"n":[1.5]}`: `"n[0]": must be of type integer`,
		`{`:           `call "t": arguments: unexpected EOF`,
	} {
		_, err := guesttest.Call("t", arguments, nil)
		require.ErrorContains(t, err, want)
	}
	res, err := guesttest.Call("t", `{"b":"***"}`, nil) // what only decoding finds
	require.NoError(t, err)
	require.Equal(t, abi.ErrorArguments, res.Error.Kind)
	require.Contains(t, res.Error.Message, "base64")

	_, err = guesttest.Call("T", `{}`, nil)
	require.EqualError(t, err, `call "T": the module has no such tool`)
}

func TestAllowUnknown(t *testing.T) { // A6-59, T6
	res := call(t, func(_ guest.Context, in struct {
		A string `json:"a,omitempty"`
	}) (string, error) {
		return "a=" + in.A, nil
	}, `{"A":"evil","b":[1]}`, nil, guest.AllowUnknown())
	require.Equal(t, "a=", res.Text)
}
