package main

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Counts says how much a text holds.
type Counts struct {
	Lines      int         `json:"lines"`
	Words      int         `json:"words"`
	Characters int         `json:"characters" jsonschema:"description=Unicode code points"`
	Bytes      int         `json:"bytes"`
	Top        []WordCount `json:"top" jsonschema:"description=The most frequent words in lower case"`
}

// WordCount is a word in lower case and how often it occurs.
type WordCount struct {
	Word  string `json:"word"`
	Count int    `json:"count"`
}

// count counts what is in a text and lists its most frequent words, at most top of them. A last line without a newline
// counts as a line. A word is a run of letters, marks and digits, with apostrophes and hyphens inside.
func count(text string, top int) Counts {
	frequency := map[string]int{}
	words := 0
	for word := range strings.FieldsFuncSeq(text, outsideWord) {
		if word = strings.Trim(word, "'’-"); word != "" {
			words++
			frequency[strings.ToLower(word)]++
		}
	}
	return Counts{
		Lines:      len(splitLines(text)),
		Words:      words,
		Characters: utf8.RuneCountInString(text),
		Bytes:      len(text),
		Top:        mostFrequent(frequency, top),
	}
}

func outsideWord(r rune) bool {
	return !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit) && r != '\'' && r != '’' && r != '-'
}

// mostFrequent sorts by count and then by word, so that the answer is always the same.
func mostFrequent(frequency map[string]int, top int) []WordCount {
	list := make([]WordCount, 0, len(frequency))
	for word, n := range frequency {
		list = append(list, WordCount{word, n})
	}
	slices.SortFunc(list, func(a, b WordCount) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Word, b.Word))
	})
	return list[:min(top, len(list))]
}

// splitLines returns the lines of a text with their newlines. Only the last one may lack it; an empty text has no lines.
func splitLines(text string) []string {
	return slices.Collect(strings.Lines(text))
}
