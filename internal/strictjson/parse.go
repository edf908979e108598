package strictjson

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Options bound a text. Nil is the same as the zero value.
type Options struct {
	// MaxBytes is the size of the text. Zero means 1 MiB, a negative number no limit.
	MaxBytes int64

	// MaxDepth is how deep arrays and objects nest. Zero and negative numbers mean 64: there is always a limit.
	MaxDepth int
}

const (
	defaultBytes = 1 << 20
	defaultDepth = 64
)

func (o *Options) maxBytes() int64 {
	if o == nil || o.MaxBytes == 0 {
		return defaultBytes
	}
	return o.MaxBytes
}

func (o *Options) maxDepth() int {
	if o == nil || o.MaxDepth <= 0 {
		return defaultDepth
	}
	return o.MaxDepth
}

// Error says what is wrong with a text, and where.
type Error struct {
	// Offset counts the bytes before the mistake, a byte order mark included.
	Offset int

	// Reason is the mistake. It is fit for a model.
	Reason string

	// Limit says that the text is over a limit of the [Options]. It may be good otherwise.
	Limit bool
}

// Error gives the offset and the reason.
func (e *Error) Error() string { return fmt.Sprintf("json at byte %d: %s", e.Offset, e.Reason) }

// BOM is the byte order mark that [Parse] and [Decode] skip at the start of a text.
const BOM = "\uFEFF"

// Parse reads the one value that text consists of. A byte order mark at its start is skipped. The value does not alias
// text. Numbers may have any size: look before converting one.
func Parse(text []byte, o *Options) (*Value, error) {
	if limit := o.maxBytes(); limit >= 0 && int64(len(text)) > limit {
		reason := fmt.Sprintf("text of %d bytes is over the limit of %d", len(text), limit)
		return nil, &Error{Offset: int(limit), Reason: reason, Limit: true}
	}
	p := parser{src: string(text), maxDepth: o.maxDepth()}
	if !utf8.ValidString(p.src) {
		return nil, &Error{Offset: firstInvalid(p.src), Reason: "not UTF-8"}
	}
	if strings.HasPrefix(p.src, BOM) {
		p.pos = len(BOM)
	}
	v := new(Value)
	if err := p.value(v, 0); err != nil {
		return nil, err
	}
	if p.space(); p.pos < len(p.src) {
		return nil, p.errorf("text after the value: %s", p.found())
	}
	return v, nil
}

func firstInvalid(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return len(s)
}

// parser reads src, which is UTF-8, from pos on. Its methods leave pos behind what they read or at the mistake.
type parser struct {
	src      string
	pos      int
	maxDepth int
}

func (p *parser) errorf(format string, args ...any) *Error {
	return &Error{Offset: p.pos, Reason: fmt.Sprintf(format, args...)}
}

// found names what is at pos.
func (p *parser) found() string {
	if p.pos >= len(p.src) {
		return "end of text"
	}
	r, _ := utf8.DecodeRuneInString(p.src[p.pos:])
	return fmt.Sprintf("%q", r)
}

func (p *parser) unexpected(want string) *Error {
	return p.errorf("unexpected %s, want %s", p.found(), want)
}

func (p *parser) space() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// next skips white space and returns the byte behind it, 0 at the end.
func (p *parser) next() byte {
	p.space()
	return p.peek()
}

func (p *parser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

// value reads a value that depth arrays and objects enclose.
func (p *parser) value(v *Value, depth int) error {
	switch c := p.next(); c {
	case '{', '[':
		if depth >= p.maxDepth {
			err := p.errorf("nested more than %d deep", p.maxDepth)
			err.Limit = true
			return err
		}
		p.pos++
		if c == '{' {
			return p.object(v, depth+1)
		}
		return p.array(v, depth+1)
	case '"':
		text, err := p.str()
		v.Kind, v.Text = String, text
		return err
	case 't':
		return p.literal(v, Bool, "true")
	case 'f':
		return p.literal(v, Bool, "false")
	case 'n':
		return p.literal(v, Null, "null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return p.number(v)
	}
	return p.unexpected("a value")
}

func (p *parser) literal(v *Value, kind Kind, text string) error {
	if !strings.HasPrefix(p.src[p.pos:], text) {
		return p.unexpected("a value")
	}
	p.pos += len(text)
	v.Kind, v.Text = kind, text
	return nil
}

func (p *parser) array(v *Value, depth int) error {
	v.Kind = Array
	if p.next() == ']' {
		p.pos++
		return nil
	}
	for {
		v.Items = append(v.Items, Value{})
		if err := p.value(&v.Items[len(v.Items)-1], depth); err != nil {
			return err
		}
		switch p.next() {
		case ',':
			p.pos++
		case ']':
			p.pos++
			return nil
		default:
			return p.unexpected("',' or ']'")
		}
	}
}

func (p *parser) object(v *Value, depth int) error {
	v.Kind = Object
	if p.next() == '}' {
		p.pos++
		return nil
	}
	var names names
	for {
		if p.next() != '"' {
			return p.unexpected("a member's name in double quotes")
		}
		at := p.pos
		name, err := p.str()
		if err != nil {
			return err
		}
		if names.add(v.Items, name) {
			p.pos = at
			return p.errorf("duplicate member %q", name)
		}
		if p.next() != ':' {
			return p.unexpected("':'")
		}
		p.pos++
		v.Items = append(v.Items, Value{Name: name})
		if err := p.value(&v.Items[len(v.Items)-1], depth); err != nil {
			return err
		}
		switch p.next() {
		case ',':
			p.pos++
		case '}':
			p.pos++
			return nil
		default:
			return p.unexpected("',' or '}'")
		}
	}
}

// names finds duplicates among the members of one object. The map is made when looking at all of them gets slow.
type names struct{ seen map[string]struct{} }

// add reports whether name is among the members read so far.
func (n *names) add(members []Value, name string) bool {
	const few = 16
	if len(members) < few {
		return slices.ContainsFunc(members, func(m Value) bool { return m.Name == name })
	}
	if n.seen == nil {
		n.seen = make(map[string]struct{}, 2*few)
		for i := range members {
			n.seen[members[i].Name] = struct{}{}
		}
	}
	_, dup := n.seen[name]
	n.seen[name] = struct{}{}
	return dup
}
