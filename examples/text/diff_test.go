package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sides puts the two texts together again.
func sides(edits []edit) (before, after string) {
	var b, a strings.Builder
	for _, e := range edits {
		if e.op != '+' {
			b.WriteString(e.line)
		}
		if e.op != '-' {
			a.WriteString(e.line)
		}
	}
	return b.String(), a.String()
}

func requireFaithful(t *testing.T, before, after string) []edit {
	t.Helper()
	edits := compare(splitLines(before), splitLines(after))
	b, a := sides(edits)
	require.Equal(t, before, b)
	require.Equal(t, after, a)
	return edits
}

func changes(edits []edit) (n int) {
	for _, e := range edits {
		if e.op != ' ' {
			n++
		}
	}
	return n
}

func FuzzCompare(f *testing.F) {
	f.Add("", "")
	f.Add("a\nb\nc\n", "a\nc\nd")
	f.Add("a\na\nb\n", "b\na\na\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		edits := requireFaithful(t, before, after)
		require.Equal(t, before == after, unified(edits, 3) == "")
	})
}

func TestCompareLarge(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	numbered := func(n int, format string) []string {
		lines := make([]string, n)
		for i := range lines {
			lines[i] = fmt.Sprintf(format, i)
		}
		return lines
	}

	t.Run("two lines all over, nothing unique", func(t *testing.T) {
		side := func() string {
			lines := make([]string, 100_000)
			for i := range lines {
				lines[i] = fmt.Sprintf("%d\n", random.IntN(2))
			}
			return strings.Join(lines, "")
		}
		requireFaithful(t, side(), side())
	})
	t.Run("few changes among many unique lines", func(t *testing.T) {
		before := numbered(50_000, "line %d\n")
		after := append([]string(nil), before...)
		after[10], after[25_000], after[49_000] = "new\n", "new\n", "new\n"
		edits := requireFaithful(t, strings.Join(before, ""), strings.Join(after, ""))
		require.Equal(t, 6, changes(edits))
	})
	t.Run("everything is in reverse", func(t *testing.T) {
		before := numbered(20_000, "line %d\n")
		after := make([]string, len(before))
		for i, line := range before {
			after[len(before)-1-i] = line
		}
		requireFaithful(t, strings.Join(before, ""), strings.Join(after, ""))
	})
	t.Run("nothing in common", func(t *testing.T) {
		before, after := numbered(20_000, "old %d\n"), numbered(20_000, "new %d\n")
		edits := requireFaithful(t, strings.Join(before, ""), strings.Join(after, ""))
		require.Equal(t, 40_000, changes(edits))
	})
}

func TestUnified(t *testing.T) {
	ten := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	for name, test := range map[string]struct {
		before, after string
		context       int
		want          string
	}{
		"nothing":         {"", "", 3, ""},
		"equal":           {ten, ten, 3, ""},
		"from nothing":    {"", "a\nb\n", 3, "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		"to nothing":      {"a\n", "", 3, "@@ -1 +0,0 @@\n-a\n"},
		"no context":      {ten, "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n", 0, "@@ -5 +5 @@\n-5\n+five\n"},
		"an insertion":    {"a\nb\n", "a\nx\nb\n", 0, "@@ -1,0 +2 @@\n+x\n"},
		"the last line":   {"a\nb\n", "a\nb", 1, "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"},
		"the shortest":    {"a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n", 9, "@@ -1,7 +1,6 @@\n-a\n-b\n c\n-a\n b\n+a\n b\n a\n+c\n"},
		"two in one hunk": {ten, "1\ntwo\n3\n4\nfive\n6\n7\n8\n9\n10\n", 1, "@@ -1,6 +1,6 @@\n 1\n-2\n+two\n 3\n 4\n-5\n+five\n 6\n"},
		"two hunks": {ten, "1\ntwo\n3\n4\n5\nsix\n7\n8\n9\n10\n", 1,
			"@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n@@ -5,3 +5,3 @@\n 5\n-6\n+six\n 7\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.want != "" {
				test.want = "--- old\n+++ new\n" + test.want
			}
			require.Equal(t, test.want, unified(requireFaithful(t, test.before, test.after), test.context))
		})
	}
}
