package schema

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/invopop/jsonschema"
)

// customizer brings its own schema; extender changes the one it gets. Both are the library's.
type (
	customizer interface{ JSONSchema() *jsonschema.Schema }
	extender   interface{ JSONSchemaExtend(*jsonschema.Schema) }
)

// builder builds the schema of one root type, which an inspector has found to be sound.
//
// The library does a struct at a time: its fields, their names, tags and methods. What is below, it asks the builder for,
// which thereby decides what is shared and what recurses. Every struct is first referred to; see inline.
type builder struct {
	output bool // describes what Go writes, not what it is given
	defs   []*definition
}

// definition is the schema of a struct.
type definition struct {
	typ    reflect.Type
	name   string
	schema *jsonschema.Schema // nil while it is being built
	uses   int
}

// build returns the schema of t.
func (b *builder) build(t reflect.Type) *jsonschema.Schema {
	t = deref(t)
	var s *jsonschema.Schema
	switch k := kindOf(t); k {
	case custom:
		if s := instance[customizer](t).JSONSchema(); s != nil {
			return s
		}
		return &jsonschema.Schema{}
	case alias:
		return b.build(elem(t, k))
	case object:
		return b.reference(t)
	case dictionary:
		s = b.dictionary(t)
	case array:
		s = b.array(t)
	default:
		s = scalarSchema(t, k)
	}
	if implements[extender](t) {
		instance[extender](t).JSONSchemaExtend(s)
	}
	return s
}

func scalarSchema(t reflect.Type, k kind) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: string(k)}
	switch {
	case k == text && implements[Enumerated](t):
		for _, value := range instance[Enumerated](t).Enum() {
			s.Enum = append(s.Enum, value)
		}
	case t == reflect.TypeFor[time.Time]():
		s.Format = "date-time"
	case k == text && t.Kind() == reflect.Slice && !isText(t):
		s.ContentEncoding = "base64"
	case k == integer || k == number:
		s.Minimum, s.Maximum = bounds(t)
	}
	return s
}

// bounds returns the least and the greatest value of a kind. A float64 needs none: the host takes no larger number.
// What an int can hold is the compiler's choice: 32 bits with TinyGo, 64 with Go.
func bounds(t reflect.Type) (least, greatest json.Number) {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		limit := int64(math.MaxInt64) >> (64 - 8*t.Size())
		return json.Number(strconv.FormatInt(-limit-1, 10)), json.Number(strconv.FormatInt(limit, 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		limit := uint64(math.MaxUint64) >> (64 - 8*t.Size())
		return "0", json.Number(strconv.FormatUint(limit, 10))
	case reflect.Float32:
		limit := json.Number(strconv.FormatFloat(math.MaxFloat32, 'g', -1, 32))
		return "-" + limit, limit
	}
	return "", ""
}

func (b *builder) array(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "array", UniqueItems: implements[Unique](t)}
	s.Items = b.nullable(t.Elem(), b.build(t.Elem()))
	if t.Kind() == reflect.Array {
		n := uint64(t.Len())
		s.MinItems, s.MaxItems = &n, &n
	}
	return s
}

func (b *builder) dictionary(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object"}
	switch key := t.Key(); {
	case kindOf(key) == integer:
		s.PropertyNames = &jsonschema.Schema{Pattern: "^-?[0-9]+$"}
	case implements[Enumerated](key):
		s.PropertyNames = scalarSchema(key, text)
	}
	s.AdditionalProperties = b.nullable(t.Elem(), b.build(t.Elem()))
	return s
}

// nullable admits null where Go writes it, which is in results only. An argument may be left out or not, and the host
// takes null for left out.
func (b *builder) nullable(t reflect.Type, s *jsonschema.Schema) *jsonschema.Schema {
	k := t.Kind()
	switch {
	case !b.output, kindOf(deref(t)) == anything:
		return s
	case k == reflect.Pointer, kindOf(t) == alias:
	case (k == reflect.Slice || k == reflect.Map) && !isText(t) && !implements[Unique](t):
	default:
		return s
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
}

// reference returns a reference to a struct's definition, which is built if this is the first one.
func (b *builder) reference(t reflect.Type) *jsonschema.Schema {
	i := slices.IndexFunc(b.defs, func(d *definition) bool { return d.typ == t })
	if i < 0 {
		i = len(b.defs)
		b.defs = append(b.defs, &definition{typ: t, name: b.name(t)})
		b.defs[i].schema = b.object(t)
	}
	b.defs[i].uses++
	return &jsonschema.Schema{Ref: refPrefix + b.defs[i].name}
}

// refPrefix is where definitions are.
const refPrefix = "#/$defs/"

// name makes a definition's name out of a type's: without type arguments, which TinyGo does not tell and a reference could
// not hold, and unique.
func (b *builder) name(t reflect.Type) string {
	base, _, _ := strings.Cut(t.Name(), "[")
	if base == "" {
		base = "Object"
	}
	name := base
	for n := 2; slices.ContainsFunc(b.defs, func(d *definition) bool { return d.name == name }); n++ {
		name = base + strconv.Itoa(n)
	}
	return name
}

// object builds the schema of a struct.
func (b *builder) object(t reflect.Type) *jsonschema.Schema {
	entered := false
	reflector := jsonschema.Reflector{
		Anonymous:                 true,
		DoNotReference:            true,
		AllowAdditionalProperties: b.output,
		Mapper: func(inner reflect.Type) *jsonschema.Schema {
			if !entered {
				entered = true // inner is t itself
				return nil
			}
			return b.build(inner)
		},
	}
	s := reflector.ReflectFromType(t)
	s.Version = ""
	if implements[extender](t) && !t.Implements(reflect.TypeFor[extender]()) {
		instance[extender](t).JSONSchemaExtend(s) // the library calls methods of values only
	}
	if s.Description == "" {
		s.Description = describe(t)
	}
	list, err := fields(t)
	if err == nil { // the inspector has seen to that
		b.refine(s, list)
	}
	return s
}

// refine adds to a struct's schema what the library does not know about its fields.
func (b *builder) refine(s *jsonschema.Schema, list []field) {
	for _, f := range list {
		p, ok := s.Properties.Get(f.name)
		if !ok {
			continue // a method of the author's took it out
		}
		if b.output {
			if !f.optional {
				s.Properties.Set(f.name, b.nullable(f.typ, p))
			}
			continue
		}
		value := defaultOf(f)
		if value != nil {
			p.Default = value
		}
		if value != nil || kindOf(deref(f.typ)) == alias {
			s.Required = slices.DeleteFunc(s.Required, func(name string) bool { return name == f.name })
		}
	}
}
