package strictjson

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// number reads a number. The literal stays as it is.
func (p *parser) number(v *Value) error {
	start := p.pos
	p.accept("-")
	if !p.accept("0") && !p.digits() { // a zero stands alone before the point
		return p.unexpected("a digit")
	}
	if p.accept(".") && !p.digits() {
		return p.unexpected("a digit")
	}
	if p.accept("eE") {
		p.accept("+-")
		if !p.digits() {
			return p.unexpected("a digit")
		}
	}
	v.Kind, v.Text = Number, p.src[start:p.pos]
	return nil
}

// accept reads one byte if it is among set.
func (p *parser) accept(set string) bool {
	if p.pos < len(p.src) && strings.IndexByte(set, p.src[p.pos]) >= 0 {
		p.pos++
		return true
	}
	return false
}

// digits reads decimal digits and reports whether there were any.
func (p *parser) digits() bool {
	start := p.pos
	for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
		p.pos++
	}
	return p.pos > start
}

// str reads a string. One without escapes is a part of src and costs nothing.
func (p *parser) str() (string, error) {
	p.pos++
	start := p.pos
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == '"':
			p.pos++
			return p.src[start : p.pos-1], nil
		case c == '\\':
			return p.escaped(start)
		case c < ' ':
			return "", p.errorf("control character %s in a string", p.found())
		}
		p.pos++
	}
	return "", p.errorf("end of text in a string")
}

// escaped reads on in a string whose content starts at start and whose first escape is at pos.
func (p *parser) escaped(start int) (string, error) {
	text := append(make([]byte, 0, 2*(p.pos-start)+16), p.src[start:p.pos]...)
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == '"':
			p.pos++
			return string(text), nil
		case c == '\\':
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			text = utf8.AppendRune(text, r)
			continue
		case c < ' ':
			return "", p.errorf("control character %s in a string", p.found())
		default:
			text = append(text, c)
		}
		p.pos++
	}
	return "", p.errorf("end of text in a string")
}

// escape reads one escape, or two that are a surrogate pair.
func (p *parser) escape() (rune, error) {
	const letters, values = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := strings.IndexByte(letters, p.at(1)); i >= 0 {
		p.pos += 2
		return rune(values[i]), nil
	}
	r, ok := p.unit(p.pos)
	if !ok {
		return 0, p.errorf("unknown escape")
	}
	if !utf16.IsSurrogate(r) {
		p.pos += 6
		return r, nil
	}
	// Half a pair stands for no character. encoding/json puts U+FFFD in its place, others do not.
	low, _ := p.unit(p.pos + 6)
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return 0, p.errorf("half of a surrogate pair")
	}
	p.pos += 12
	return r, nil
}

// at returns the byte n places behind pos, 0 behind the end.
func (p *parser) at(n int) byte {
	if p.pos+n < len(p.src) {
		return p.src[p.pos+n]
	}
	return 0
}

// unit returns the value of the escape \uXXXX at pos.
func (p *parser) unit(pos int) (rune, bool) {
	if pos+6 > len(p.src) || p.src[pos] != '\\' || p.src[pos+1] != 'u' {
		return 0, false
	}
	// ParseUint takes no sign, and underscores only with base 0.
	n, err := strconv.ParseUint(p.src[pos+2:pos+6], 16, 16)
	return rune(n), err == nil
}
