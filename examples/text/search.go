package main

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxShown is the length in runes of the longest text that is shown whole: of a line, a match or a group.
const maxShown = 200

// Matches are what a search found.
type Matches struct {
	Matches []Match `json:"matches"`
	Total   int     `json:"total" jsonschema:"description=All matches; more than are listed if the limit was reached"`
}

// Match is one place where a pattern matched.
type Match struct {
	Line   int      `json:"line" jsonschema:"description=Counted from 1"`
	Column int      `json:"column" jsonschema:"description=In characters and counted from 1"`
	Match  string   `json:"match"`
	Groups []string `json:"groups,omitempty" jsonschema:"description=What the pattern's groups matched"`
	Text   string   `json:"text" jsonschema:"description=The line; cut if it is long"`
}

// search finds a regular expression in each line of a text and lists the first limit matches. The expression is of the
// RE2 kind, which takes time linear in the text whatever the pattern. Errors say what is wrong with the pattern.
func search(text, pattern string, ignoreCase bool, limit int) (Matches, error) {
	if ignoreCase {
		pattern = "(?i:" + pattern + ")"
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return Matches{}, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	found := Matches{Matches: []Match{}}
	for i, line := range splitLines(text) {
		line = strings.TrimRight(line, "\r\n")
		at := re.FindAllStringSubmatchIndex(line, -1)
		for _, m := range at[:min(len(at), limit-len(found.Matches))] {
			found.Matches = append(found.Matches, newMatch(i+1, line, m))
		}
		found.Total += len(at)
	}
	return found, nil
}

// newMatch describes a match at those byte offsets: two for the whole and two for each group, -1 for one without a part.
func newMatch(number int, line string, at []int) Match {
	var groups []string
	for i := 2; i < len(at); i += 2 {
		group := ""
		if at[i] >= 0 {
			group = shorten(line[at[i]:at[i+1]])
		}
		groups = append(groups, group)
	}
	return Match{
		Line:   number,
		Column: utf8.RuneCountInString(line[:at[0]]) + 1,
		Match:  shorten(line[at[0]:at[1]]),
		Groups: groups,
		Text:   shorten(line),
	}
}

func shorten(text string) string {
	n := 0
	for i := range text {
		if n == maxShown {
			return text[:i] + "..."
		}
		n++
	}
	return text
}
