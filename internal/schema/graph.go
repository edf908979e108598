package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// graph knows how the subschemas of a compiled schema lead to each other, and what that can cost.
type graph struct {
	nodes map[*jsonschema.Schema]*node
	root  *node

	// byLocation finds a subschema by its absolute location.
	byLocation map[string]*node

	// recursive says that a subschema leads to itself, by way of a member or an item.
	recursive bool

	// unique says that there is a subschema with uniqueItems.
	unique bool
}

// node is one subschema.
type node struct {
	schema *jsonschema.Schema

	// property is the member's name if the subschema stands in "properties".
	property *string

	// same are the subschemas that apply to the same value, once for every time that they do.
	same []*node

	// members apply to the member of that name, otherMembers to all others, anyMember and names to all members and their
	// names. A subschema of patternProperties counts as one for any member.
	members                        map[string]*node
	otherMembers, anyMember, names []*node

	// prefix apply to the first items, one each, and anyItem to all items.
	prefix, anyItem []*node

	price
}

func newGraph(root *jsonschema.Schema, o *Options) (*graph, error) {
	g := &graph{nodes: map[*jsonschema.Schema]*node{}, byLocation: map[string]*node{}}
	g.root = g.add(root)
	if len(g.nodes) > o.maxSubschemas() {
		return nil, fmt.Errorf("%w: %d are over the limit of %d", TooMany, len(g.nodes), o.maxSubschemas())
	}
	for _, n := range g.nodes {
		if n.schema.DynamicRef != nil || n.schema.RecursiveRef != nil {
			return nil, fmt.Errorf("%w: use $ref at %q", DynamicRef, n.place())
		}
		if err := n.findLoop(); err != nil {
			return nil, err
		}
		for name, property := range n.members {
			property.property = &name
		}
	}
	limit := int64(o.maxCost())
	if g.expand(g.root, limit); g.root.cost > limit {
		return nil, fmt.Errorf("%w: more than %d subschemas with every $ref replaced", TooCostly, limit)
	}
	return g, nil
}

// add makes the nodes for s and all that it leads to. It returns nil for nil.
func (g *graph) add(s *jsonschema.Schema) *node {
	if s == nil {
		return nil
	}
	if n, ok := g.nodes[s]; ok {
		return n
	}
	n := &node{schema: s, price: priceOf(s)}
	g.nodes[s] = n
	g.byLocation[s.Location] = n
	g.unique = g.unique || s.UniqueItems
	g.addSame(n)
	g.addMembers(n)
	g.addItems(n)
	return n
}

func (g *graph) all(schemas ...*jsonschema.Schema) []*node {
	var nodes []*node
	for _, s := range schemas {
		if n := g.add(s); n != nil {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

func (g *graph) addSame(n *node) {
	s := n.schema
	n.same = g.all(slices.Concat(s.AllOf, s.AnyOf, s.OneOf, []*jsonschema.Schema{s.Ref, s.Not, s.If, s.Then, s.Else})...)
	for _, sub := range s.DependentSchemas {
		n.same = append(n.same, g.add(sub))
	}
	for _, dep := range s.Dependencies {
		if sub, ok := dep.(*jsonschema.Schema); ok {
			n.same = append(n.same, g.add(sub))
		}
	}
}

func (g *graph) addMembers(n *node) {
	s := n.schema
	n.members = make(map[string]*node, len(s.Properties))
	for name, sub := range s.Properties {
		n.members[name] = g.add(sub)
	}
	n.anyMember = g.all(s.UnevaluatedProperties)
	for _, sub := range s.PatternProperties {
		n.anyMember = append(n.anyMember, g.add(sub))
	}
	other, _ := s.AdditionalProperties.(*jsonschema.Schema)
	n.otherMembers = g.all(other)
	n.names = g.all(s.PropertyNames)
}

func (g *graph) addItems(n *node) {
	s := n.schema
	n.prefix = g.all(s.PrefixItems...)
	var every *jsonschema.Schema
	switch items := s.Items.(type) {
	case *jsonschema.Schema:
		every = items
	case []*jsonschema.Schema:
		n.prefix = append(n.prefix, g.all(items...)...)
	}
	additional, _ := s.AdditionalItems.(*jsonschema.Schema)
	n.anyItem = g.all(every, additional, s.Items2020, s.Contains, s.UnevaluatedItems)
}

// size estimates the memory of the graph and of what it was made from.
func (g *graph) size() int64 {
	const perNode, perPattern, perInstruction = 1300, 500, 100
	var size int64
	for s := range g.nodes {
		size += perNode + 2*int64(len(s.Location))
		if s.Pattern != nil {
			size += perPattern + perInstruction*sizeOf(s.Pattern)
		}
		for re := range s.PatternProperties {
			size += perPattern + perInstruction*sizeOf(re)
		}
	}
	return size
}

// inside reports whether n has subschemas for items, members or their names.
func (n *node) inside() bool {
	return len(n.members)+len(n.otherMembers)+len(n.anyMember)+len(n.names)+len(n.prefix)+len(n.anyItem) > 0
}

// subschemas calls f for everything that n leads to directly.
func (n *node) subschemas(f func(*node)) {
	for _, list := range [][]*node{n.same, n.otherMembers, n.anyMember, n.names, n.prefix, n.anyItem} {
		for _, sub := range list {
			f(sub)
		}
	}
	for _, sub := range n.members {
		f(sub)
	}
}

// place is the JSON pointer of n in its document.
func (n *node) place() string {
	return clip(strings.TrimPrefix(n.schema.Location, location), 100)
}
