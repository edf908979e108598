package wasm

import (
	"strings"

	"github.com/wasmtools/wasmtools/internal/wasm/binary"
)

// Toolchain says what built the module, as far as the module itself tells, such as "TinyGo 0.41.1" or "Go, clang 19". It
// returns "" where nothing is known. The text is the module's claim.
func (m *Module) Toolchain() string {
	if names := m.producers(); len(names) > 0 {
		return strings.Join(names, ", ")
	}
	if _, ok := m.Custom("go:buildid"); ok {
		return "Go"
	}
	return ""
}

// producers reads the conventional section that lists tools and, less telling, languages. A malformed one counts as missing.
func (m *Module) producers() []string {
	data, ok := m.Custom("producers")
	if !ok {
		return nil
	}
	r := binary.NewReader(data)
	var tools, languages []string
	r.Each(func() {
		field := r.Name()
		r.Each(func() {
			name := strings.TrimSpace(r.Name() + " " + r.Name())
			if field == "language" {
				languages = append(languages, name)
			} else {
				tools = append(tools, name)
			}
		})
	})
	switch {
	case r.Err() != nil:
		return nil
	case len(tools) > 0:
		return tools
	}
	return languages
}
