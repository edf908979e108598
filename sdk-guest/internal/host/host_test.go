package host_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/host"
)

// odd is a host that announces one size and delivers another, a few bytes at a time.
type odd struct {
	announced int32
	staged    []byte
	step      int
	written   string
}

func (o *odd) Input() int32   { return o.announced }
func (o *odd) Context() int32 { return o.announced }
func (o *odd) Read(p []byte) int32 {
	n := copy(p[:min(o.step, len(p))], o.staged)
	o.staged = o.staged[n:]
	return int32(n)
}
func (o *odd) Write(text string)               { o.written += text }
func (o *odd) Log(int32, string, string) int32 { return abi.ErrLimit }
func (o *odd) Approve(string) int32 {
	return int32(abi.NewDecision(abi.DecisionEdit, int(o.announced)))
}

func TestStaging(t *testing.T) {
	tests := map[string]struct {
		announced int32
		staged    string
		step      int
		want      string
	}{
		"negative":   {-1, "abc", 8, ""},
		"none":       {0, "abc", 8, ""},
		"less comes": {5, "abc", 8, "abc"},
		"more comes": {2, "abc", 8, "ab"},
		"in steps":   {3, "abc", 1, "abc"},
		"no step":    {3, "abc", 0, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := func() host.Host {
				return host.Host{Functions: &odd{announced: test.announced, staged: []byte(test.staged), step: test.step}}
			}
			require.Equal(t, test.want, string(o().Input()))
			require.Equal(t, test.want, string(o().Context()))
			if test.announced >= 0 {
				_, text := o().Approve("x")
				require.Equal(t, test.want, text)
			}
		})
	}
}

func TestZeroHostDenies(t *testing.T) {
	var h host.Host
	require.Empty(t, h.Input())
	require.Empty(t, h.Context())
	h.Write("dropped")
	require.Equal(t, abi.ErrDenied, h.Log(0, "m", ""))
	decision, text := h.Approve("x")
	require.Equal(t, abi.Decision(abi.ErrDenied), decision)
	require.Empty(t, text)
}
