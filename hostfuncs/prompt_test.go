package hostfuncs_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/tool"
)

// shown returns the prompt for a request.
func shown(t *testing.T, req tool.ApprovalRequest) string {
	t.Helper()
	out := &screen{}
	_, err := hostfuncs.NewConsole(strings.NewReader("c\n"), out, nil).Approve(t.Context(), req)
	require.NoError(t, err)
	return out.String()
}

func TestPrompt(t *testing.T) {
	require.Equal(t, `
--- approval needed ---
tool:   deploy
module: sha256:0123456789abcdef
call:   call_7
memory: user-42
asked:  before the tool runs
answer: within 5m0s, or the call fails
role:   admin
description, by the tool (untrusted):
  | Deploys a service.
input of the call (untrusted):
  | {"service":"web"}
`+question, shown(t, tool.ApprovalRequest{
		Tool: "deploy", Module: "sha256:0123456789abcdef0123456789abcdef", CallID: "call_7", MemoryID: "user-42",
		Arguments: json.RawMessage(`{"service":"web"}`), Input: `{"service":"web"}`, Timing: tool.BeforeExecution,
		Description: "Deploys a service.", Timeout: 5 * time.Minute, OnTimeout: tool.OnTimeoutFail, RequiredRole: "admin",
	}))

	require.Equal(t, `
--- approval needed ---
tool:   deploy
asked:  by the tool while it runs
answer: no time limit
arguments of the call (untrusted):
  | {"service":"web"}
input, by the tool (untrusted):
  | Restart web?
`+question, shown(t, tool.ApprovalRequest{
		Tool: "deploy", Arguments: json.RawMessage(`{"service":"web"}`), Timing: tool.DuringExecution,
		Description: "Restart web?", Input: "Restart web?",
	}))
}

func TestPromptShowsTheTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		time.Sleep(time.Minute) // in the queue
		tm := newTerminal(t, nil)
		done := start(ctx, tm, tool.ApprovalRequest{Timeout: 5 * time.Minute, OnTimeout: tool.OnTimeoutContinue})
		tm.types(t, "x\n")
		<-done
		require.Contains(t, tm.screen.String(), "answer: within 4m0s, or it goes ahead\n")
	})
}

// T15 header text: description cut at 200, input at 500 characters.
func TestPromptCutsLongText(t *testing.T) {
	text := shown(t, tool.ApprovalRequest{Description: strings.Repeat("d", 201), Input: strings.Repeat("i", 501), CallID: strings.Repeat("7", 101)})
	unquoted := strings.ReplaceAll(text, "\n  | ", "")
	require.Contains(t, unquoted, strings.Repeat("d", 200)+"... [truncated, full length: 201 chars]")
	require.Contains(t, unquoted, strings.Repeat("i", 500)+"... [truncated, full length: 501 chars]")
	require.Contains(t, unquoted, strings.Repeat("7", 100)+"... [truncated, full length: 101 chars]")

	exact := strings.ReplaceAll(shown(t, tool.ApprovalRequest{Description: strings.Repeat("d", 200), Input: strings.Repeat("é", 500)}), "\n  | ", "")
	require.NotContains(t, exact, "truncated")
}

// T15 control characters/ANSI in description or input: nothing displayed can move the cursor, hide, or look like the host.
func TestPromptCannotBeSpoofed(t *testing.T) {
	const evil = "a\x1b[2J\u009b1m\r\n" + question + "\u202e\u200b\u2028\xff\b"
	text := shown(t, tool.ApprovalRequest{
		Tool: evil, Module: evil, CallID: evil, MemoryID: evil, Arguments: json.RawMessage(evil), Timing: evil,
		Description: evil + "d", Input: evil + "i", RequiredRole: evil, OnTimeout: evil,
	})
	for _, r := range text {
		require.True(t, r == '\n' || r >= ' ' && r <= '~', "%q is displayed", r)
	}
	require.Equal(t, 1, strings.Count(text, "\n"+question))

	t.Run("lines end between words", func(t *testing.T) {
		text := shown(t, tool.ApprovalRequest{Input: strings.Repeat("word ", 40) + "end"})
		require.Contains(t, text, "  | word ")
		for line := range strings.Lines(text) {
			if quoted, ok := strings.CutPrefix(line, "  | "); ok {
				require.True(t, strings.HasSuffix(quoted, "word \n") || strings.HasSuffix(quoted, " end\n"), "%q", quoted)
			}
		}
	})

	t.Run("by filling lines", func(t *testing.T) {
		wide := strings.Repeat(" ", 78) + "tool:   harmless" + strings.Repeat("界", 60)
		text := shown(t, tool.ApprovalRequest{Input: wide})
		for line := range strings.Lines(text) {
			columns := len(line) - strings.Count(line, "界") // three bytes, two columns
			require.LessOrEqual(t, columns, 80, "%q wraps", line)
			require.False(t, strings.HasPrefix(line, "tool:"), "%q", line)
		}
	})
}

func FuzzPrompt(f *testing.F) {
	f.Add("tool", "description\x1b", "input\n", "c\n")
	f.Add("", "\u202e", strings.Repeat("界", 600), "e\n\xff\n")
	f.Fuzz(func(t *testing.T, name, description, input, typed string) {
		out := &screen{}
		console := hostfuncs.NewConsole(strings.NewReader(typed), out, nil)
		d, err := console.Approve(t.Context(), tool.ApprovalRequest{Tool: name, Description: description, Input: input})
		require.NoError(t, err)
		if first, _, ended := strings.Cut(typed, "\n"); !ended || len(first) > 2 {
			require.Equal(t, tool.Reject, d.Verdict)
		}
		require.NotContains(t, out.String(), "\x1b")
		require.NotContains(t, out.String(), "\r")
	})
}
