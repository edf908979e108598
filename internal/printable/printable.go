// Package printable makes text from elsewhere fit to be shown to a person or written to a log, on one line and without
// disguise: [Escape] what a terminal would act on or not show, then [Truncate].
package printable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks may follow one another. No writing system needs more; hundreds of them paint over
// the lines above.
const maxMarks = 4

// brailleBlank is a symbol that looks like a space.
const brailleBlank = '\u2800'

// Escape returns s with everything that is not plainly visible written as a Go escape sequence, such as \n, \x1b or
// \u202e: control characters, line separators, direction overrides, zero-width and other invisible characters, private
// and unassigned code points, piled up combining marks, and bytes that are not UTF-8.
//
// Text without any of these comes back as it is. A backslash is such text: the output is for the eye and cannot be
// turned back into s.
func Escape(s string) string {
	clean := plainPrefix(s)
	if clean == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	marks := maxMarks // a mark at the start would sit on what is printed before it
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if unicode.In(r, unicode.Mn, unicode.Me) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case marks > maxMarks || !visible(r):
			writeEscaped(&b, r)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// plainPrefix returns how many bytes of printable ASCII s begins with: nearly always all of it.
func plainPrefix(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return i
		}
	}
	return len(s)
}

func visible(r rune) bool {
	return unicode.IsGraphic(r) && r != brailleBlank &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func writeEscaped(b *strings.Builder, r rune) {
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r < utf8.RuneSelf:
		fmt.Fprintf(b, `\x%02x`, r)
	case r <= 0xffff:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		fmt.Fprintf(b, `\U%08x`, r)
	}
}

// Truncate returns s if it has at most limit characters, and otherwise its first limit characters with a note that gives
// the full length.
func Truncate(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	count := 0
	for i := range s {
		if count == limit {
			return fmt.Sprintf("%s... [truncated, full length: %d chars]", s[:i], utf8.RuneCountInString(s))
		}
		count++
	}
	return s
}
