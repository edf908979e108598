package schema

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	maxPatternBytes = 4 << 10

	// maxPatternSize bounds the sum of the sizes of a schema's patterns, in RE2 instructions. Every byte of a string may
	// have to be matched against all of them.
	maxPatternSize = 20_000

	// maxPatternTime bounds the sum of their [parseTime].
	maxPatternTime = 40_000
)

// pattern is a compiled pattern and its size in RE2 instructions.
type pattern struct {
	*regexp.Regexp
	size int
}

// patterns compiles the patterns of one schema.
type patterns struct {
	compiled map[string]*pattern // by text: the library asks for each one twice
	size     int                 // what is left of the sum
	time     int                 // what is left of that sum
	err      error               // why the first bad pattern was refused

	// closed is set when the schema is compiled. From then on compile is called, by any goroutine, for strings whose
	// format is "regex" only, and takes them all. Even parsing a pattern can take a millisecond for each of its bytes,
	// and what RE2 does not know may be right in the dialect of the tool.
	closed bool
}

func newPatterns() *patterns {
	return &patterns{compiled: map[string]*pattern{}, size: maxPatternSize, time: maxPatternTime}
}

// compile is a jsonschema.RegexpEngine.
func (p *patterns) compile(text string) (jsonschema.Regexp, error) {
	if p.closed {
		return nil, nil
	}
	if re := p.compiled[text]; re != nil {
		return re, nil
	}
	re, err := p.add(text)
	if err != nil {
		if p.err == nil {
			p.err = err
		}
		return nil, err
	}
	p.compiled[text] = re
	return re, nil
}

func (p *patterns) add(text string) (*pattern, error) {
	if len(text) > maxPatternBytes {
		return nil, fmt.Errorf("%w: %d bytes are over the limit of %d", Pattern, len(text), maxPatternBytes)
	}
	if p.time -= parseTime(text); p.time < 0 {
		return nil, fmt.Errorf("%w: its patterns have too many Unicode classes, or ranges that ignore case", Pattern)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("%w %q: %w", Pattern, clip(text, 100), err)
	}
	size := patternSize(tree)
	if p.size -= size; p.size < 0 {
		return nil, fmt.Errorf("%w %q: its patterns have more than %d instructions", Pattern, clip(text, 100), maxPatternSize)
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("%w %q: %w", Pattern, clip(text, 100), err)
	}
	return &pattern{re, size}, nil
}

// parseTime is a ceiling, in microseconds, of the time that parsing a pattern takes. It has to be known before: there is
// no stopping the parser. A class like \pL is a long table, and a range that ignores case is walked rune by rune.
func parseTime(text string) int {
	time := len(text) + 150*(strings.Count(text, `\p`)+strings.Count(text, `\P`))
	if ignoresCase(text) && (strings.Contains(text, `\x{`) || strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })) {
		time += 5000 * strings.Count(text, "-")
	}
	return time
}

// ignoresCase reports whether text has a group with the flag i.
func ignoresCase(text string) bool {
	_, rest, group := strings.Cut(text, "(?")
	for group {
		flags := rest[:len(rest)-len(strings.TrimLeft(rest, "imsU-"))]
		if strings.Contains(flags, "i") {
			return true
		}
		_, rest, group = strings.Cut(rest, "(?")
	}
	return false
}

// patternSize estimates the number of instructions that a pattern compiles to. The parser has seen to it that nested
// repetitions do not multiply to more than 1000.
func patternSize(re *syntax.Regexp) int {
	size := 1 + len(re.Rune)/16
	if re.Op == syntax.OpLiteral {
		size = len(re.Rune)
	}
	for _, sub := range re.Sub {
		size += patternSize(sub)
	}
	if re.Op == syntax.OpRepeat {
		size *= max(re.Min+1, re.Max)
	}
	return size
}
