package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMain lets the test's binary be the processes that the contest starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[3] == "child" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestContest has a guest that crashes, one that does not end and one that is no module meet every engine. What ends a process
// is left to the whole contest.
func TestContest(t *testing.T) {
	out := filepath.Join(t.TempDir(), "hostile.md")
	require.NoError(t, contest(filepath.Join("..", "..", "testdata"), "^(traps|tight_loop|truncated|status_absurd)$", out))
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	cells := map[string][]string{} // of the contest
	_, table, _ := bytes.Cut(text, []byte("## The contest"))
	table, detail, _ := bytes.Cut(table, []byte("## wasmtools in detail"))
	for line := range strings.Lines(string(table)) {
		row := strings.Split(line, " | ")
		cells[strings.TrimPrefix(row[0], "| ")] = row
	}
	for name, want := range map[string]string{"traps": "answers in ", "tight_loop": "answers in ", "truncated": "refuses in "} {
		require.Len(t, cells[name], 5, name)
		for _, cell := range cells[name][2:] {
			require.Contains(t, cell, want)
		}
	}
	require.Contains(t, cells["status_absurd"][2], "answers in ")
	require.Equal(t, "-", cells["status_absurd"][3], "there is nothing to compare")
	require.NotContains(t, string(detail), "**", "all ends as it should")
	require.Contains(t, string(text), "github.com/extism/go-sdk v1.7.1")
}

func TestRunTellsHowAProcessEnded(t *testing.T) {
	var out tail
	out.Write([]byte("log line\nfatal error: runtime: out of memory\n\ngoroutine 1:\nfatal error: later\n"))
	require.Equal(t, "runtime: out of memory", out.reason())
	require.Equal(t, "no reason given", new(tail).reason())
	require.Equal(t, "**hangs**", result{Hung: true}.String())
	require.Equal(t, "**dies**: gone", result{Died: "gone"}.String())
	require.Equal(t, "**late**: answers in 211 ms", result{answer: answer{Call: 211e6}}.String())
	require.Equal(t, "answers in 209 ms", result{answer: answer{Call: 209e6}}.String())
	require.Equal(t, "**late**: refuses in 1001 ms", result{answer: answer{Load: 1001e6, Failed: true}}.String())
}
