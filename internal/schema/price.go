package schema

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/wasmtools/wasmtools/internal/strictjson"
)

// price is what is known of the cost of a subschema, in units of work.
type price struct {
	// base is what one application costs, byText what each 256 bytes of a string add, and byName what each 256 bytes of
	// members' names do. required is the number of names that can be missing.
	base, byText, byName, required int64

	// cost is the number of subschemas with every $ref replaced, and weight the sum of all prices in it. They are valid
	// when expanded is done.
	cost, weight int64

	// expanded and unlooped are the marks of two depth-first walks.
	expanded, unlooped mark
}

// formatText is the byText of a format. Some of the library's checks split the string, be it at every byte.
const formatText = 8

type mark uint8

const (
	fresh mark = iota
	active
	done
)

func priceOf(s *jsonschema.Schema) price {
	names := len(s.Required)
	for _, required := range s.DependentRequired {
		names += 1 + len(required)
	}
	for _, dep := range s.Dependencies {
		required, _ := dep.([]string)
		names += 1 + len(required)
	}
	p := price{base: 1 + bounds(s) + int64(names)/16, required: int64(names)}
	if s.MultipleOf != nil {
		p.base += 4
	}
	if s.Enum != nil {
		p.base += comparison(s.Enum.Values)
	}
	if s.Const != nil {
		p.base += comparison([]any{*s.Const})
	}
	if s.Format != nil {
		p.byText = formatText
	}
	if s.Pattern != nil {
		p.base++
		p.byText += sizeOf(s.Pattern)
	}
	for re := range s.PatternProperties {
		p.base++
		p.byName += sizeOf(re)
	}
	return p
}

// bounds counts the constraints of one number, length or list of names each. A value can break all of them, which makes as
// many errors.
func bounds(s *jsonschema.Schema) (n int64) {
	for _, rat := range []*big.Rat{s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum} {
		if rat != nil {
			n++
		}
	}
	for _, length := range []*int{s.MinLength, s.MaxLength, s.MinItems, s.MaxItems, s.MinProperties, s.MaxProperties, s.MinContains, s.MaxContains} {
		if length != nil {
			n++
		}
	}
	if s.AdditionalProperties == false {
		n++
	}
	if s.UnevaluatedProperties != nil || s.UnevaluatedItems != nil {
		n += 2 // what others evaluate is kept in a map for it
	}
	return n
}

// digitsPerUnit is how many digits a number may have that costs no more than a short one.
const digitsPerUnit = 64

// comparison is what comparing a value with others costs. Numbers are compared as fractions, which takes far longer than
// a look at two strings.
func comparison(values []any) int64 {
	var cheap, dear int64
	for _, v := range values {
		switch v := v.(type) {
		case json.Number:
			dear += 1 + magnitude(string(v))/digitsPerUnit
		case []any:
			dear += 1 + comparison(v)
		case map[string]any:
			for _, member := range v {
				dear += 1 + comparison([]any{member})
			}
		default:
			cheap++
		}
	}
	return dear + cheap/32
}

func sizeOf(re jsonschema.Regexp) int64 {
	if p, ok := re.(*pattern); ok {
		return int64(p.size)
	}
	return maxPatternSize // not one that the compiler was given
}

// work is what one application of n to v costs, without its subschemas.
func (n *node) work(v *strictjson.Value) int64 {
	cost := n.base + int64(len(v.Items))/valuesPerUnit + int64(len(v.Text))/1024 + int64(len(v.Text))*n.byText/256
	if v.Kind == strictjson.Object {
		cost++ // the library wants a map
		// Looking for a name is cheap, reporting that it is missing is not.
		cost += max(0, n.required-int64(len(v.Items)))
	}
	if n.byName > 0 {
		for i := range v.Items {
			cost += n.byName * int64(len(v.Items[i].Name)) / 256
		}
	}
	if n.schema.UniqueItems && v.Kind == strictjson.Array {
		cost += uniqueness(v)
	}
	if v.Kind == strictjson.Number {
		cost *= 1 + magnitude(v.Text)/digitsPerUnit
	}
	return min(cost, maxTimes)
}

// uniqueness is what looking for repeated items costs. The library looks at hashes first, but a hostile value can have
// those of all arrays and objects collide.
func uniqueness(v *strictjson.Value) int64 {
	var items, values int64
	for i := range v.Items {
		if item := &v.Items[i]; item.Kind == strictjson.Array || item.Kind == strictjson.Object {
			items++
			values += count(item)
		}
	}
	return items*values/16 + 2*int64(len(v.Items))/valuesPerUnit
}

// count returns the number of values in v.
func count(v *strictjson.Value) int64 {
	n := int64(1)
	for i := range v.Items {
		n += count(&v.Items[i])
	}
	return n
}

// findLoop refuses a subschema that applies itself to the same value: no value can ever be checked against it.
func (n *node) findLoop() error {
	switch n.unlooped {
	case active:
		return fmt.Errorf("%w at %q", RefLoop, n.place())
	case done:
		return nil
	}
	n.unlooped = active
	for _, sub := range n.same {
		if err := sub.findLoop(); err != nil {
			return err
		}
	}
	n.unlooped = done
	return nil
}

// expand sets the cost and the weight of n and returns them. A subschema that leads back to itself counts once.
func (g *graph) expand(n *node, limit int64) (cost, weight int64) {
	switch n.expanded {
	case active:
		g.recursive = true
		return 1, n.base + n.required
	case done:
		return n.cost, n.weight
	}
	n.expanded = active
	n.cost, n.weight = 1, n.base+n.byText+n.byName+n.required
	n.subschemas(func(sub *node) {
		cost, weight := g.expand(sub, limit)
		// The sums double from one level to the next in a hostile schema.
		n.cost = min(n.cost+cost, limit+1)
		n.weight = min(n.weight+weight, maxTimes)
	})
	n.expanded = done
	return n.cost, n.weight
}
