package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
)

// Input returns the schema of a tool's arguments, which are a struct, a pointer to one, or a map: always an object with
// "properties" and "required". Every member is required unless it is marked omitempty or omitzero, is an Aliased type, or
// has a default. Members that the type does not have are forbidden, at the root only if open is false.
//
// The text is the same at every call. An error names the parameter; it is about the type, or about a default that does not
// satisfy the schema.
func Input(t reflect.Type, open bool) ([]byte, error) {
	t = deref(t)
	if k := kindOf(t); k != object && k != dictionary && k != custom {
		return nil, fmt.Errorf("arguments of type %s: must be a struct or a map", t)
	}
	if err := new(inspector).visit("", t); err != nil {
		return nil, err
	}
	b := &builder{}
	s := b.finish(b.build(t))
	if s.Properties == nil {
		s.Properties = jsonschema.NewProperties()
	}
	if len(s.Required) == 0 {
		if s.Extras == nil {
			s.Extras = map[string]any{}
		}
		s.Extras["required"] = []string{}
	}
	if open && kindOf(t) == object {
		s.AdditionalProperties = nil
	}
	text, err := marshal(s)
	if err != nil {
		return nil, fmt.Errorf("arguments of type %s: %w", t, err)
	}
	return text, checkDefaults(text)
}

// Output returns the schema of what encoding/json writes for a t; null is allowed wherever it may write that. The result is
// empty where anything is possible.
func Output(t reflect.Type) ([]byte, error) {
	if kindOf(deref(t)) == anything {
		return nil, nil
	}
	if err := (&inspector{output: true}).visit("", t); err != nil {
		return nil, err
	}
	b := &builder{output: true}
	s := b.finish(b.nullable(t, b.build(t)))
	text, err := marshal(s)
	if err != nil {
		return nil, fmt.Errorf("result of type %s: %w", t, err)
	}
	return text, nil
}

// finish puts definitions that are used once where they are used, and the others, those that are shared or recur, at
// the root. A root that is referred to from within is written twice, so that all references look alike.
func (b *builder) finish(root *jsonschema.Schema) *jsonschema.Schema {
	if d := b.definition(root.Ref); d != nil {
		whole := *d.schema
		root = &whole
	}
	b.inline(root)
	for _, d := range b.defs {
		if d.uses > 1 {
			if root.Definitions == nil {
				root.Definitions = jsonschema.Definitions{}
			}
			root.Definitions[d.name] = d.schema
			b.inline(d.schema)
		}
	}
	return root
}

func (b *builder) definition(ref string) *definition {
	name, ok := strings.CutPrefix(ref, refPrefix)
	for _, d := range b.defs {
		if ok && d.name == name {
			return d
		}
	}
	return nil
}

// inline replaces references below s. What the field says of itself takes precedence over what its type says.
func (b *builder) inline(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if d := b.definition(s.Ref); d != nil {
		if d.uses > 1 {
			return
		}
		use := *s
		*s = *d.schema
		if use.Title != "" {
			s.Title = use.Title
		}
		if use.Description != "" {
			s.Description = use.Description
		}
		if use.Default != nil {
			s.Default = use.Default
		}
	}
	if s.Properties != nil {
		for p := s.Properties.Oldest(); p != nil; p = p.Next() {
			b.inline(p.Value)
		}
	}
	b.inline(s.Items)
	b.inline(s.AdditionalProperties)
	for _, option := range append(s.AnyOf[:len(s.AnyOf):len(s.AnyOf)], s.OneOf...) {
		b.inline(option)
	}
}

// marshal writes a schema without the HTML escapes that the library's own method puts in, whatever encoder calls it.
func marshal(s *jsonschema.Schema) ([]byte, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return unescapeHTML(text), nil
}

// unescapeHTML undoes the escapes of <, > and & in JSON.
func unescapeHTML(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\u00`)) {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			out = append(out, text[i])
			continue
		}
		if i+6 <= len(text) {
			if plain := strings.Index(`\u003c\u003e\u0026`, string(text[i:i+6])); plain >= 0 && plain%6 == 0 {
				out = append(out, "<>&"[plain/6])
				i += 5
				continue
			}
		}
		out = append(out, text[i], text[i+1])
		i++
	}
	return out
}
