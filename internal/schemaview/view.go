// Package schemaview reads what a JSON Schema says of a place in a value: which types it takes, and its description. That is
// little of what a schema can say, and enough to make JSON of what a person types. Start with [Parse].
package schemaview

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/wasmtools/wasmtools/internal/strictjson"
)

// Place is a place in the values that a schema describes. A place that the schema does not have takes anything.
type Place struct {
	root map[string]any
	node map[string]any // nil if the schema says nothing
}

// Parse returns the outermost place of a schema. Text that is no object is a schema that says nothing.
func Parse(text json.RawMessage) Place {
	var root map[string]any
	_ = json.Unmarshal(text, &root)
	return Place{root, root}
}

// at returns the place that is described by value.
func (s Place) at(value any) Place {
	node, _ := value.(map[string]any)
	return Place{s.root, node}
}

// Names returns the names of the declared properties, sorted.
func (s Place) Names() []string {
	properties, _ := s.node["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

// Property returns the place of a member.
func (s Place) Property(name string) Place {
	properties, _ := s.node["properties"].(map[string]any)
	if p, ok := properties[name]; ok {
		return s.at(p)
	}
	return s.at(s.node["additionalProperties"])
}

// target returns the place that a reference leads to, and its name; the name is empty if the place is no reference.
func (s Place) target() (Place, string) {
	ref, _ := s.node["$ref"].(string)
	if ref == "" {
		return s, ""
	}
	var at any = s.root
	for _, name := range strings.Split(strings.TrimPrefix(ref, "#"), "/")[1:] {
		node, _ := at.(map[string]any)
		at = node[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	return s.at(at), ref
}

// Description returns what the place says about itself.
func (s Place) Description() string {
	if text, ok := s.node["description"].(string); ok {
		return text
	}
	to, _ := s.target()
	text, _ := to.node["description"].(string)
	return text
}

// types returns the JSON types that the place takes, as far as it says.
func (s Place) types() map[string]bool {
	types := map[string]bool{}
	s.addTypes(types, map[string]bool{})
	return types
}

// addTypes follows every reference once: a schema may lead back to itself.
func (s Place) addTypes(types, seen map[string]bool) {
	switch t := s.node["type"].(type) {
	case string:
		types[t] = true
	case []any:
		for _, name := range t {
			if name, ok := name.(string); ok {
				types[name] = true
			}
		}
	}
	if to, ref := s.target(); ref != "" && !seen[ref] {
		seen[ref] = true
		to.addTypes(types, seen)
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		branches, _ := s.node[key].([]any)
		for _, branch := range branches {
			s.at(branch).addTypes(types, seen)
		}
	}
	values, _ := s.node["enum"].([]any)
	if constant, ok := s.node["const"]; ok {
		values = append(values[:len(values):len(values)], constant)
	}
	for _, value := range values {
		text, _ := json.Marshal(value) // it came from JSON
		types[kind(text)] = true
	}
}

// items returns the place of a list's elements.
func (s Place) items(seen map[string]bool) Place {
	if items, ok := s.node["items"]; ok {
		return s.at(items)
	}
	if to, ref := s.target(); ref != "" && !seen[ref] {
		seen[ref] = true
		return to.items(seen)
	}
	return s.at(nil)
}

var errTwice = errors.New("given several times and is not a list")

// CoerceAll makes one JSON value of what was given for one key.
func (s Place) CoerceAll(texts []string) (json.RawMessage, error) {
	if len(texts) == 1 {
		return s.Coerce(texts[0]), nil
	}
	if types := s.types(); len(types) > 0 && !types["array"] {
		return nil, errTwice
	}
	return s.list(texts), nil
}

// Coerce makes a JSON value of text: itself, if it is JSON of a type that the schema takes; else a list of one element where
// a list is wanted; else a string. That the value is right is checked with the call.
func (s Place) Coerce(text string) json.RawMessage {
	types := s.types()
	if types["array"] && !types["string"] && !means(types, text) {
		return s.list([]string{text})
	}
	return single(types, text)
}

// list makes a list of one element for each text. A list in a list is written as JSON.
func (s Place) list(texts []string) json.RawMessage {
	types := s.items(map[string]bool{}).types()
	elements := make([][]byte, len(texts))
	for i, text := range texts {
		elements[i] = single(types, text)
	}
	return append(append([]byte("["), bytes.Join(elements, []byte(","))...), ']')
}

// single makes a value of text. Where no string is wanted JSON of the wrong type stays what it is: the error says so best.
func single(types map[string]bool, text string) json.RawMessage {
	if value := []byte(strings.TrimSpace(text)); means(types, text) || !types["string"] && json.Valid(value) {
		return value
	}
	return strictjson.AppendString(nil, text)
}

// means tells whether text is JSON of one of the types. Where a string is wanted text is no string in disguise, and null is
// text unless it is wanted, too: elsewhere null is for what may be left out.
func means(types map[string]bool, text string) bool {
	value := []byte(strings.TrimSpace(text))
	if !json.Valid(value) {
		return false
	}
	switch kind := kind(value); kind {
	case "string":
		return false
	case "number":
		return types["number"] || types["integer"]
	case "null":
		return types["null"] || !types["string"]
	default:
		return types[kind]
	}
}

// kind returns the type of a JSON text by its first character.
func kind(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	switch text[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}
