package rewrite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/wasm"
)

func TestTableMax(t *testing.T) {
	const (
		plain   = "\x70\x00\x02"         // 2
		some    = "\x70\x01\x01\x03"     // 1 to 3
		fixed   = "\x6f\x01\x05\x05"     // 5
		initial = "\x40\x00\x70\x00\x01" // 1, each null
	)
	for name, tt := range map[string]struct {
		max      uint32
		in, want string
	}{
		"off":                       {0, "\x02" + plain + some, "\x02" + plain + some},
		"one table":                 {9, "\x01" + plain, "\x01\x70\x01\x02\x09"},
		"one that is full":          {2, "\x01" + plain, "\x01\x70\x01\x02\x02"},
		"equal shares of the rest":  {10, "\x02" + plain + plain, "\x02\x70\x01\x02\x05\x70\x01\x02\x05"},
		"a rest that is odd":        {11, "\x02" + plain + plain, "\x02\x70\x01\x02\x05\x70\x01\x02\x05"},
		"no more than it declares":  {20, "\x02" + plain + some, "\x02\x70\x01\x02\x0a" + some},
		"less than it declares":     {4, "\x02" + plain + some, "\x02\x70\x01\x02\x02\x70\x01\x01\x01"},
		"one that does not grow":    {20, "\x02" + plain + fixed, "\x02\x70\x01\x02\x0f" + fixed},
		"one with initial elements": {8, "\x01" + initial + "\xd0\x70\x0b", "\x01\x40\x00\x70\x01\x01\x08\xd0\x70\x0b"},
	} {
		out, _, err := rewrite.Rewrite(one("\x0b").with(wasm.SectionTable, tt.in).wasm(), &rewrite.Options{TableMax: tt.max})
		require.NoError(t, err, name)
		require.Equal(t, tt.want, string(decode(t, out).Sections[wasm.SectionTable]), name)
	}

	_, _, err := rewrite.Rewrite(one("\x0b").with(wasm.SectionTable, "\x02"+plain+fixed).wasm(), &rewrite.Options{TableMax: 6})
	var limit *rewrite.LimitError
	require.ErrorAs(t, err, &limit)
	require.Equal(t, rewrite.LimitError{What: rewrite.WhatTableMax, Limit: 6, Actual: 7}, *limit)
	_, _, err = rewrite.Rewrite(one("\x0b").with(wasm.SectionTable, "\x01\x70\x04\x02").wasm(), nil)
	require.ErrorContains(t, err, "64 bit")
}

func TestExportStart(t *testing.T) {
	bin := one("\x0b").with(wasm.SectionStart, "\x01").wasm()
	find := func(bin []byte, options *rewrite.Options) (wasm.Export, bool) {
		out, _, err := rewrite.Rewrite(bin, options)
		require.NoError(t, err)
		m := decode(t, out)
		start, ok := m.Export(rewrite.StartExport, wasm.Func)
		require.Equal(t, !ok && options == nil, m.Sections[wasm.SectionStart] != nil)
		return start, ok
	}
	_, ok := find(bin, nil)
	require.False(t, ok)
	start, ok := find(bin, &rewrite.Options{ExportStart: true})
	require.True(t, ok)
	require.Equal(t, uint32(2), start.Index)
	_, ok = find(one("\x0b").wasm(), &rewrite.Options{ExportStart: true})
	require.False(t, ok, "there is none")

	for _, exported := range []bool{true, false} {
		_, _, err := rewrite.Rewrite(one("\x0b").with(wasm.SectionStart, "\x00").wasm(), &rewrite.Options{ExportStart: exported})
		require.ErrorContains(t, err, "start function of type (i32) -> ()")
	}
}
