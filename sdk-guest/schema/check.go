package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Check reports the first place at which value does not satisfy schema, which has been made by this package: it knows the
// keywords that are made here and no others. The host checks every call with a complete implementation; this one is for
// defaults and for tests in plain Go.
func Check(schema, value []byte) error {
	root, err := decode(schema)
	if err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	v, err := decode(value)
	if err != nil {
		return err
	}
	return checker{root}.check("", root, v)
}

// checkDefaults reports the first default below a schema that does not satisfy it.
func checkDefaults(schema []byte) error {
	root, err := decode(schema)
	if err != nil {
		return err
	}
	return checker{root}.defaults("", root)
}

func decode(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

type checker struct{ root any }

func (c checker) defaults(path string, schema any) error {
	s, ok := schema.(map[string]any)
	if !ok {
		return nil
	}
	if value, ok := s["default"]; ok {
		if err := c.check("", s, value); err != nil {
			return fmt.Errorf("parameter %q: default: %w", path, err)
		}
	}
	for _, keyword := range []string{"properties", "$defs"} {
		members, _ := s[keyword].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if err := c.defaults(join(path, name), members[name]); err != nil {
				return err
			}
		}
	}
	if err := c.defaults(path+"[]", s["items"]); err != nil {
		return err
	}
	return c.defaults(path+"{}", s["additionalProperties"])
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (c checker) check(path string, schema, v any) error {
	s, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			return fail(path, "is not allowed")
		}
		return nil
	}
	if ref, ok := s["$ref"].(string); ok {
		if err := c.check(path, c.resolve(ref), v); err != nil {
			return err
		}
	}
	if t, ok := s["type"].(string); ok && !isType(t, v) {
		return fail(path, "must be of type "+t)
	}
	same := func(value any) bool { return reflect.DeepEqual(value, v) }
	if enum, ok := s["enum"].([]any); ok && !slices.ContainsFunc(enum, same) {
		return fail(path, fmt.Sprintf("must be one of %v", enum))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} { // the latter is only made of alternatives that exclude each other
		options, ok := s[keyword].([]any)
		fits := func(option any) bool { return c.check(path, option, v) == nil }
		if ok && !slices.ContainsFunc(options, fits) {
			return fail(path, "fits none of the alternatives")
		}
	}
	switch v := v.(type) {
	case json.Number:
		return checkNumber(path, s, v)
	case string:
		return checkString(path, s, v)
	case []any:
		return c.checkArray(path, s, v)
	case map[string]any:
		return c.checkObject(path, s, v)
	}
	return nil
}

// resolve follows a reference into $defs. A schema made here has no others.
func (c checker) resolve(ref string) any {
	root, _ := c.root.(map[string]any)
	defs, _ := root["$defs"].(map[string]any)
	return defs[strings.TrimPrefix(ref, refPrefix)]
}

func isType(t string, v any) bool {
	switch v := v.(type) {
	case nil:
		return t == "null"
	case bool:
		return t == "boolean"
	case string:
		return t == "string"
	case []any:
		return t == "array"
	case map[string]any:
		return t == "object"
	case json.Number:
		return t == "number" || t == "integer" && !strings.ContainsAny(v.String(), ".eE")
	}
	return false
}

func fail(path, reason string) error {
	if path == "" {
		return errors.New(reason)
	}
	return fmt.Errorf("%q: %s", path, reason)
}
