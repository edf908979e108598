package main

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wasmtools/wasmtools/internal/printable"
	"github.com/wasmtools/wasmtools/tool"
)

// printText writes text to the standard output: as it is, unless a terminal is there, which a guest's text must not control.
func printText(cmd *cobra.Command, text string) error {
	if isTerminal(cmd.OutOrStdout()) {
		text = forTerminal(text)
	}
	return printBytes(cmd, []byte(text))
}

// printBytes writes to the standard output whatever it is.
func printBytes(cmd *cobra.Command, data []byte) error {
	if _, err := cmd.OutOrStdout().Write(data); err != nil {
		return tool.Errorf(tool.Internal, "write the result").WithCause(err)
	}
	return nil
}

// forTerminal escapes everything that is not plainly visible but line ends and tabs.
func forTerminal(text string) string {
	var b strings.Builder
	for {
		end := strings.IndexAny(text, "\n\t")
		if end < 0 {
			b.WriteString(printable.Escape(text))
			return b.String()
		}
		b.WriteString(printable.Escape(text[:end]))
		b.WriteByte(text[end])
		text = text[end+1:]
	}
}

// printJSON writes v as JSON, on one line if it is compact. Text reaches the reader as it is: no HTML is escaped.
func printJSON(cmd *cobra.Command, v any, compact bool) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if !compact {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(v); err != nil {
		return tool.Errorf(tool.Internal, "encode the result").WithCause(err)
	}
	return printText(cmd, b.String())
}
