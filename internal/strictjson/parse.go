package strictjson

import (
	"fmt"
	"strings"
)

// Options bound a text. Nil is the same as the zero value.
type Options struct {
	// MaxBytes is the size of the text. Zero means 1 MiB, a negative number no limit.
	MaxBytes int64

	// MaxValues is how many values the text holds: itself, elements, members, and theirs. Each costs [Parse] and [Decode]
	// about 100 bytes, however short it is. Zero means 100 000, a negative number no limit.
	MaxValues int

	// MaxDepth is how deep arrays and objects nest. Zero and negative numbers mean 64: there is always a limit.
	MaxDepth int
}

const (
	defaultBytes  = 1 << 20
	defaultValues = 100_000
	defaultDepth  = 64
)

func (o *Options) maxBytes() int64 {
	if o == nil || o.MaxBytes == 0 {
		return defaultBytes
	}
	return o.MaxBytes
}

func (o *Options) maxValues() int {
	if o == nil || o.MaxValues == 0 {
		return defaultValues
	}
	return o.MaxValues
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

// Check reports what [Parse] would refuse, and a byte order mark: whoever passes the text on passes that on too. It builds
// nothing, so that a text with very many values costs no more than its size: about 10 ns and, for the members of the
// largest object, 50 bytes each.
func Check(text []byte, o *Options) error {
	if strings.HasPrefix(string(text[:min(len(BOM), len(text))]), BOM) {
		return &Error{Reason: "starts with a byte order mark"}
	}
	if _, err := scan(text, o, false); err != nil {
		return err
	}
	return nil
}

// Parse reads the one value that text consists of. A byte order mark at its start is skipped. The value does not alias
// text. Numbers may have any size: look before converting one.
func Parse(text []byte, o *Options) (*Value, error) {
	s, err := scan(text, o, true)
	if err != nil {
		return nil, err
	}
	// The text is good, and it is known how much there is to build: one allocation holds all values.
	b := builder{scanner: scanner{src: s.src, pos: s.start}, sizes: s.sizes, values: make([]Value, s.values)}
	v := b.take(1)
	b.value(&v[0])
	return &v[0], nil
}

// builder makes values of a text that was scanned.
type builder struct {
	scanner
	sizes  []int   // of the arrays and objects to come
	values []Value // not used yet
}

func (b *builder) take(n int) []Value {
	taken := b.values[:n:n]
	b.values = b.values[n:]
	return taken
}

// value reads the next value into v.
func (b *builder) value(v *Value) {
	c := b.next()
	start := b.pos
	switch c {
	case '{':
		v.Kind = Object
		b.items(v)
		return
	case '[':
		v.Kind = Array
		b.items(v)
		return
	case '"':
		v.Kind, v.Text = String, b.text()
		return
	case 't', 'f':
		v.Kind = Bool
	case 'n':
		v.Kind = Null
	default:
		v.Kind = Number
	}
	b.scalar(c) // without mistakes, here and below
	v.Text = b.src[start:b.pos]
}

func (b *builder) items(v *Value) {
	b.pos++
	if n := b.sizes[0]; n > 0 {
		v.Items = b.take(n)
	} else {
		b.next()
		b.pos++ // the bracket
	}
	b.sizes = b.sizes[1:]
	for i := range v.Items {
		if b.next(); v.Kind == Object {
			v.Items[i].Name = b.text()
			b.next()
			b.pos++ // the colon
		}
		b.value(&v.Items[i])
		b.next()
		b.pos++ // the comma or the bracket
	}
}
