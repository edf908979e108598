package rewrite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/wasm"
)

func TestNames(t *testing.T) {
	for name, tt := range map[string]struct{ in, want string }{
		"shifted":                {"\x01\x07\x02\x00\x01a\x01\x01b", "\x01\x07\x02\x00\x01a\x02\x01b"},
		"other names go":         {"\x00\x02\x01m\x01\x04\x01\x01\x01b\x02\x01\x00", "\x01\x04\x01\x02\x01b"},
		"no function names":      {"\x00\x02\x01m", ""},
		"a function that is not": {"\x01\x04\x01\x02\x01b", ""},
		"a name cut off":         {"\x01\x04\x01\x01\x05b", ""},
		"a section cut off":      {"\x01\x09\x01\x01\x01b", ""},
		"bytes left over":        {"\x01\x05\x01\x01\x01b\x00", ""},
		"not UTF-8":              {"\x01\x04\x01\x01\x01\xff", ""},
		"a count bomb":           {"\x01\x06\xff\xff\xff\xff\x0f\x00", ""},
		"trash behind":           {"\x01\x04\x01\x01\x01b\x02\x09", ""},
		"a name over the limit":  {"\x01\x09\x01\x01\x06abcdef", ""},
	} {
		out, report, err := rewrite.Rewrite(one("\x0b").with(wasm.SectionCustom, "\x04name"+tt.in).wasm(),
			&rewrite.Options{Limits: &rewrite.Limits{Name: 5}})
		require.NoError(t, err, name)
		got, ok := decode(t, out).Custom("name")
		require.Equal(t, tt.want, string(got), name)
		require.Equal(t, tt.want != "", ok, name)
		require.Equal(t, tt.want == "", len(report.Dropped) == 1, name)
	}
}

func TestProducersStay(t *testing.T) {
	custom := "\x09producers\x01\x0cprocessed-by\x01\x05clang\x0219"
	out, report, err := rewrite.Rewrite(one("\x0b").with(wasm.SectionCustom, custom).wasm(), nil)
	require.NoError(t, err)
	require.Equal(t, "clang 19", decode(t, out).Toolchain())
	require.Equal(t, "clang 19", report.Module.Toolchain())
}
