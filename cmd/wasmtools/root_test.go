package main

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTraceLevel: slog has no name for the level, and the log has (A19-147).
func TestTraceLevel(t *testing.T) {
	for format, want := range map[string]string{
		"text": "level=TRACE msg=x level=-8\n",
		"json": `"level":"TRACE","msg":"x","level":-8}` + "\n",
	} {
		var b strings.Builder
		root := newRoot()
		root.SetErr(&b)
		g := &globals{level: oneOf("trace"), format: oneOf(format)}
		slog.New(g.handler(root)).Log(t.Context(), levelTrace, "x", "level", -8)
		require.Contains(t, b.String(), want)
	}
}
