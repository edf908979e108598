package lint_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/lint"
	"github.com/wasmtools/wasmtools/tool"
)

// TestSpecs covers A1-9, the warnings of T1, and T13 where a description mentions what is injected.
func TestSpecs(t *testing.T) {
	object := func(properties string) []byte {
		return []byte(`{"type":"object","properties":{` + properties + `},"$defs":{"d":{"description":"by reference"}}}`)
	}
	good := tool.Spec{Name: "x", Description: "Does x.", InputSchema: object(`"a":{"description":"An a."},"b":{"$ref":"#/$defs/d"}`)}
	require.Empty(t, lint.Specs([]tool.Spec{good}))
	require.NotNil(t, lint.Specs(nil))

	for want, spoil := range map[string]func(*tool.Spec){
		"description is missing":                           func(s *tool.Spec) { s.Description = " " },
		"description has 1025 characters":                  func(s *tool.Spec) { s.Description = strings.Repeat("é", 1025) },
		`description of parameter "c" is missing`:          func(s *tool.Spec) { s.InputSchema = object(`"c":{}`) },
		`description of parameter "c" has 513 characters`:  func(s *tool.Spec) { s.InputSchema = object(`"c":{"description":"` + strings.Repeat("x", 513) + `"}`) },
		"name has 65 characters":                           func(s *tool.Spec) { s.Name = strings.Repeat("x", 65) },
		"does not start with a letter":                     func(s *tool.Spec) { s.Name = "9lives" },
		`mentions "memory_id", which the host injects`:     func(s *tool.Spec) { s.Inject, s.Description = []string{"memoryId"}, "Takes a memory_id." },
		"asks for 1h0m0s of time; the default is 10s":      func(s *tool.Spec) { s.Limits.Time = time.Hour },
		"asks for 1GiB of memory; the default is 128MiB":   func(s *tool.Spec) { s.Limits.Memory = 1 << 30 },
		"asks for 9000000 of host calls; the default is 1": func(s *tool.Spec) { s.Limits.HostCalls = 9_000_000 },
	} {
		bad := good
		spoil(&bad)
		warnings := lint.Specs([]tool.Spec{bad})
		require.Len(t, warnings, 1, want)
		require.Contains(t, warnings[0].Message, want)
		require.Equal(t, bad.Name, warnings[0].Tool)
	}

	upper := good
	upper.Name = "X"
	warnings := lint.Specs([]tool.Spec{good, upper})
	require.Len(t, warnings, 1)
	require.Contains(t, warnings[0].Message, "differ only in case")

	text := tool.Spec{Name: "t", Description: "Takes text.", Input: tool.InputText, InputSchema: []byte(tool.TextInputSchema)}
	require.Empty(t, lint.Specs([]tool.Spec{text}))
}
