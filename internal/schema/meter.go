package schema

import (
	"slices"

	"github.com/wasmtools/wasmtools/internal/strictjson"
)

// maxTimes caps the factors that are multiplied here, so that no product overflows.
const maxTimes = 1 << 31

const (
	// maxDepth is how deep strictjson lets values nest.
	maxDepth = 64

	// deepPath is the depth at which the paths in the errors that concern a value weigh as much as the rest.
	deepPath = 16
)

// valuesPerUnit is how many values, whatever they are checked against, cost one unit.
const valuesPerUnit = 4

// affordable reports whether checking v, whose text has size bytes, stays within the schema's limit of work.
//
// Without recursion no part of a value can meet more subschemas than there are in the whole expanded schema, which gives
// a bound at once. It is crude, but enough for nearly every call. Where it is not, the applications are counted.
func (s *Schema) affordable(v *strictjson.Value, size int) bool {
	g := s.graph
	if g == nil {
		return true
	}
	bound := float64(g.root.weight) * float64(size+1) * (1 + maxDepth/deepPath)
	if g.unique {
		bound *= float64(size+16) / 16
	}
	if !g.recursive && bound <= float64(s.maxWork) {
		return true
	}
	m := meter{left: s.maxWork}
	return m.visit(v, tally{g.root: 1}, 0)
}

// tally says how often each subschema is applied to a value.
type tally map[*node]int64

func (t tally) add(nodes []*node, times int64) {
	for _, n := range nodes {
		t[n] = min(t[n]+times, maxTimes)
	}
}

// meter counts the applications of subschemas without making them. Those of one subschema to one value are counted
// together, so that counting 2^60 of them takes no longer than one. It counts too many where it cannot know better: every
// branch, and what stands behind a type that does not fit.
type meter struct{ left int64 }

// visit takes off what checking v, which depth arrays and objects enclose, costs and reports whether so much was left.
func (m *meter) visit(v *strictjson.Value, times tally, depth int64) bool {
	order := spread(times)
	inside := false
	for _, n := range order {
		if m.left -= times[n] * (n.work(v) + depth/deepPath); m.left < 0 {
			return false
		}
		inside = inside || n.inside()
	}
	if !inside {
		return true // without a look at items, of which there may be millions
	}
	for i := range v.Items {
		item := &v.Items[i]
		inner := make(tally, len(order))
		names := tally{}
		for _, n := range order {
			if v.Kind == strictjson.Array {
				inner.add(n.item(i), times[n])
				inner.add(n.anyItem, times[n])
				continue
			}
			inner.add(n.member(item.Name), times[n])
			inner.add(n.anyMember, times[n])
			names.add(n.names, times[n])
		}
		name := strictjson.Value{Kind: strictjson.String, Text: item.Name}
		if (len(names) > 0 && !m.visit(&name, names, depth+1)) || (len(inner) > 0 && !m.visit(item, inner, depth+1)) {
			return false
		}
	}
	return true
}

func (n *node) item(i int) []*node {
	if i < len(n.prefix) {
		return n.prefix[i : i+1]
	}
	return nil
}

func (n *node) member(name string) []*node {
	if sub, ok := n.members[name]; ok {
		return []*node{sub}
	}
	return n.otherMembers
}

// spread adds to times the subschemas that those in it apply to the same value, and returns all of them, each before those
// that it applies. There are no loops among them.
func spread(times tally) []*node {
	order := make([]*node, 0, len(times))
	seen := make(map[*node]bool, len(times))
	var walk func(*node)
	walk = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, sub := range n.same {
			walk(sub)
		}
		order = append(order, n)
	}
	for n := range times {
		walk(n)
	}
	slices.Reverse(order)
	for _, n := range order {
		times.add(n.same, times[n])
	}
	return order
}
