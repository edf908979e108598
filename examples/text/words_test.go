package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCount(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		top  int
		want Counts
	}{
		"nothing":                 {"", 5, Counts{Top: []WordCount{}}},
		"not UTF-8":               {"a\xffb", 5, Counts{1, 2, 3, 3, []WordCount{{"a", 1}, {"b", 1}}}},
		"punctuation alone":       {"-- ' ... ’\n", 5, Counts{1, 0, 11, 13, []WordCount{}}},
		"no words asked for":      {"a b", 0, Counts{1, 2, 3, 3, []WordCount{}}},
		"a last line, no newline": {"a\nb", 1, Counts{2, 2, 3, 3, []WordCount{{"a", 1}}}},
		"empty lines":             {"\n\n", 1, Counts{2, 0, 2, 2, []WordCount{}}},
		"case and ties":           {"b A a B c", 2, Counts{1, 5, 9, 9, []WordCount{{"a", 2}, {"b", 2}}}},
		"inside a word":           {"'don't' well-known", 2, Counts{1, 2, 18, 18, []WordCount{{"don't", 1}, {"well-known", 1}}}},
		"other scripts":           {"Straße 東京 e\u0301", 3, Counts{1, 3, 12, 18, []WordCount{{"e\u0301", 1}, {"straße", 1}, {"東京", 1}}}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, count(test.text, test.top))
		})
	}
}

func TestSearch(t *testing.T) {
	text := "alpha=1\r\nbeta=22\n\ngamma: é=3"
	for name, test := range map[string]struct {
		pattern string
		ignore  bool
		limit   int
		want    Matches
	}{
		"none":              {`delta`, false, 9, Matches{Matches: []Match{}}},
		"case":              {`ALPHA`, false, 9, Matches{Matches: []Match{}}},
		"case ignored":      {`ALPHA|x`, true, 9, Matches{[]Match{{1, 1, "alpha", nil, "alpha=1"}}, 1}},
		"the limit":         {`\d`, false, 2, Matches{[]Match{{1, 7, "1", nil, "alpha=1"}, {2, 6, "2", nil, "beta=22"}}, 4}},
		"groups":            {`(é)=(\d)(x)?`, false, 9, Matches{[]Match{{4, 8, "é=3", []string{"é", "3", ""}, "gamma: é=3"}}, 1}},
		"ends of lines":     {`1$`, false, 9, Matches{[]Match{{1, 7, "1", nil, "alpha=1"}}, 1}},
		"an empty match":    {`^$`, false, 9, Matches{[]Match{{3, 1, "", nil, ""}}, 1}},
		"not over newlines": {`1\s+beta`, false, 9, Matches{Matches: []Match{}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := search(text, test.pattern, test.ignore, test.limit)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

func TestSearchBounds(t *testing.T) {
	for _, pattern := range []string{"(", "a{2000}", `(?=x)`, `\1`} {
		_, err := search("text", pattern, false, 1)
		require.ErrorContains(t, err, "pattern", pattern)
	}

	// Exponential for an engine that backtracks.
	found, err := search(strings.Repeat("a", 10_000)+"!", `^(a+)+$`, false, 1)
	require.NoError(t, err)
	require.Zero(t, found.Total)

	found, err = search(strings.Repeat("é", 300), `.`, false, 3)
	require.NoError(t, err)
	require.Equal(t, 300, found.Total)
	require.Len(t, found.Matches, 3)
	cut := strings.Repeat("é", maxShown) + "..."
	require.Equal(t, cut, found.Matches[0].Text)

	found, err = search(strings.Repeat("é", 300), `(.*)`, false, 1)
	require.NoError(t, err)
	require.Equal(t, []Match{{1, 1, cut, []string{cut}, cut}}, found.Matches)
}
