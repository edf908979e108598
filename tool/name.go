package tool

import (
	"fmt"
	"slices"
	"strings"
)

// NameProfile selects the characters that a tool's name may have.
type NameProfile int

const (
	// NativeNames allows ASCII letters, digits and the underscore. It is legal for every model API.
	NativeNames NameProfile = iota

	// MCPNames allows the hyphen and the dot besides, as MCP does.
	MCPNames
)

// Lengths of names, in characters.
const (
	RecommendedNameLength = 64  // longer names are refused by some model APIs
	MaxNameLength         = 128 // longer names are refused here
)

// reserved are names of tools that the host itself may offer.
func reserved() []string { return []string{"tool_search", "human_input"} }

// CheckName reports why name cannot be a tool's name under the profile p, or nil.
func CheckName(name string, p NameProfile) error {
	switch {
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("tool name is empty")
	case len(name) > MaxNameLength:
		return fmt.Errorf("tool name %.40q...: %d characters, at most %d are allowed", name, len(name), MaxNameLength)
	case slices.Contains(reserved(), name):
		return fmt.Errorf("tool name %q is reserved", name)
	}
	for _, r := range name {
		if !p.allows(r) {
			return fmt.Errorf("tool name %q: character %q is not allowed; use %s", name, r, p)
		}
	}
	return nil
}

// LintName returns warnings about a legal name: things that some model APIs do not take.
func LintName(name string) []string {
	var warnings []string
	if len(name) > RecommendedNameLength {
		warnings = append(warnings, fmt.Sprintf("name has %d characters; OpenAI and Anthropic take at most %d", len(name), RecommendedNameLength))
	}
	if name != "" && (name[0] == '-' || name[0] == '.' || (name[0] >= '0' && name[0] <= '9')) {
		warnings = append(warnings, "name does not start with a letter or an underscore; Gemini refuses it")
	}
	return warnings
}

func (p NameProfile) allows(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
		return true
	case r == '-', r == '.':
		return p == MCPNames
	}
	return false
}

// String describes the allowed characters.
func (p NameProfile) String() string {
	if p == MCPNames {
		return "letters, digits, '_', '-' and '.'"
	}
	return "letters, digits and '_'"
}
