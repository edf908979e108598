package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/examples/internal/exampletest"
	"github.com/wasmtools/wasmtools/internal/readmetest"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

func TestREADME(t *testing.T) { readmetest.Run(t, "examples/text/README.md") }

// TestModule calls the built module.
func TestModule(t *testing.T) {
	text := exampletest.Load(t, "text.wasm", nil)
	arguments := func(v map[string]any) string {
		args, err := json.Marshal(v)
		require.NoError(t, err)
		return string(args)
	}

	for name, args := range map[string]string{
		"count":  `{"text":"a","top":-1}`,
		"search": `{"text":"a","pattern":"a","limit":0}`,
		"diff":   `{"old":"a"}`,
	} {
		text.Refused(name, args)
	}
	require.Equal(t, "pattern \"(\": error parsing regexp: missing closing ): `(`", text.Refused("search", `{"text":"a","pattern":"("}`))

	require.JSONEq(t, `{"lines":2,"words":3,"characters":11,"bytes":13,"top":[{"word":"é","count":2}]}`,
		text.Text("count", `{"text":"É é\nsecond!","top":1}`))
	require.JSONEq(t, `{"matches":[{"line":2,"column":3,"match":"B","groups":["B"],"text":"a B c"}],"total":2}`,
		text.Text("search", `{"text":"-\na B c\nb","pattern":"(b)","ignore_case":true,"limit":1}`))
	require.JSONEq(t, `{"matches":[],"total":0}`, text.Text("search", `{"text":"","pattern":"x"}`))
	require.Equal(t, "--- old\n+++ new\n@@ -2 +2 @@\n-b\n+B\n", text.Text("diff", `{"old":"a\nb\n","new":"a\nB\n","context":0}`))
	require.Equal(t, "The texts are the same.", text.Text("diff", `{"old":"","new":""}`))

	t.Run("as much as the input limit allows", func(t *testing.T) {
		text := exampletest.Load(t, "text.wasm", &runtime.Options{Limits: tool.Limits{Time: time.Minute}}) // machines differ
		long := strings.Repeat("a\nb\n", 100_000)
		require.Contains(t, text.Text("diff", arguments(map[string]any{"old": long, "new": "b\n" + long[:len(long)/4]})), "@@")
		require.Contains(t, text.Text("search", arguments(map[string]any{"text": long, "pattern": "(a|b)$"})), `"total":200000`)
		require.Contains(t, text.Text("count", arguments(map[string]any{"text": long})), `"words":200000`)
	})
}
