package strictjson

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// scalar reads a string, number, boolean or null, which begins with c.
func (s *scanner) scalar(c byte) *Error {
	switch c {
	case '"':
		_, _, err := s.str()
		return err
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return s.number()
	}
	return s.unexpected("a value")
}

func (s *scanner) literal(text string) *Error {
	if !strings.HasPrefix(s.src[s.pos:], text) {
		return s.unexpected("a value")
	}
	s.pos += len(text)
	return nil
}

// number reads a number, of which the first byte was looked at. It works on a copy of pos, which is twice as fast.
func (s *scanner) number() *Error {
	src, i := s.src, s.pos
	if src[i] == '-' {
		i++
	}
	start := i
	if i = digits(src, i); i > start+1 && src[start] == '0' {
		i = start + 1 // a zero stands alone before the point
	}
	if i > start && i < len(src) && src[i] == '.' {
		start = i + 1
		i = digits(src, start)
	}
	if i > start && i < len(src) && src[i]|0x20 == 'e' {
		if start = i + 1; start < len(src) && (src[start] == '+' || src[start] == '-') {
			start++
		}
		i = digits(src, start)
	}
	if s.pos = i; i == start {
		return s.unexpected("a digit")
	}
	return nil
}

// digits returns the end of the decimal digits at i.
func digits(src string, i int) int {
	for i < len(src) && '0' <= src[i] && src[i] <= '9' {
		i++
	}
	return i
}

// str reads a string. The content is the part of src between the quotes.
func (s *scanner) str() (content string, escaped bool, err *Error) {
	start := s.pos + 1
	for i := start; i < len(s.src); i++ {
		c := s.src[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		s.pos = i
		switch c {
		case '"':
			s.pos++
			return s.src[start:i], escaped, nil
		case '\\':
			_, size, mistake := escape(s.src[i:])
			if mistake != "" {
				return "", true, s.errorf("%s", mistake)
			}
			escaped = true
			i += size - 1
		default:
			return "", escaped, s.errorf("control character %s in a string", s.found())
		}
	}
	s.pos = len(s.src)
	return "", escaped, s.errorf("end of text in a string")
}

// text reads a string without mistakes and returns what it says. One without escapes is a part of src and costs nothing.
func (s *scanner) text() string {
	start, escaped := s.pos+1, false
	end := start
	for ; s.src[end] != '"'; end++ {
		if s.src[end] == '\\' {
			escaped = true
			end++ // what it escapes may be a quote
		}
	}
	s.pos = end + 1
	if !escaped {
		return s.src[start:end]
	}
	return string(s.unescaped(s.src[start:end]))
}

// unescaped resolves the escapes of a string's content. The result is good until the next call.
func (s *scanner) unescaped(content string) []byte {
	text := slices.Grow(s.buf[:0], len(content))
	for i := 0; i < len(content); {
		if content[i] != '\\' {
			text = append(text, content[i])
			i++
			continue
		}
		r, size, _ := escape(content[i:])
		text = utf8.AppendRune(text, r)
		i += size
	}
	s.buf = text
	return text
}

// escape returns what the escape at the beginning of text stands for, or two that are a surrogate pair, and its size.
func escape(text string) (r rune, size int, mistake string) {
	const letters, values = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if len(text) > 1 {
		if i := strings.IndexByte(letters, text[1]); i >= 0 {
			return rune(values[i]), 2, ""
		}
	}
	r, ok := unit(text)
	if !ok {
		return 0, 0, "unknown escape"
	}
	if !utf16.IsSurrogate(r) {
		return r, 6, ""
	}
	// Half a pair stands for no character. encoding/json puts U+FFFD in its place, others do not.
	low, _ := unit(text[6:])
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return 0, 0, "half of a surrogate pair"
	}
	return r, 12, ""
}

// unit returns the value of the escape \uXXXX at the beginning of text.
func unit(text string) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	// ParseUint takes no sign, and underscores only with base 0.
	n, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(n), err == nil
}
