package schema

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/wasmtools/wasmtools/internal/strictjson"
)

// maxRepairs is how many places are looked at for a null, or changed, at a time. Where there are more, nothing is changed:
// they are no slip of a model, and finding as many members of a large object takes long.
const maxRepairs = 1000

// mender changes arguments that failed validation where the schema leaves no doubt of what was meant. The errors lead it
// to the places, so that arguments that are right cost nothing.
type mender struct {
	schema   *Schema
	root     *strictjson.Value
	warnings []string

	looks   int                 // for a null
	nulls   []*strictjson.Value // members to leave out of validation
	folds   []fold              // strings that may be an enum's value in another case
	repeats [][]string          // paths of arrays with items that repeat
}

// fold is a string at path, and the enum's value that it could be.
type fold struct {
	path  []string
	value string
}

// mend reports whether it changed anything. It makes one kind of change at a time, since each of them may settle what the
// next one would be led by.
func (m *mender) mend(verr *jsonschema.ValidationError) bool {
	m.find(verr, -1)
	if m.repairs() > maxRepairs {
		return false
	}
	return m.omitNulls() || m.applyFolds() || m.dropRepeats()
}

func (m *mender) repairs() int { return m.looks + len(m.folds) + len(m.repeats) }

// find looks through an error and its causes. outer is the length of the path of the error that e is a cause of: an error
// with a longer path is that of a part's own subschema, not of what that refers to.
func (m *mender) find(e *jsonschema.ValidationError, outer int) {
	if m.repairs() > maxRepairs {
		return
	}
	path := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.PropertyNames:
		return // about a name; the causes have no path
	case *kind.FalseSchema:
		return // declared as never allowed: null is not either
	case *kind.Enum:
		m.findFold(path, k)
	case *kind.UniqueItems:
		m.repeats = append(m.repeats, path)
	}
	if len(path) > outer && m.declares(e) {
		m.looks++
		if v := m.root.At(path); v != nil && v.Kind == strictjson.Null && !v.Omit {
			m.nulls = append(m.nulls, v)
		}
	}
	for _, cause := range e.Causes {
		m.find(cause, len(path))
	}
}

// declares reports whether e is the error of a member by the subschema that "properties" has for it.
func (m *mender) declares(e *jsonschema.ValidationError) bool {
	if m.schema.graph == nil || len(e.InstanceLocation) == 0 {
		return false
	}
	n := m.schema.graph.byLocation[e.SchemaURL]
	return n != nil && n.property != nil && *n.property == e.InstanceLocation[len(e.InstanceLocation)-1]
}

func (m *mender) findFold(path []string, k *kind.Enum) {
	got, ok := k.Got.(string)
	if !ok {
		return
	}
	for _, want := range k.Want {
		if want, ok := want.(string); ok && strings.EqualFold(got, want) {
			m.folds = append(m.folds, fold{path, want})
		}
	}
}

// omitNulls has the value validated without the nulls, so that those of required members show as missing ones.
func (m *mender) omitNulls() bool {
	for _, v := range m.nulls {
		v.Omit = true
	}
	return len(m.nulls) > 0
}

// applyFolds replaces the strings that have exactly one candidate.
func (m *mender) applyFolds() bool {
	slices.SortFunc(m.folds, func(a, b fold) int { return slices.Compare(a.path, b.path) })
	changed := false
	for i, f := range m.folds {
		rival := slices.ContainsFunc(m.folds, func(g fold) bool { return slices.Equal(f.path, g.path) && f.value != g.value })
		again := slices.ContainsFunc(m.folds[:i], func(g fold) bool { return slices.Equal(f.path, g.path) })
		v := m.root.At(f.path)
		if rival || again || v == nil || v.Kind != strictjson.String {
			continue
		}
		m.warn("%s: %q taken as %q", f.path, clip(v.Text, 100), clip(f.value, 100))
		v.Text = f.value
		changed = true
	}
	return changed
}

// dropRepeats removes repeated items, from inner arrays first: the path of an outer one stays right.
func (m *mender) dropRepeats() bool {
	slices.SortFunc(m.repeats, func(a, b []string) int { return cmp.Or(len(b)-len(a), slices.Compare(a, b)) })
	changed := false
	for _, path := range m.repeats {
		v := m.root.At(path)
		if v == nil || v.Kind != strictjson.Array {
			continue
		}
		seen := make(map[string]bool, len(v.Items))
		before := len(v.Items)
		v.Items = slices.DeleteFunc(v.Items, func(item strictjson.Value) bool {
			key := string(appendKey(nil, &item))
			dup := seen[key]
			seen[key] = true
			return dup
		})
		if n := before - len(v.Items); n > 0 {
			m.warn("%s: %d repeated items dropped", path, n)
			changed = true
		}
	}
	return changed
}

func (m *mender) warn(format string, path []string, args ...any) {
	m.warnings = append(m.warnings, fmt.Sprintf("arguments: "+format, append([]any{pointer(path)}, args...)...))
}

// appendKey appends a text that is the same for equal values: numbers as reduced fractions, members by name.
func appendKey(dst []byte, v *strictjson.Value) []byte {
	switch v.Kind {
	case strictjson.Number:
		// The literal is short by now, see canonicalNumber.
		if r, ok := new(big.Rat).SetString(v.Text); ok {
			return append(dst, r.RatString()...)
		}
	case strictjson.Array:
		dst = append(dst, '[')
		for i := range v.Items {
			dst = append(appendKey(dst, &v.Items[i]), ',')
		}
		return append(dst, ']')
	case strictjson.Object:
		members := slices.Clone(v.Items)
		slices.SortFunc(members, func(a, b strictjson.Value) int { return strings.Compare(a.Name, b.Name) })
		dst = append(dst, '{')
		for i := range members {
			dst = append(strictjson.AppendString(dst, members[i].Name), ':')
			dst = append(appendKey(dst, &members[i]), ',')
		}
		return append(dst, '}')
	}
	return v.Append(dst)
}
