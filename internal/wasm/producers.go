package wasm

import "strings"

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
	r := &reader{data: data}
	var tools, languages []string
	each(r, maxTables, func() {
		field := r.name()
		each(r, maxTables, func() {
			name := strings.TrimSpace(r.name() + " " + r.name())
			if field == "language" {
				languages = append(languages, name)
			} else {
				tools = append(tools, name)
			}
		})
	})
	switch {
	case r.err != nil:
		return nil
	case len(tools) > 0:
		return tools
	}
	return languages
}
