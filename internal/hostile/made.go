package hostile

import (
	"fmt"
	"strings"
)

const million = 1 << 20

// unreachable is an instruction.
const unreachable = "\x00"

// straightLine loops around 32,768 multiplications, each of which needs the one before.
func straightLine() []byte {
	step := "\x20\x00\x42\x03\x7e\x21\x00\x01" // local 0 = local 0 * 3
	return module{locals: "\x01\x01\x7e", body: "\x03\x40" + strings.Repeat(step, 1<<15) + "\x0c\x00\x0b"}.wasm()
}

func passiveHuge() []byte {
	initAll := "\x41\x00\x41\x00\x41" + s32(16*million) + "\xfc\x08\x01\x00"
	return module{
		memories: []string{"\x00" + u32(512)}, segments: []string{"\x01" + name(string(make([]byte, 16*million)))},
		body: "\x03\x40" + initAll + "\x0c\x00\x0b",
	}.wasm()
}

func manyTools() []byte {
	var tools []string
	for i := range 1001 {
		tools = append(tools, fmt.Sprintf(`{"name":"t%d"}`, i))
	}
	return module{description: `{"tools":[` + strings.Join(tools, ",") + `]}`}.wasm()
}

// schemaBomb has 25 schemas, each of which is one of two of the next.
func schemaBomb() []byte {
	var defs strings.Builder
	for i := range 25 {
		fmt.Fprintf(&defs, `"s%d":{"anyOf":[{"$ref":"#/$defs/s%d"},{"$ref":"#/$defs/s%d"}]},`, i, i+1, i+1)
	}
	schema := `{"type":"object","$defs":{` + defs.String() + `"s25":{"type":"string"}},"properties":{"x":{"$ref":"#/$defs/s0"}}}`
	return module{description: `{"tools":[{"name":"attack","inputSchema":` + schema + `}]}`}.wasm()
}

func longName() string { return strings.Repeat("x", million) }

func nameExport() []byte { return module{exports: []string{longName()}}.wasm() }

func nameImport() []byte { return module{imports: []string{longName()}}.wasm() }

func nameCustom() []byte { return module{customs: []string{name(longName())}}.wasm() }

// nameFunction names the function that crashes in the section of debug names.
func nameFunction() []byte {
	names := "\x01\x01" + name(longName()) // function 1 is run
	return module{body: unreachable, customs: []string{name("name") + "\x01" + name(names)}}.wasm()
}

func moduleLarge() []byte {
	return module{customs: []string{name("padding") + string(make([]byte, 65*million))}}.wasm()
}

func functionsMany() []byte { return module{functions: 100_001}.wasm() }

// functionLarge computes without using what it computes.
func functionLarge() []byte { return module{body: strings.Repeat("\x41\x07\x1a", 3*million)}.wasm() }

func localsMany() []byte { return module{locals: "\x01" + u32(50_001) + "\x7f"}.wasm() }

// localsHuge declares so many locals that their number needs 33 bits.
func localsHuge() []byte {
	group := "\xff\xff\xff\xff\x0f\x7f"
	return module{locals: "\x02" + group + group}.wasm()
}

func targetsMany() []byte {
	return module{body: "\x02\x40\x41\x00\x0e" + u32(million) + strings.Repeat("\x00", million+1) + "\x0b"}.wasm()
}

func blocksDeep() []byte {
	return module{body: strings.Repeat("\x02\x40", 100_000) + strings.Repeat("\x0b", 100_000)}.wasm()
}

// compileBomb sets as many locals as it has loops, and uses them after the loops: a compiler that keeps track of each local in
// each loop does so 16 million times.
func compileBomb() []byte {
	const n = 4000
	var body strings.Builder
	for i := range n {
		body.WriteString("\x20\x00\x21" + u32(i)) // local i = local 0
	}
	body.WriteString(strings.Repeat("\x03\x40\x20\x00\x0d\x00\x0b", n)) // loop, again if local 0
	for i := range n {
		body.WriteString("\x20" + u32(i) + "\x1a")
	}
	return module{locals: "\x01" + u32(n) + "\x7f", body: body.String()}.wasm()
}

func segmentsMany() []byte {
	segments := make([]string, 40_000)
	for i := range segments {
		segments[i] = "\x00\x41\x80\x08\x0b\x01x" // a letter to 1024
	}
	return module{segments: segments}.wasm()
}

func component() []byte { return []byte("\x00asm\x0d\x00\x01\x00") }

func truncated() []byte {
	whole := module{}.wasm()
	return whole[:len(whole)/2]
}

func memoryTwo() []byte { return module{memories: []string{"\x00\x01", "\x00\x01"}}.wasm() }

func memoryShared() []byte { return module{memories: []string{"\x03\x01\x01"}}.wasm() }

func memory64() []byte { return module{memories: []string{"\x04\x01"}}.wasm() }

func memory65537() []byte { return module{memories: []string{"\x00" + u32(65537)}}.wasm() }
