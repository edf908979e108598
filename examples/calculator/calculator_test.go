package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/examples/internal/exampletest"
	"github.com/wasmtools/wasmtools/internal/readmetest"
	"github.com/wasmtools/wasmtools/tool"
)

func TestREADME(t *testing.T) { readmetest.Run(t, "examples/calculator/README.md") }

// TestModule calls the built module.
func TestModule(t *testing.T) {
	calculator := exampletest.Load(t, "calculator.wasm", nil)

	t.Run("A10-84 the worked example", func(t *testing.T) {
		product := calculator.Text("multiply", `{"a":15,"b":7}`)
		require.Equal(t, "105", product, "T7: a whole number is written without a point")
		sum := calculator.Text("add", fmt.Sprintf(`{"a":%s,"b":23}`, product))
		require.Equal(t, "128", sum)
		require.Equal(t, "11.313708498984761", calculator.Text("sqrt", fmt.Sprintf(`{"x":%s}`, sum)))
	})

	t.Run("T10 the tool refuses arguments", func(t *testing.T) {
		for call, args := range map[string]string{"divide": `{"a":1,"b":-0.0}`, "sqrt": `{"x":-1}`} {
			result, err := calculator.Call(call, args)
			require.NoError(t, err)
			require.Equal(t, tool.InvalidArguments, result.Error.Code)
			require.EqualValues(t, 422, *result.Error.Status)
			require.Contains(t, result.Text(), "must not be")
		}
	})

	t.Run("T10 the operation fails", func(t *testing.T) {
		result, err := calculator.Call("multiply", `{"a":1e200,"b":-1e200}`)
		require.NoError(t, err)
		require.Equal(t, tool.ToolFailed, result.Error.Code)
		require.Equal(t, errOverflow.Error(), result.Text())
		require.Empty(t, result.Structured)
	})

	t.Run("the schema refuses arguments", func(t *testing.T) {
		for _, args := range []string{`{}`, `{"a":1}`, `{"a":1,"b":"2"}`, `{"a":1,"b":null}`, `{"a":1,"b":1e999}`, `{"a":1,"b":NaN}`, `{"a":1,"b":2,"c":3}`} {
			calculator.Refused("add", args)
		}
	})
}
