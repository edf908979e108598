package strictjson

import (
	"encoding/json"
	"slices"
	"strconv"
)

// Kind is one of the six kinds of JSON value.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String returns the name that JSON Schema has for the kind.
func (k Kind) String() string {
	names := [...]string{"null", "boolean", "number", "string", "array", "object"}
	if int(k) >= len(names) {
		return "kind " + strconv.Itoa(int(k))
	}
	return names[k]
}

// Value is a JSON value. It may be changed in place; it is not safe for concurrent use while it is.
type Value struct {
	// Kind says which of the fields below count.
	Kind Kind

	// Omit leaves the value out of [Value.Any], if it is a member of an object. [Value.Append] writes it all the same.
	Omit bool

	// Name is the name of a member of an object and empty elsewhere.
	Name string

	// Text is a string's content with the escapes resolved. For a number, a boolean and null it is the literal.
	Text string

	// Items are the elements of an array, or the members of an object, in the order of the text.
	Items []Value
}

// Member returns the member of that name of an object, or nil.
func (v *Value) Member(name string) *Value {
	if v.Kind != Object {
		return nil
	}
	for i := range v.Items {
		if v.Items[i].Name == name {
			return &v.Items[i]
		}
	}
	return nil
}

// Delete removes the member of that name and reports whether there was one. Pointers into v.Items are void afterwards.
func (v *Value) Delete(name string) bool {
	before := len(v.Items)
	if v.Kind == Object {
		v.Items = slices.DeleteFunc(v.Items, func(m Value) bool { return m.Name == name })
	}
	return len(v.Items) < before
}

// At follows path from v: a member's name in an object, a decimal index in an array. It returns nil where the path leads
// nowhere.
func (v *Value) At(path []string) *Value {
	for _, token := range path {
		if v.Kind == Array {
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v.Items) {
				return nil
			}
			v = &v.Items[i]
		} else if v = v.Member(token); v == nil {
			return nil
		}
	}
	return v
}

// Any returns the value as encoding/json would decode it into an any with UseNumber, without the members to omit.
func (v *Value) Any() any {
	switch v.Kind {
	case Bool:
		return v.Text == "true"
	case Number:
		return json.Number(v.Text)
	case String:
		return v.Text
	case Array:
		list := make([]any, len(v.Items))
		for i := range v.Items {
			list[i] = v.Items[i].Any()
		}
		return list
	case Object:
		members := make(map[string]any, len(v.Items))
		for i := range v.Items {
			if m := &v.Items[i]; !m.Omit {
				members[m.Name] = m.Any()
			}
		}
		return members
	}
	return nil
}

// Append appends the value to dst as JSON without white space, members in their order. Strings have no more escapes than
// JSON asks for, so that what a person reads is what a program gets.
func (v *Value) Append(dst []byte) []byte {
	switch v.Kind {
	case String:
		return AppendString(dst, v.Text)
	case Array, Object:
		open, end := byte('['), byte(']')
		if v.Kind == Object {
			open, end = '{', '}'
		}
		dst = append(dst, open)
		for i := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			if v.Kind == Object {
				dst = append(AppendString(dst, v.Items[i].Name), ':')
			}
			dst = v.Items[i].Append(dst)
		}
		return append(dst, end)
	}
	return append(dst, v.Text...)
}

// AppendString appends s, which must be UTF-8, to dst as a JSON string.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, s[start:]...), '"')
}
