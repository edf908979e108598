package guest

import (
	"encoding/json"
	"reflect"
)

// Optional is a parameter that may be left out. It tells a parameter that is absent from one that is null from one that has
// a value. The zero value is absent. In a result, both absent and null are written as null, unless the field is marked
// omitzero, which leaves out the absent.
type Optional[T any] struct {
	value T
	state optionalState
}

type optionalState uint8

const (
	absent optionalState = iota
	null
	present
)

// Some returns an Optional that has a value.
func Some[T any](value T) Optional[T] { return Optional[T]{value, present} }

// Null returns an Optional that is null.
func Null[T any]() Optional[T] { return Optional[T]{state: null} }

// Get returns the value, and whether there is one.
func (o Optional[T]) Get() (value T, ok bool) { return o.value, o.state == present }

// Or returns the value, or another one if there is none.
func (o Optional[T]) Or(other T) T {
	if o.state == present {
		return o.value
	}
	return other
}

// IsNull reports whether null was given.
func (o Optional[T]) IsNull() bool { return o.state == null }

// IsZero reports whether nothing was given.
func (o Optional[T]) IsZero() bool { return o.state == absent }

// SchemaAlias says what the value's type is; see the package schema.
func (Optional[T]) SchemaAlias() reflect.Type { return reflect.TypeFor[T]() }

// UnmarshalJSON takes null for null, whatever T makes of it.
func (o *Optional[T]) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*o = Null[T]()
		return nil
	}
	*o = Optional[T]{state: present}
	return json.Unmarshal(text, &o.value)
}

// MarshalJSON writes the value, or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if o.state != present {
		return []byte("null"), nil
	}
	return marshal(o.value)
}
