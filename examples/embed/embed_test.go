package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/readmetest"
	"github.com/wasmtools/wasmtools/tool"
)

func TestREADME(t *testing.T) { readmetest.Run(t, "examples/embed/README.md") }

func TestMultiply(t *testing.T) {
	for path, code := range map[string]tool.Code{
		"none.wasm":         tool.BadModule,
		"main.go":           tool.BadModule,
		"../text/text.wasm": tool.NotFound,
	} {
		_, err := multiply(t.Context(), path)
		require.ErrorIs(t, err, code, path)
	}
	answer, err := multiply(t.Context(), "../calculator/calculator.wasm")
	require.NoError(t, err)
	require.Equal(t, "105", answer)
}
