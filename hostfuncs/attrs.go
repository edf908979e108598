package hostfuncs

import (
	"log/slog"

	"github.com/wasmtools/wasmtools/internal/printable"
	"github.com/wasmtools/wasmtools/internal/strictjson"
)

const (
	maxAttrs      = 16 << 10 // bytes of a record's attributes
	maxAttrsDepth = 8        // objects and arrays inside one another, the outermost included
)

// parseAttrs reads a JSON object into one group, so that no name in it can meet one of the host's. Objects become groups and
// keep their order, text is escaped, numbers stay as they are written. An empty object gives nothing.
func parseAttrs(text []byte) ([]slog.Attr, bool) {
	if len(text) == 0 {
		return nil, true
	}
	v, err := strictjson.Parse(text, &strictjson.Options{MaxBytes: maxAttrs, MaxDepth: maxAttrsDepth})
	if err != nil || v.Kind != strictjson.Object {
		return nil, false
	}
	group, ok := attrsOf(v)
	if !ok || len(group) == 0 {
		return nil, ok
	}
	return []slog.Attr{{Key: "guest", Value: slog.GroupValue(group...)}}, true
}

// attrsOf returns the members of an object, and whether their names are unique as they will be logged.
func attrsOf(object *strictjson.Value) ([]slog.Attr, bool) {
	seen := map[string]bool{}
	attrs := make([]slog.Attr, len(object.Items))
	for i := range object.Items {
		item := &object.Items[i]
		name := attrName(item.Name)
		value, ok := attrValue(item)
		if !ok || seen[name] {
			return nil, false
		}
		seen[name] = true
		attrs[i] = slog.Attr{Key: name, Value: value}
	}
	return attrs, true
}

// attrName makes a name fit to be logged. An empty one would put its group's members among those of the group around it.
func attrName(name string) string {
	if name == "" {
		return `""`
	}
	return printable.Escape(name)
}

func attrValue(v *strictjson.Value) (slog.Value, bool) {
	switch v.Kind {
	case strictjson.String:
		return slog.StringValue(printable.Escape(v.Text)), true
	case strictjson.Object:
		group, ok := attrsOf(v)
		return slog.GroupValue(group...), ok
	case strictjson.Array:
		elements := make([]any, len(v.Items))
		for i := range v.Items {
			element, ok := attrValue(&v.Items[i])
			if !ok {
				return slog.Value{}, false
			}
			elements[i] = plain(element)
		}
		return slog.AnyValue(elements), true
	}
	return slog.AnyValue(v.Any()), true
}

// plain takes groups apart, which mean nothing to a handler inside of an array.
func plain(v slog.Value) any {
	if v.Kind() != slog.KindGroup {
		return v.Any()
	}
	object := map[string]any{}
	for _, attr := range v.Group() {
		object[attr.Key] = plain(attr.Value)
	}
	return object
}
