package guest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/abi"
	guest "github.com/wasmtools/wasmtools/sdk-guest"
	"github.com/wasmtools/wasmtools/sdk-guest/guesttest"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/module"
)

// fresh gives a test a module of its own.
func fresh(t *testing.T) {
	t.Helper()
	tools := module.Registered()
	saved := *tools
	*tools = module.Tools{}
	t.Cleanup(func() { *tools = saved })
}

// call runs the tool "t" with a function, once.
func call[In, Out any](t *testing.T, fn func(guest.Context, In) (Out, error), arguments string, o *guesttest.Options, options ...guest.Option) *guesttest.Result {
	t.Helper()
	fresh(t)
	guest.Register("t", "", fn, options...)
	res, err := guesttest.Call("t", arguments, o)
	require.NoError(t, err)
	return res
}

// describe returns the description of the only tool.
func describe(t *testing.T) abi.Tool {
	t.Helper()
	m, err := guesttest.Module()
	require.NoError(t, err)
	require.Len(t, m.Tools, 1)
	return m.Tools[0]
}
