package rewrite_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// No index may get to the function, global, type or local that is added: these would be the first past the module's own.
func TestNothingAddedCanBeNamed(t *testing.T) {
	for name, tt := range map[string]struct {
		module sections
		want   string
	}{
		"read the fuel":            {one("\x23\x02\x1a\x0b"), "global 2 does not exist"},
		"write the fuel":           {one("\x42\x00\x24\x02\x0b"), "global 2 does not exist"},
		"start with the fuel":      {one("\x0b").with(wasm.SectionGlobal, "\x01\x7e\x00\x23\x01\x0b"), "global 1 does not exist"},
		"export the fuel":          {one("\x0b").with(wasm.SectionExport, "\x01\x01x\x03\x02"), "global 2 does not exist"},
		"data at the fuel":         {one("\x0b").with(wasm.SectionData, "\x01\x00\x23\x02\x0b\x01x"), "global 2 does not exist"},
		"call past the end":        {one("\x10\x02\x0b"), "function 2 does not exist"},
		"tail call past the end":   {one("\x12\x02\x0b"), "function 2 does not exist"},
		"reference past the end":   {one("\xd2\x02\x1a\x0b"), "function 2 does not exist"},
		"export past the end":      {one("\x0b").with(wasm.SectionExport, "\x01\x01x\x00\x02"), "function 2 does not exist"},
		"start past the end":       {one("\x0b").with(wasm.SectionStart, "\x02"), "function 2 does not exist"},
		"element past the end":     {one("\x0b").with(wasm.SectionElement, "\x01\x00\x41\x00\x0b\x01\x02"), "function 2 does not exist"},
		"expression past the end":  {one("\x0b").with(wasm.SectionElement, "\x01\x05\x70\x01\xd2\x02\x0b"), "function 2 does not exist"},
		"global past the end":      {one("\x0b").with(wasm.SectionGlobal, "\x01\x70\x00\xd2\x02\x0b"), "function 2 does not exist"},
		"table past the end":       {one("\x0b").with(wasm.SectionTable, "\x01\x40\x00\x70\x00\x01\xd2\x02\x0b"), "function 2 does not exist"},
		"call by the added type":   {one("\x42\x00\x41\x00\x11\x02\x00\x1a\x0b"), "type 2 does not exist"},
		"tail call by that type":   {one("\x42\x00\x41\x00\x13\x02\x00\x0b"), "type 2 does not exist"},
		"call_ref by that type":    {one("\x14\x02\x0b"), "type 2 does not exist"},
		"block of that type":       {one("\x42\x00\x02\x02\x0b\x1a\x0b"), "type 2 does not exist"},
		"null of that type":        {one("\xd0\x02\x1a\x0b"), "type 2 does not exist"},
		"global of that type":      {one("\x0b").with(wasm.SectionGlobal, "\x01\x63\x02\x00\xd0\x02\x0b"), "type 2 does not exist"},
		"function of that type":    {one("\x0b").with(wasm.SectionFunction, "\x01\x02"), "type 2 does not exist"},
		"tag of that type":         {one("\x0b").with(wasm.SectionTag, "\x01\x00\x02"), "type 2 does not exist"},
		"import of that type":      {one("\x0b").with(wasm.SectionImport, "\x01\x03env\x01f\x00\x02"), "type 2 does not exist"},
		"the length's local":       {one("\x20\x00\x41\x00\x41\x00\xfc\x0b\x00\x0b"), "local 0 does not exist"},
		"a local past the globals": {one("\x21\x05\x0b"), "local 5 does not exist"},
	} {
		_, _, err := rewrite.Rewrite(tt.module.wasm(), nil)
		require.ErrorContains(t, err, tt.want, name)
	}
}

func TestReservedNames(t *testing.T) {
	for name, module := range map[string]sections{
		"the fuel's module":  one("\x0b").with(wasm.SectionImport, "\x01\x0ewasmtools:fuel\x03out\x00\x01"),
		"another module":     one("\x0b").with(wasm.SectionImport, "\x01\x0bwasmtools:x\x01y\x00\x01"),
		"the fuel's export":  one("\x0b").with(wasm.SectionExport, "\x01\x0ewasmtools:fuel\x03\x00"),
		"a global's export":  one("\x0b").with(wasm.SectionExport, "\x01\x12wasmtools:global:0\x00\x00"),
		"a memory's export":  one("\x0b").with(wasm.SectionExport, "\x01\x0awasmtools:\x02\x00"),
		"a rewritten module": sections{},
	} {
		bin := module.wasm()
		if len(module) == 0 {
			var err error
			bin, _, err = rewrite.Rewrite(one("\x0b").wasm(), nil)
			require.NoError(t, err)
		}
		_, _, err := rewrite.Rewrite(bin, nil)
		require.ErrorIs(t, err, rewrite.ErrReserved, name)
	}
}

func TestMalformed(t *testing.T) {
	for name, tt := range map[string]struct {
		module sections
		want   string
	}{
		"no end":                      {one("\x01"), "unexpected end"},
		"code behind the end":         {one("\x0b\x01"), "1 bytes too many"},
		"block without end":           {one("\x02\x40\x0b"), "unexpected end"},
		"else without if":             {one("\x02\x40\x05\x0b\x0b"), "else without if"},
		"else twice":                  {one("\x41\x00\x04\x40\x05\x05\x0b\x0b"), "else without if"},
		"label out of range":          {one("\x0c\x01\x0b"), "label 1 does not exist"},
		"label of four billion":       {one("\x0c\xff\xff\xff\xff\x0f\x0b"), "does not exist"},
		"br_table that is cut off":    {one("\x41\x00\x0e\xff\xff\xff\xff\x0f\x0b"), "larger than what is left"},
		"not an instruction":          {one("\xc5\x0b"), "not an instruction"},
		"legacy exceptions":           {one("\x06\x40\x0b\x0b"), "not an instruction"},
		"unknown bulk instruction":    {one("\xfc\x12\x0b"), "instruction 18 does not exist"},
		"relaxed vector instruction":  {one("\xfd\x80\x02\x0b"), "where 0x1"},
		"vector opcode in disguise":   {one("\xfd\x8b\x00\x0b"), "where 0x1"},
		"atomic opcode in disguise":   {one("\xfe\x83\x00\x00\x0b"), "not an instruction"},
		"memory of a second memory":   {one("\x3f\x01\x1a\x0b"), "0x1 where 0x0"},
		"alignment of a second one":   {one("\x41\x00\x28\x42\x00\x1a\x0b"), "alignment"},
		"select of two types":         {one("\x1c\x02\x7f\x7f\x0b"), "0x2 where 0x1"},
		"unknown catch clause":        {one("\x1f\x40\x01\x04\x00\x0b\x0b"), "catch clause"},
		"constant that is too long":   {one("\x41\x80\x80\x80\x80\x70\x1a\x0b"), "32 bits"},
		"locals that are cut off":     {one("\x0b").with(wasm.SectionCode, "\x01\x02\x01\x01"), "unexpected end"},
		"function without a body":     {one("\x0b").with(wasm.SectionCode, "\x00"), "1 functions have 0 bodies"},
		"bodies without a function":   {sections{wasm.SectionCode: bodies("\x0b")}, "0 functions have 1 bodies"},
		"no code section":             {sections{wasm.SectionType: "\x01\x60\x00\x00", wasm.SectionFunction: "\x01\x00"}, "0 bodies"},
		"constant expression calls":   {one("\x0b").with(wasm.SectionGlobal, "\x01\x7f\x00\x10\x00\x0b"), "is not constant"},
		"constant expression is open": {one("\x0b").with(wasm.SectionGlobal, "\x01\x7f\x00\x41\x00"), "unexpected end"},
		"globals that are cut off":    {one("\x0b").with(wasm.SectionGlobal, "\xff\xff\xff\xff\x0f"), "larger than what is left"},
		"mutability":                  {one("\x0b").with(wasm.SectionGlobal, "\x01\x7f\x02\x41\x00\x0b"), "mutability"},
		"element flags":               {one("\x0b").with(wasm.SectionElement, "\x01\x08"), "element flags"},
		"elements that are cut off":   {one("\x0b").with(wasm.SectionElement, "\x01\x01\x00\xff\x01"), "larger than what is left"},
		"data flags":                  {one("\x0b").with(wasm.SectionData, "\x01\x03"), "data flags"},
		"data that is cut off":        {one("\x0b").with(wasm.SectionData, "\x01\x01\x05ab"), "larger than what is left"},
		"data for a second memory":    {one("\x0b").with(wasm.SectionData, "\x01\x02\x01\x41\x00\x0b\x00"), "memory 1"},
		"tag with an attribute":       {one("\x0b").with(wasm.SectionTag, "\x01\x01\x00"), "0x1 where 0x0"},
	} {
		_, _, err := rewrite.Rewrite(tt.module.wasm(), nil)
		require.ErrorContains(t, err, tt.want, name)
	}
}

func TestLimits(t *testing.T) {
	locals := func(groups string) sections {
		return one("").with(wasm.SectionCode, "\x01"+string(binary.AppendName(nil, groups+"\x0b")))
	}
	for name, tt := range map[string]struct {
		module sections
		limits rewrite.Limits
		want   rewrite.LimitError
	}{
		"module":    {one("\x0b"), rewrite.Limits{Module: 50}, rewrite.LimitError{"bytes of the module", 50, len(one("\x0b").wasm())}},
		"functions": {one("\x0b"), rewrite.Limits{Functions: 1}, rewrite.LimitError{"functions", 1, 2}},
		"code":      {one("\x01\x0b"), rewrite.Limits{Code: 4}, rewrite.LimitError{"bytes of code", 4, 5}},
		"rewritten": {one("\x03\x40\x0b\x0b"), rewrite.Limits{Code: 20}, rewrite.LimitError{"bytes of rewritten code", 20, 42}},
		"body":      {one("\x01\x0b"), rewrite.Limits{Body: 2}, rewrite.LimitError{"bytes of a function", 2, 3}},
		"giant locals": {
			locals("\x01\xff\xff\xff\xff\x0f\x7f"), rewrite.Limits{},
			rewrite.LimitError{"locals of a function", 50_000, 1<<32 - 1},
		},
		"locals in groups": {locals("\x02\x03\x7f\x03\x7e"), rewrite.Limits{Locals: 5}, rewrite.LimitError{"locals of a function", 5, 6}},
		"br_table":         {one("\x41\x00\x0e\x02\x00\x00\x00\x0b"), rewrite.Limits{Targets: 1}, rewrite.LimitError{"br_table targets", 1, 2}},
		"catch clauses":    {one("\x1f\x40\x02\x02\x00\x02\x00\x0b\x0b"), rewrite.Limits{Targets: 1}, rewrite.LimitError{"catch clauses", 1, 2}},
		"nesting":          {one("\x02\x40\x02\x40\x0b\x0b\x0b"), rewrite.Limits{Depth: 1}, rewrite.LimitError{"nesting depth", 1, 2}},
		"imports": {
			one("\x0b").with(wasm.SectionImport, "\x02\x01a\x01b\x00\x00\x01a\x01c\x00\x00"),
			rewrite.Limits{Imports: 1}, rewrite.LimitError{"imports", 1, 2},
		},
		"globals": {one("\x0b"), rewrite.Limits{Globals: 1}, rewrite.LimitError{"globals", 1, 2}},
		"tables":  {one("\x0b").with(wasm.SectionTable, "\x02\x70\x00\x02\x70\x00\x02"), rewrite.Limits{Tables: 1}, rewrite.LimitError{"tables", 1, 2}},
		"values": {
			one("\x0b").with(wasm.SectionType, "\x03\x60\x00\x00\x60\x01\x7f\x00\x60\x00\x03\x7f\x7f\x7f"),
			rewrite.Limits{Values: 2}, rewrite.LimitError{"parameters or results of a type", 2, 3},
		},
		"elements": {
			one("\x0b").with(wasm.SectionElement, "\x02\x01\x00\x01\x00\x01\x00\x02\x00\x00"),
			rewrite.Limits{Elements: 2}, rewrite.LimitError{"elements of segments", 2, 3},
		},
		"segments": {
			one("\x0b").with(wasm.SectionElement, "\x01\x01\x00\x00").with(wasm.SectionData, "\x02\x01\x00\x01\x00"),
			rewrite.Limits{Segments: 2}, rewrite.LimitError{"segments", 2, 3},
		},
		"complexity": {
			one(strings.Repeat("\x41\x00\x04\x40\x0b", 1000) + "\x0b"), rewrite.Limits{Complexity: 1000},
			rewrite.LimitError{"complexity of a function", 1000, 1014},
		},
		"effort":        {one("\x0b"), rewrite.Limits{Effort: 69}, rewrite.LimitError{"complexity of the module", 69, 70}},
		"import's name": {one("\x0b"), rewrite.Limits{Name: 2}, rewrite.LimitError{"bytes of an import's name", 2, 3}},
		"export's name": {one("\x0b").with(wasm.SectionExport, "\x01\x04abcd\x00\x00"), rewrite.Limits{Name: 3}, rewrite.LimitError{"bytes of an export's name", 3, 4}},
		"custom's name": {one("\x0b").with(wasm.SectionCustom, "\x04abcd"), rewrite.Limits{Name: 3}, rewrite.LimitError{"bytes of a custom section's name", 3, 4}},
	} {
		_, _, err := rewrite.Rewrite(tt.module.wasm(), &rewrite.Options{Limits: &tt.limits})
		var limit *rewrite.LimitError
		require.ErrorAs(t, err, &limit, name)
		require.Equal(t, tt.want, *limit, name)
		require.ErrorContains(t, err, "is over the limit of", name)
	}
	_, _, err := rewrite.Rewrite(locals("\x02\xff\xff\xff\xff\x0f\x7f\x01\x7f").wasm(), &rewrite.Options{Limits: &rewrite.Limits{Locals: rewrite.Unlimited}})
	require.ErrorContains(t, err, "are too many", "locals that no index can name, unlimited")
}

func TestMemoryMax(t *testing.T) {
	bin := one("\x0b").wasm()
	_, _, err := rewrite.Rewrite(one("\x0b").with(wasm.SectionMemory, "\x01\x00\x05").wasm(), &rewrite.Options{MemoryMax: 4})
	require.ErrorContains(t, err, "memory of 5 pages: the maximum is set to 4")

	out, report, err := rewrite.Rewrite(bin, &rewrite.Options{MemoryMax: 300})
	require.NoError(t, err)
	require.Equal(t, []wasm.Memory{{Min: 1, Max: 2, HasMax: true}}, report.Module.Memories, "as it was")
	require.Equal(t, []wasm.Memory{{Min: 1, Max: 300, HasMax: true}}, decode(t, out).Memories)

	out, _, err = rewrite.Rewrite(bin, nil)
	require.NoError(t, err)
	require.Equal(t, []wasm.Memory{{Min: 1, Max: 2, HasMax: true}}, decode(t, out).Memories)
}

func TestModule(t *testing.T) {
	bin := one("\x03\x40\x41\x00\x0d\x00\x0b\x10\x00\x0b").with(wasm.SectionElement, "\x01\x00\x41\x00\x0b\x02\x00\x01").
		with(wasm.SectionStart, "\x01").wasm()
	out, _, err := rewrite.Rewrite(bin, nil)
	require.NoError(t, err)
	m := decode(t, out)
	require.Equal(t, wasm.Import{Module: "wasmtools:fuel", Name: "out", Type: wasm.FuncType{Params: "\x7e", Results: "\x7e"}}, m.Imports[1])
	var exports []string
	for _, e := range m.Exports {
		exports = append(exports, e.Name)
	}
	require.Equal(t, []string{"f", "g", "wasmtools:global:0", "wasmtools:fuel", "wasmtools:mark"}, exports)
	require.Equal(t, uint32(2), m.Exports[0].Index, "functions move by one")
	require.Equal(t, uint32(0), m.Exports[1].Index, "globals stay")
	require.Equal(t, "\x02", string(m.Sections[wasm.SectionStart]))
	require.Equal(t, "\x01\x00\x41\x00\x0b\x02\x00\x02", string(m.Sections[wasm.SectionElement]))

	again, _, err := rewrite.Rewrite(bytes.Clone(bin), nil)
	require.NoError(t, err)
	require.Equal(t, out, again, "the same input has the same output")

	empty, report, err := rewrite.Rewrite(sections{}.wasm(), nil)
	require.NoError(t, err)
	require.Len(t, decode(t, empty).Imports, 1)
	require.Empty(t, report.Obstacles())
}

func TestReport(t *testing.T) {
	code := "\x41\x00\xd0\x70\x26\x00" + // table.set
		"\x41\x00\x41\x00\x41\x00\xfc\x08\x00\x00" + // memory.init
		"\xfc\x09\x00\xfc\x0d\x00" + // data.drop, elem.drop
		"\x03\x40\x0b\x0b"
	_, report, err := rewrite.Rewrite(one(code).
		with(wasm.SectionGlobal, "\x03\x7b\x01\xfd\x0c"+strings.Repeat("\x00", 16)+"\x0b\x70\x01\xd0\x70\x0b\x7c\x01\x44\x00\x00\x00\x00\x00\x00\x00\x00\x0b").
		with(wasm.SectionElement, "\x01\x01\x00\x01\x00").
		with(wasm.SectionDataCount, "\x03").
		with(wasm.SectionData, "\x03\x00\x41\x10\x0b\x02ab\x01\x01c\x00\x23\x00\x0b\x01d").
		with(wasm.SectionCustom, "\x05.dwrf").wasm(), nil)
	require.NoError(t, err)
	require.Equal(t, []rewrite.Global{{Index: 2, Type: 0x7c, Export: "wasmtools:global:2"}}, report.Globals)
	require.Equal(t, []rewrite.Data{{Offset: 16, Fixed: true, Bytes: []byte("ab")}, {Bytes: []byte("d")}}, report.Data)
	require.Equal(t, []string{
		"2 globals that are imported or hold vectors or references",
		"1 instructions that change a table",
		"2 instructions that drop a segment",
	}, report.Obstacles())
	require.Equal(t, 1, report.PassiveData)
	require.Equal(t, 1, report.MemoryInits)
	require.Equal(t, 1, report.Loops)
	require.Equal(t, []string{".dwrf"}, report.Dropped)
}

func decode(t *testing.T, bin []byte) *wasm.Module {
	t.Helper()
	m, err := wasm.Decode(bin)
	require.NoError(t, err)
	return m
}
