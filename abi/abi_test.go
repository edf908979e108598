package abi_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/abi"
)

// TestStatus covers T9: codes of any sign pass, as far as they fit.
func TestStatus(t *testing.T) {
	for _, code := range []int32{0, 1, -1, 400, 422, 503, abi.MinCode, abi.MaxCode} {
		for kind := abi.KindFailed; kind <= abi.KindRejected; kind++ {
			s := abi.NewStatus(kind, code)
			require.Equal(t, kind, s.Kind())
			require.Equal(t, code, s.Code())
			require.True(t, s.Valid())
		}
		require.Equal(t, code == 0, abi.NewStatus(abi.KindText, code).Valid(), "only errors have codes")
	}
	require.Zero(t, abi.NewStatus(abi.KindFailed, abi.MaxCode+1).Code())
	require.Zero(t, abi.NewStatus(abi.KindFailed, abi.MinCode-1).Code())
	for _, s := range []abi.Status{6, 0x77, 0xff, -1, 0x100, -0x100} {
		require.False(t, s.Valid(), "%#x", int32(s))
	}
}

func TestDecision(t *testing.T) {
	d := abi.NewDecision(abi.DecisionEdit, abi.MaxStaged)
	require.Equal(t, int32(abi.DecisionEdit), d.Verdict())
	require.Equal(t, abi.MaxStaged, d.Size())
	require.Positive(t, d, "a decision is never taken for an error")
}

func TestFunctions(t *testing.T) {
	require.True(t, slices.IsSortedFunc(abi.Functions(), func(a, b abi.Function) int { return slices.Compare([]byte(a.Name), []byte(b.Name)) }))
	require.Contains(t, abi.ImportModule, fmt.Sprint(abi.ImportModulePrefix, abi.Version))
}

func TestWireLeavesOutWhatIsNotSaid(t *testing.T) {
	text, err := json.Marshal(abi.Module{Tools: []abi.Tool{{Name: "x"}}})
	require.NoError(t, err)
	require.Equal(t, `{"tools":[{"name":"x"}]}`, string(text))
	text, err = json.Marshal(abi.Result{})
	require.NoError(t, err)
	require.Equal(t, `{}`, string(text))
}

// The status of the example in docs/abi.md.
func ExampleNewStatus() {
	s := abi.NewStatus(abi.KindBadArguments, 422)
	fmt.Printf("%d %#08x\n", s, int32(s))
	// Output: 108036 0x0001a604
}
