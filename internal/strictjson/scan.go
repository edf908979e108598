package strictjson

import (
	"fmt"
	"hash/maphash"
	"strings"
	"unicode/utf8"
)

// scanner reads src, which is UTF-8, from pos on. Its methods leave pos behind what they read or at the mistake.
type scanner struct {
	src        string
	start, pos int
	maxDepth   int

	// values counts the values read, and excess is the place of the first one over maxValues.
	values, maxValues, excess int

	// sizes are the numbers of items of all arrays and objects in the order in which they begin, if sized is set.
	sized bool
	sizes []int

	names []name // of the members of all objects that are open
	seed  maphash.Seed
	table []uint32 // see duplicate
	buf   []byte   // see unescaped
}

// scan reads all of text, and its arrays' and objects' sizes if a value is to be built.
func scan(text []byte, o *Options, sized bool) (*scanner, *Error) {
	if limit := o.maxBytes(); limit >= 0 && int64(len(text)) > limit {
		reason := fmt.Sprintf("text of %d bytes is over the limit of %d", len(text), limit)
		return nil, &Error{Offset: int(limit), Reason: reason, Limit: true}
	}
	s := &scanner{src: string(text), maxDepth: o.maxDepth(), maxValues: o.maxValues(), sized: sized, seed: maphash.MakeSeed()}
	if !utf8.ValidString(s.src) {
		return nil, &Error{Offset: firstInvalid(s.src), Reason: "not UTF-8"}
	}
	if strings.HasPrefix(s.src, BOM) {
		s.start = len(BOM)
	}
	s.pos = s.start
	if err := s.value(0); err != nil {
		return nil, err
	}
	if s.next(); s.pos < len(s.src) {
		return nil, s.errorf("text after the value: %s", s.found())
	}
	if s.over() {
		reason := fmt.Sprintf("text of %d values is over the limit of %d", s.values, s.maxValues)
		return nil, &Error{Offset: s.excess, Reason: reason, Limit: true}
	}
	return s, nil
}

func (s *scanner) over() bool { return s.maxValues >= 0 && s.values > s.maxValues }

func firstInvalid(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return len(s)
}

func (s *scanner) errorf(format string, args ...any) *Error {
	return &Error{Offset: s.pos, Reason: fmt.Sprintf(format, args...)}
}

// found names what is at pos.
func (s *scanner) found() string {
	if s.pos >= len(s.src) {
		return "end of text"
	}
	r, _ := utf8.DecodeRuneInString(s.src[s.pos:])
	return fmt.Sprintf("%q", r)
}

func (s *scanner) unexpected(want string) *Error {
	return s.errorf("unexpected %s, want %s", s.found(), want)
}

// next skips white space and returns the byte behind it, 0 at the end.
func (s *scanner) next() byte {
	for ; s.pos < len(s.src); s.pos++ {
		if c := s.src[s.pos]; c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c
		}
	}
	return 0
}

// value reads a value that depth arrays and objects enclose.
func (s *scanner) value(depth int) *Error {
	c := s.next()
	if s.values == s.maxValues {
		s.excess = s.pos
	}
	s.values++
	if c != '{' && c != '[' {
		return s.scalar(c)
	}
	if depth >= s.maxDepth {
		err := s.errorf("nested more than %d deep", s.maxDepth)
		err.Limit = true
		return err
	}
	s.pos++
	n := len(s.sizes)
	sized := s.sized && !s.over() // the sizes cost memory too
	if sized {
		s.sizes = append(s.sizes, 0)
	}
	read := s.array
	if c == '{' {
		read = s.object
	}
	size, err := read(depth + 1)
	if sized {
		s.sizes[n] = size
	}
	return err
}

// array reads on behind the bracket, and returns the number of elements.
func (s *scanner) array(depth int) (size int, err *Error) {
	if s.next() == ']' {
		s.pos++
		return 0, nil
	}
	for {
		if err := s.value(depth); err != nil {
			return 0, err
		}
		size++
		switch s.next() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			return size, nil
		default:
			return 0, s.unexpected("',' or ']'")
		}
	}
}
