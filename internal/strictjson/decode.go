package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Decode parses text and stores it in the value that into points to, as json.Unmarshal does. It refuses what [Parse]
// refuses and, unlike json.Unmarshal, members that a Go struct does not name, or names in another case. What a type with
// an UnmarshalJSON method of its own makes of its part is its affair.
func Decode(text []byte, o *Options, into any) error {
	v, err := Parse(text, o)
	if err != nil {
		return err
	}
	fields := map[reflect.Type]map[string]reflect.Type{}
	if err := checkNames(v, reflect.TypeOf(into), "", fields); err != nil {
		return err
	}
	err = json.Unmarshal(bytes.TrimPrefix(text, []byte(BOM)), into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		wrong.Value = clip(wrong.Value) // it has the digits of a number
	}
	return err
}

// clip shortens what a text says, which may be all of it, for a message.
func clip(s string) string {
	const most = 100
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// checkNames holds the members of v, which is at path, to the names of t's fields. It remembers the fields of each type in
// fields: a list may have very many elements.
func checkNames(v *Value, t reflect.Type, path string, fields map[reflect.Type]map[string]reflect.Type) error {
	for t != nil && t.Kind() == reflect.Pointer && !unmarshals(t) {
		t = t.Elem()
	}
	if t == nil || unmarshals(reflect.PointerTo(t)) || (v.Kind != Object && v.Kind != Array) {
		return nil
	}
	var elem func(*Value) (reflect.Type, bool)
	switch t.Kind() {
	case reflect.Struct:
		types, known := fields[t]
		if !known {
			types = fieldTypes(t)
			fields[t] = types
		}
		elem = func(m *Value) (reflect.Type, bool) { ft, ok := types[m.Name]; return ft, ok }
	case reflect.Map, reflect.Slice, reflect.Array:
		elem = func(*Value) (reflect.Type, bool) { return t.Elem(), true }
	default:
		return nil // json.Unmarshal reports the wrong type
	}
	for i := range v.Items {
		m := &v.Items[i]
		et, ok := elem(m)
		if !ok && v.Kind == Object {
			return fmt.Errorf("json: unknown member %q", clip(path+m.Name))
		}
		sub := path
		if v.Kind == Object {
			sub += m.Name + "."
		}
		if err := checkNames(m, et, sub, fields); err != nil {
			return err
		}
	}
	return nil
}

func unmarshals(t reflect.Type) bool { return t.Implements(reflect.TypeFor[json.Unmarshaler]()) }

// fieldTypes returns the types of the fields of the struct type t by the names that they have in JSON.
func fieldTypes(t reflect.Type) map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		tag := f.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		switch {
		case !f.IsExported() || tag == "-" || (f.Anonymous && name == ""):
			continue
		case name == "":
			name = f.Name
		}
		types[name] = f.Type
	}
	return types
}
