package module_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/host"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/module"
)

func TestExecuteUnknownIndex(t *testing.T) {
	var tools module.Tools
	tools.Add(module.Tool{Run: func(host.Host) abi.Status { return 1 }})
	require.Equal(t, abi.Status(1), tools.Execute(host.Host{}, 0))
	for _, index := range []int32{-1, 1, 1 << 30} {
		require.Equal(t, abi.KindFailed, tools.Execute(host.Host{}, index).Kind())
	}
}
