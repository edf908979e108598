package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/wasmtools/wasmtools/internal/strictjson"
)

const (
	maxViolations = 5  // how many are listed, beside missing members
	maxBranches   = 3  // how many branches of anyOf and oneOf are
	maxKnown      = 20 // how many known and unknown ones are
)

// term is the word for a member of an object.
type term string

const (
	parameter term = "parameter" // null is none
	member    term = "member"
)

func (t term) missing() string {
	if t == parameter {
		return "missing or null"
	}
	return "missing"
}

// report says what is wrong with a value. It is made for a model to read: short, in a fixed order, with JSON pointers into
// the value and nothing of the schema but what it asks for there.
type report struct {
	term  term
	root  *strictjson.Value
	graph *graph // nil if not known

	missing, found violations

	inBranch bool // no branches of branches
}

func describe(verr *jsonschema.ValidationError, root *strictjson.Value, g *graph, t term) *report {
	r := &report{term: t, root: root, graph: g}
	r.collect(verr)
	return r
}

// String lists all missing members at once, then the first few violations.
func (r *report) String() string {
	var lines []string
	if line := r.missingLine(); line != "" {
		lines = append(lines, line)
	}
	shown, more := 0, r.found.more
	for i, v := range r.found.kept {
		if shown == maxViolations || (r.inBranch && shown == 1) {
			more += len(r.found.kept) - i
			break
		}
		line := r.sentence(v.err)
		if len(v.path) > 0 {
			line = pointer(v.path) + ": " + line
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
			shown++
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "; ")
}

func (r *report) missingLine() string {
	var names []string
	for _, v := range r.missing.kept {
		name := pointer(v.path)
		if len(v.path) == 1 {
			name = clip(v.path[0], 100)
		}
		if name = strconv.Quote(name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	list := strings.Join(names, ", ")
	switch more := r.missing.more; {
	case len(names) == 0:
		return ""
	case more > 0:
		return fmt.Sprintf("required %ss %s and %d more are %s", r.term, list, more, r.term.missing())
	case len(names) == 1:
		return fmt.Sprintf("required %s %s is %s", r.term, list, r.term.missing())
	}
	return fmt.Sprintf("required %ss %s are %s", r.term, list, r.term.missing())
}

// pointer returns the JSON pointer of a path, which a hostile value may have made long.
func pointer(path []string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, token := range path {
		b.WriteByte('/')
		b.WriteString(escape.Replace(clip(token, 100)))
		if b.Len() > 300 {
			b.WriteString("/…")
			break
		}
	}
	return printable(b.String())
}

// printable escapes what would not show, or show as something else, as %q does.
func printable(s string) string {
	quoted := fmt.Sprintf("%q", s)
	if unquoted := quoted[1 : len(quoted)-1]; unquoted == s {
		return s
	}
	return quoted
}

// collect adds e, or its causes where it only stands for them.
func (r *report) collect(e *jsonschema.ValidationError) {
	v := violation{path: e.InstanceLocation, err: e}
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		for _, cause := range e.Causes {
			r.collect(cause)
		}
		return
	case *kind.Required:
		v = violation{path: append(slices.Clone(v.path), "")}
		for _, name := range k.Missing {
			v.path[len(v.path)-1] = name
			if r.missing.add(v) {
				v.path = slices.Clone(v.path)
			}
		}
		return
	case *kind.PropertyNames:
		v.path, v.name = nil, k.Property // the library's path is not reliable here
	case *kind.AnyOf, *kind.OneOf:
		if likely := likelyBranches(e); len(likely) == 1 {
			r.collect(likely[0])
			return
		}
	}
	r.found.add(v)
}

// choice describes a value that fits none of several branches, by those that it may have been meant for.
func (r *report) choice(e *jsonschema.ValidationError) string {
	const none = "fits none of the allowed forms"
	if want, got := unionOfTypes(e); want != nil {
		return r.typeSentence(e.InstanceLocation, got, want)
	}
	if r.inBranch {
		return none
	}
	var forms []string
	likely := likelyBranches(e)
	for i, branch := range likely {
		if i == maxBranches {
			forms = append(forms, fmt.Sprintf("or %d other forms", len(likely)-i))
			break
		}
		sub := &report{term: r.term, root: r.root, graph: r.graph, inBranch: true}
		sub.collect(branch)
		forms = append(forms, fmt.Sprintf("(%d) %s", i+1, sub))
	}
	return none + ": " + strings.Join(forms, ", ")
}

// likelyBranches drops the branches for another type, such as null, and then those for another value of a member that tells
// them apart, unless that leaves none.
func likelyBranches(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	depth := len(e.InstanceLocation)
	without := func(branches []*jsonschema.ValidationError, unlikely func(*jsonschema.ValidationError) bool) []*jsonschema.ValidationError {
		if left := slices.DeleteFunc(slices.Clone(branches), unlikely); len(left) > 0 {
			return left
		}
		return branches
	}
	branches := without(e.Causes, func(b *jsonschema.ValidationError) bool { _, ok := wrongType(b, depth); return ok })
	return without(branches, func(b *jsonschema.ValidationError) bool { return missesTag(b, depth+1) })
}

// wrongType returns e's kind if it says that the value at that depth has the wrong type, be it behind a $ref.
func wrongType(e *jsonschema.ValidationError, depth int) (*kind.Type, bool) {
	if _, ok := e.ErrorKind.(*kind.Reference); ok && len(e.Causes) == 1 {
		return wrongType(e.Causes[0], depth)
	}
	k, ok := e.ErrorKind.(*kind.Type)
	return k, ok && len(e.InstanceLocation) == depth
}

// missesTag reports whether e says that a member at that depth has not the one value that it must have.
func missesTag(e *jsonschema.ValidationError, depth int) bool {
	switch k := e.ErrorKind.(type) {
	case *kind.Const:
		return len(e.InstanceLocation) == depth
	case *kind.Enum:
		return len(e.InstanceLocation) == depth && len(k.Want) == 1
	case *kind.Group, *kind.Reference, *kind.AllOf:
		return slices.ContainsFunc(e.Causes, func(c *jsonschema.ValidationError) bool { return missesTag(c, depth) })
	}
	return false
}

// unionOfTypes returns what types the branches of e want, if a wrong type of the value itself is all that is wrong in each.
func unionOfTypes(e *jsonschema.ValidationError) (want []string, got string) {
	for _, b := range e.Causes {
		k, ok := wrongType(b, len(e.InstanceLocation))
		if !ok {
			return nil, ""
		}
		want, got = append(want, k.Want...), k.Got
	}
	slices.Sort(want)
	return slices.Compact(want), got
}
