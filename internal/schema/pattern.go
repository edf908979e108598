package schema

import (
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	maxPatternBytes = 4 << 10

	// maxPatternSize bounds the sum of the sizes of a schema's patterns, in RE2 instructions. Every byte of a string may
	// have to be matched against all of them.
	maxPatternSize = 20_000
)

// patterns compiles the patterns of one schema.
type patterns struct {
	left int   // what is left of the sum; not touched once closed
	err  error // why the first bad pattern was refused, while not closed

	// closed is set when the schema is compiled. From then on compile is called, by any goroutine, for strings whose
	// format is "regex" only.
	closed bool
}

// compile is a jsonschema.RegexpEngine.
func (p *patterns) compile(text string) (jsonschema.Regexp, error) {
	re, size, err := compilePattern(text)
	if p.closed {
		return re, err
	}
	if p.left -= size; err == nil && p.left < 0 {
		err = fmt.Errorf("%w: its patterns have more than %d instructions", Pattern, maxPatternSize)
	}
	if err != nil && p.err == nil {
		p.err = err
	}
	return re, err
}

func compilePattern(text string) (jsonschema.Regexp, int, error) {
	if len(text) > maxPatternBytes {
		return nil, 0, fmt.Errorf("%w: %d bytes are over the limit of %d", Pattern, len(text), maxPatternBytes)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, 0, fmt.Errorf("%w %q: %w", Pattern, clip(text, 100), err)
	}
	size := patternSize(tree)
	if size > maxPatternSize {
		return nil, size, fmt.Errorf("%w %q: more than %d instructions", Pattern, clip(text, 100), maxPatternSize)
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, size, fmt.Errorf("%w %q: %w", Pattern, clip(text, 100), err)
	}
	return re, size, nil
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
