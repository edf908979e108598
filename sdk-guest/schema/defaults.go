package schema

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Defaults puts the defaults of a type into arguments in which they are absent or null, at every level, and takes out
// members that the type does not have. The zero value, and nil, change nothing.
type Defaults struct {
	root  *node
	exact bool
	found bool
	nodes map[reflect.Type]*node
}

// node is what there is to know about the JSON of a type: members of an object, or elements, or neither.
type node struct {
	members []member
	elem    *node
	isArray bool
}

type member struct {
	name  string
	value json.RawMessage // nil: no default
	node  *node
}

// NewDefaults prepares the defaults of t. Defaults that do not parse are left to [Input] to report. If open is true, members
// are compared by their exact names, and those that t does not have are taken out: encoding/json would take "A" for
// the field "a". Without that the host lets no other names pass.
func NewDefaults(t reflect.Type, open bool) *Defaults {
	d := &Defaults{exact: open, nodes: map[reflect.Type]*node{}}
	d.root = d.node(t)
	d.nodes = nil
	return d
}

func (d *Defaults) node(t reflect.Type) *node {
	t = deref(t)
	k := kindOf(t)
	if k == alias {
		return d.node(elem(t, k))
	}
	if n, ok := d.nodes[t]; ok {
		return n
	}
	n := &node{isArray: k == array}
	d.nodes[t] = n
	switch k {
	case array, dictionary:
		n.elem = d.node(elem(t, k))
	case object:
		if implements[extender](t) {
			d.exact = true // its schema may allow names that we do not know of
		}
		list, err := fields(t)
		if err != nil {
			break // Input reports it
		}
		for _, f := range list {
			m := member{f.name, defaultOf(f), d.node(f.typ)}
			d.found = d.found || m.value != nil
			n.members = append(n.members, m)
		}
	}
	return n
}

// Apply returns the arguments with their defaults. It may return text itself.
func (d *Defaults) Apply(text []byte) ([]byte, error) {
	if d == nil || !d.found && !d.exact {
		return text, nil
	}
	return d.root.apply(text)
}

func (n *node) apply(text []byte) ([]byte, error) {
	switch {
	case n == nil, isNull(text):
		return text, nil
	case n.members != nil:
		return n.object(text)
	case n.elem == nil:
		return text, nil
	case n.isArray:
		return n.array(text)
	}
	return n.dictionary(text)
}

func (n *node) object(text []byte) ([]byte, error) {
	var given map[string]json.RawMessage // a map, because its keys are exact
	if err := json.Unmarshal(text, &given); err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for _, m := range n.members {
		value, ok := given[m.name]
		if m.value != nil && (!ok || isNull(value)) {
			value, ok = m.value, true
		}
		if !ok {
			continue
		}
		value, err := m.node.apply(value)
		if err != nil {
			return nil, err
		}
		out = appendMember(out, m.name, value)
	}
	return append(out, '}'), nil
}

func (n *node) dictionary(text []byte) ([]byte, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for name, value := range given {
		value, err := n.elem.apply(value)
		if err != nil {
			return nil, err
		}
		out = appendMember(out, name, value)
	}
	return append(out, '}'), nil
}

func (n *node) array(text []byte) ([]byte, error) {
	var given []json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil {
		return nil, err
	}
	out := []byte{'['}
	for i, value := range given {
		value, err := n.elem.apply(value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, value...)
	}
	return append(out, ']'), nil
}

func appendMember(out []byte, name string, value []byte) []byte {
	if len(out) > 1 {
		out = append(out, ',')
	}
	return append(append(append(out, quote(name)...), ':'), value...)
}

func isNull(text []byte) bool { return string(text) == "null" }

// quote returns a string in JSON. Strings are the one kind of value that encoding/json never fails to write.
func quote(s string) []byte {
	text, _ := json.Marshal(s)
	return text
}

// defaultOf returns the default of a field in JSON, nil if it has none. What is not JSON is found by checkDefaults.
func defaultOf(f field) json.RawMessage {
	texts := values(f.tags, "default")
	if len(texts) == 0 {
		return nil
	}
	t := deref(f.typ)
	if kindOf(t) != array {
		return literal(kindOf(t), texts[len(texts)-1])
	}
	if len(texts) == 1 && strings.HasPrefix(texts[0], "[") {
		return literal(array, texts[0])
	}
	// default=a,default=b are the elements
	k := kindOf(elem(t, array))
	out := []byte{'['}
	for i, text := range texts {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, literal(k, text)...)
	}
	return append(out, ']')
}

// literal returns the JSON of a default. Text that is not JSON where it has to be becomes a string, which no type but a
// string's allows.
func literal(k kind, value string) json.RawMessage {
	if k == text || !json.Valid([]byte(value)) {
		return quote(value)
	}
	return json.RawMessage(value)
}
