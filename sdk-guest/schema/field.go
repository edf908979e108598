package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// field is a member of a struct's JSON.
type field struct {
	name     string
	typ      reflect.Type
	optional bool // omitempty or omitzero, and not required by its jsonschema tag
	tags     []tag
}

// fields returns the members of a struct's JSON in order, those of embedded structs included.
func fields(t reflect.Type) ([]field, error) {
	return appendFields(nil, t, nil)
}

func appendFields(list []field, t reflect.Type, embedding []reflect.Type) ([]field, error) {
	if slices.Contains(embedding, t) {
		return nil, fmt.Errorf("type %s embeds itself", t)
	}
	embedding = append(embedding, t)
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		tags := splitTag(f.Tag.Get("jsonschema"))
		switch {
		case name == "-", len(tags) > 0 && tags[0].key == "-":
			continue
		case name == "" && f.Anonymous && deref(f.Type).Kind() == reflect.Struct:
			var err error
			if list, err = appendFields(list, deref(f.Type), embedding); err != nil {
				return nil, err
			}
			continue
		case !f.IsExported():
			continue
		}
		if name == "" {
			name = f.Name
		}
		if slices.ContainsFunc(list, func(other field) bool { return other.name == name }) {
			return nil, fmt.Errorf("type %s has two fields %q", t, name)
		}
		words := strings.Split(options, ",")
		if slices.Contains(words, "string") || slices.Contains(words, "inline") {
			return nil, fmt.Errorf("field %q: the json options string and inline are not supported", name)
		}
		optional := slices.Contains(words, "omitempty") || slices.Contains(words, "omitzero")
		optional = optional && !slices.Contains(tags, tag{key: "required"})
		list = append(list, field{name, f.Type, optional, tags})
	}
	return list, nil
}

// describe returns the description that a struct has on a field named _.
func describe(t reflect.Type) string {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name != "_" {
			continue
		}
		if text := f.Tag.Get("jsonschema_description"); text != "" {
			return text
		}
		if texts := values(splitTag(f.Tag.Get("jsonschema")), "description"); len(texts) > 0 {
			return texts[len(texts)-1]
		}
	}
	return ""
}
