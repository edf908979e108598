package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// inspector looks at every type that is reachable from a root before anything is built: the library panics where a type
// has no schema, and a panic cannot be recovered from under TinyGo. Errors name the parameter.
type inspector struct {
	output bool
	seen   []reflect.Type // structs
}

// visit reports the first thing below t that cannot be described.
func (i *inspector) visit(path string, t reflect.Type) error {
	t = deref(t)
	k := kindOf(t)
	switch k {
	case unsuitable:
		return i.fail(path, fmt.Errorf("type %s has no JSON form", t))
	case object:
		return i.object(path, t)
	case dictionary:
		if key := kindOf(t.Key()); key != text && key != integer {
			return i.fail(path, fmt.Errorf("type %s: JSON has no such keys", t))
		}
		return i.visit(path+"{}", elem(t, k))
	case array:
		return i.visit(path+"[]", elem(t, k))
	case alias:
		return i.visit(path, elem(t, k))
	}
	return nil
}

func (i *inspector) object(path string, t reflect.Type) error {
	if slices.Contains(i.seen, t) {
		return nil
	}
	i.seen = append(i.seen, t)
	list, err := fields(t)
	if err != nil {
		return i.fail(path, err)
	}
	for _, f := range list {
		inner := f.name
		if path != "" {
			inner = path + "." + f.name
		}
		if err := i.visit(inner, f.typ); err != nil {
			return err
		}
		if err := i.field(f); err != nil {
			return i.fail(inner, err)
		}
	}
	return nil
}

// field checks a field's tags, and that a parameter that may be left out says so in a way its type can show.
func (i *inspector) field(f field) error {
	t := deref(f.typ)
	k := kindOf(t)
	hasDefault := len(values(f.tags, "default")) > 0
	if k == alias {
		if hasDefault {
			return fmt.Errorf("a default is not possible on %s, which tells absent from null itself", t)
		}
		t = elem(t, k)
		k = kindOf(t)
	} else if !i.output && f.optional && !hasDefault && f.typ.Kind() != reflect.Pointer && scalar(t) {
		return fmt.Errorf("optional, but a %s cannot show that it is absent: give it a default or make it a pointer or an Optional", t)
	}
	if hasDefault {
		if err := json.Unmarshal(defaultOf(f), reflect.New(f.typ).Interface()); err != nil {
			return fmt.Errorf("default %q: %w", values(f.tags, "default"), err)
		}
	}
	item := anything
	if k == array {
		item = kindOf(elem(t, k))
	}
	return checkTags(f.tags, k, item)
}

// scalar reports whether t is a boolean or a number, whose zero value is as good as any other.
func scalar(t reflect.Type) bool {
	k := plainKind(t)
	return k == boolean || k == integer || k == number
}

func (i *inspector) fail(path string, err error) error {
	what := "parameter"
	if i.output {
		what = "result"
	}
	if path == "" {
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s %q: %w", what, path, err)
}
