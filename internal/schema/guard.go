package schema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/wasmtools/wasmtools/internal/strictjson"
)

// Refusal says why a schema is refused. It is an error, so that errors.Is(err, schema.TooDeep) works.
type Refusal string

// The guards' refusals, in the order of their checks, and those of the compiler's own.
const (
	NotJSON      Refusal = "schema is not JSON"
	TooLarge     Refusal = "schema is too large"
	TooDeep      Refusal = "schema is too deep"
	TooMany      Refusal = "schema has too many subschemas"
	TooCostly    Refusal = "schema expands too far"
	BadNumber    Refusal = "schema has a number out of range"
	BadDialect   Refusal = "schema is of an unknown dialect"
	RefOutside   Refusal = "schema refers to another document"
	RefLoop      Refusal = "schema refers to itself for the same value"
	DynamicRef   Refusal = "schema has a dynamic reference"
	Pattern      Refusal = "schema has an unusable pattern"
	NotSchema    Refusal = "not a JSON Schema"
	NotForObject Refusal = `schema is not of "type":"object"`
)

// Error returns the text of the refusal.
func (r Refusal) Error() string { return string(r) }

const (
	// maxReference is the size of a $ref, an $id and their like.
	maxReference = 1 << 10

	// maxPointers is the size of the JSON pointers to all subschemas. The compiler makes and compares them.
	maxPointers = 1 << 20
)

// guard parses a schema and refuses what the compiler must not see: it takes time that grows with the square of the number
// of subschemas and worse with their depth.
func guard(text []byte, o *Options) (*strictjson.Value, error) {
	if limit := o.maxBytes(); len(text) > limit {
		return nil, fmt.Errorf("%w: %d bytes are over the limit of %d", TooLarge, len(text), limit)
	}
	v, err := strictjson.Parse(text, &strictjson.Options{MaxBytes: -1, MaxValues: -1, MaxDepth: 2 * o.maxDepth()})
	var bad *strictjson.Error
	switch {
	case errors.As(err, &bad) && bad.Limit:
		return nil, fmt.Errorf("%w: more than %d subschemas are inside each other", TooDeep, o.maxDepth())
	case err != nil:
		return nil, fmt.Errorf("%w: %w", NotJSON, err)
	}
	c := census{subschemas: o.maxSubschemas(), pointers: maxPointers}
	if err := c.count(v, 0); err != nil {
		return nil, err
	}
	if dialect := v.Member("$schema"); dialect != nil && dialect.Kind == strictjson.String && !o.relaxed() && !knownDialect(dialect.Text) {
		return nil, fmt.Errorf("%w: %q", BadDialect, clip(dialect.Text, 100))
	}
	return v, nil
}

// census counts down what a schema may hold.
type census struct{ subschemas, pointers int }

// count looks at v, whose JSON pointer is as long as pointer. Every object and every boolean counts as a subschema: a $ref
// can make one of any of them.
func (c *census) count(v *strictjson.Value, pointer int) error {
	switch v.Kind {
	case strictjson.Number:
		if _, ok := canonicalNumber(v.Text); !ok {
			return fmt.Errorf("%w: %s", BadNumber, outOfRange(v.Text))
		}
	case strictjson.String:
		if len(v.Text) > maxReference && isReference(v.Name) {
			return fmt.Errorf("%w: %q of %d bytes is over the limit of %d", TooLarge, v.Name, len(v.Text), maxReference)
		}
	case strictjson.Object, strictjson.Bool:
		if c.subschemas--; c.subschemas < 0 {
			return TooMany
		}
		if c.pointers -= pointer; c.pointers < 0 {
			return fmt.Errorf("%w: the names in it are too long", TooLarge)
		}
	}
	for i := range v.Items {
		if err := c.count(&v.Items[i], pointer+len(v.Items[i].Name)+1); err != nil {
			return err
		}
	}
	return nil
}

func isReference(name string) bool {
	return name == "id" || (strings.HasPrefix(name, "$") && name != "$comment")
}

func knownDialect(url string) bool {
	url = strings.TrimSuffix(url, "#")
	if rest, ok := strings.CutPrefix(url, "http://"); ok {
		url = "https://" + rest
	}
	switch url {
	case "https://json-schema.org/schema",
		"https://json-schema.org/draft/2020-12/schema",
		"https://json-schema.org/draft/2019-09/schema",
		"https://json-schema.org/draft-07/schema",
		"https://json-schema.org/draft-06/schema",
		"https://json-schema.org/draft-04/schema":
		return true
	}
	return false
}
