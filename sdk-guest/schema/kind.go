package schema

import (
	"encoding"
	"encoding/json"
	"reflect"
)

// kind is what a Go type becomes in JSON.
type kind string

const (
	anything   kind = "" // any JSON value
	object     kind = "object"
	dictionary kind = "map" // an object whose member names are data
	array      kind = "array"
	text       kind = "string"
	integer    kind = "integer"
	number     kind = "number"
	boolean    kind = "boolean"
	alias      kind = "alias"       // what its SchemaAlias says
	custom     kind = "custom"      // has a method JSONSchema
	unsuitable kind = "unsupported" // cannot be had from JSON
)

// Aliased is a type that stands for another, and may be absent: guest.Optional.
type Aliased interface{ SchemaAlias() reflect.Type }

// Unique is a slice without repetitions: guest.Set.
type Unique interface{ UniqueItems() }

// Enumerated is a type with a fixed list of values.
type Enumerated interface{ Enum() []string }

func implements[I any](t reflect.Type) bool {
	i := reflect.TypeFor[I]()
	return t.Implements(i) || reflect.PointerTo(t).Implements(i)
}

// instance returns a new t as an I.
func instance[I any](t reflect.Type) I {
	return reflect.New(t).Interface().(I)
}

// kindOf classifies a type that is not a pointer.
func kindOf(t reflect.Type) kind {
	switch {
	case implements[customizer](t):
		return custom
	case implements[Aliased](t):
		return alias
	case t == reflect.TypeFor[json.RawMessage]():
		return anything
	case t == reflect.TypeFor[json.Number]():
		return number
	case isBigInt(t):
		return integer
	case implements[Unique](t) && t.Kind() == reflect.Slice:
		return array
	case isText(t):
		return text
	case implements[json.Unmarshaler](t), implements[json.Marshaler](t):
		return anything
	}
	return plainKind(t)
}

// plainKind classifies a type that has no say in its JSON.
func plainKind(t reflect.Type) kind {
	switch t.Kind() {
	case reflect.Bool:
		return boolean
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return integer
	case reflect.Float32, reflect.Float64:
		return number
	case reflect.String:
		return text
	case reflect.Struct:
		return object
	case reflect.Map:
		return dictionary
	case reflect.Array:
		return array
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return text // base64
		}
		return array
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return anything
		}
	}
	return unsuitable
}

// isBigInt reports whether t is big.Int. It goes by the name because importing math/big costs every guest its size.
func isBigInt(t reflect.Type) bool { return t.PkgPath() == "math/big" && t.Name() == "Int" }

// deref removes all pointers.
func deref(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// elem returns the type of the elements of an array or a map, or what an alias stands for; nil for other kinds.
func elem(t reflect.Type, k kind) reflect.Type {
	switch k {
	case array, dictionary:
		return deref(t.Elem())
	case alias:
		return deref(instance[Aliased](t).SchemaAlias())
	}
	return nil
}

// isText reports whether t has its own text form, so that it is a string in JSON whatever it is in Go.
func isText(t reflect.Type) bool {
	return implements[encoding.TextUnmarshaler](t) || implements[encoding.TextMarshaler](t)
}
