package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/wasmtools/wasmtools/internal/strictjson"
)

// sentence says what one constraint asks for, in a few words.
func (r *report) sentence(e *jsonschema.ValidationError) string {
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		return r.typeSentence(e.InstanceLocation, k.Got, k.Want)
	case *kind.Enum:
		return "must be one of " + values(k.Want)
	case *kind.Const:
		return "must be " + values([]any{k.Want})
	case *kind.Format:
		return fmt.Sprintf("is not a valid %s", clip(k.Want, 50))
	case *kind.Pattern:
		return fmt.Sprintf("does not match the pattern %s", clip(k.Want, 200))
	case *kind.AdditionalProperties:
		return r.unknown(e, k)
	case *kind.FalseSchema:
		return "is not allowed"
	case *kind.PropertyNames:
		return fmt.Sprintf("%s name %q is not allowed", r.term, clip(k.Property, 100))
	case *kind.AnyOf:
		return r.choice(e)
	case *kind.OneOf:
		if k.Subschemas != nil {
			return "fits more than one of the allowed forms, and has to fit exactly one"
		}
		return r.choice(e)
	case *kind.Not:
		return "has a form that is not allowed"
	case *kind.Dependency:
		return needs(k.Prop, k.Missing)
	case *kind.DependentRequired:
		return needs(k.Prop, k.Missing)
	case *kind.InvalidJsonValue, *kind.RefCycle:
		return "cannot be checked"
	}
	if text := r.numberSentence(e); text != "" {
		return text
	}
	if text := lengthSentence(e.ErrorKind); text != "" {
		return text
	}
	return "is not valid: " + clip(strings.Join(e.ErrorKind.KeywordPath(), " "), 100)
}

// typeSentence names the types that are wanted and the one that there is. A number is shown: to the model, 5.5 and an
// integer are both numbers.
func (r *report) typeSentence(path []string, got string, want []string) string {
	text := fmt.Sprintf("must be %s, got %s", strings.Join(want, " or "), got)
	if v := r.root.At(path); got == strictjson.Number.String() && v != nil {
		text += " " + clip(v.Text, 40)
	}
	return text
}

// unknown names the members that the schema does not allow, and those that it does.
func (r *report) unknown(e *jsonschema.ValidationError, k *kind.AdditionalProperties) string {
	names := slices.Clone(k.Properties)
	slices.Sort(names)
	plural := ""
	if len(names) > 1 {
		plural = "s"
	}
	text := fmt.Sprintf("unknown %s%s %s", r.term, plural, quoted(names))
	if r.graph != nil {
		if n := r.graph.byLocation[e.SchemaURL]; n != nil && len(n.members) > 0 {
			text += fmt.Sprintf(" (known: %s)", quoted(slices.Sorted(maps.Keys(n.members))))
		}
	}
	return text
}

func needs(name string, missing []string) string {
	return fmt.Sprintf("needs %s beside %s", quoted(missing), quoted([]string{name}))
}

// quoted lists names in quotes, not too many.
func quoted(names []string) string {
	var out []string
	for i, name := range names {
		if i == maxKnown {
			return strings.Join(out, ", ") + fmt.Sprintf(" and %d more", len(names)-i)
		}
		out = append(out, strconv.Quote(clip(name, 100)))
	}
	return strings.Join(out, ", ")
}

// values lists values as JSON, about 400 bytes of them.
func values(want []any) string {
	var out []string
	size := 0
	for i, v := range want {
		text, _ := json.Marshal(v) // made from JSON
		shown := clip(string(text), 100)
		if size += len(shown); size > 400 && i > 0 {
			return strings.Join(out, ", ") + fmt.Sprintf(" and %d more", len(want)-i)
		}
		out = append(out, shown)
	}
	return strings.Join(out, ", ")
}

func (r *report) numberSentence(e *jsonschema.ValidationError) string {
	var text string
	var limit *big.Rat
	switch k := e.ErrorKind.(type) {
	case *kind.Minimum:
		text, limit = "at least", k.Want
	case *kind.Maximum:
		text, limit = "at most", k.Want
	case *kind.ExclusiveMinimum:
		text, limit = "more than", k.Want
	case *kind.ExclusiveMaximum:
		text, limit = "less than", k.Want
	case *kind.MultipleOf:
		text, limit = "a multiple of", k.Want
	default:
		return ""
	}
	text = fmt.Sprintf("must be %s %s", text, ratText(limit))
	if v := r.root.At(e.InstanceLocation); v != nil {
		text += ", got " + clip(v.Text, 40)
	}
	return text
}

// ratText writes a number of the schema: exactly if it is whole.
func ratText(r *big.Rat) string {
	if r.IsInt() {
		return clip(r.Num().String(), 50)
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func lengthSentence(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.MinLength:
		return fmt.Sprintf("must have at least %d characters, got %d", k.Want, k.Got)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %d characters, got %d", k.Want, k.Got)
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %d items, got %d", k.Want, k.Got)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %d items, got %d", k.Want, k.Got)
	case *kind.AdditionalItems:
		return fmt.Sprintf("has %d items too many", k.Count)
	case *kind.MinProperties:
		return fmt.Sprintf("must have at least %d members, got %d", k.Want, k.Got)
	case *kind.MaxProperties:
		return fmt.Sprintf("must have at most %d members, got %d", k.Want, k.Got)
	case *kind.UniqueItems:
		return fmt.Sprintf("items %d and %d are the same", k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains:
		return "has none of the items that it must contain"
	case *kind.MinContains:
		return fmt.Sprintf("must contain at least %d items of the required form, got %d", k.Want, len(k.Got))
	case *kind.MaxContains:
		return fmt.Sprintf("must contain at most %d items of the required form, got %d", k.Want, len(k.Got))
	}
	return ""
}
