package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"
)

func checkNumber(path string, s map[string]any, v json.Number) error {
	f, err := v.Float64()
	if err != nil {
		return fail(path, "is not finite")
	}
	if m, ok := s["multipleOf"].(json.Number); ok {
		if step, err := m.Float64(); err == nil && math.Mod(f, step) != 0 {
			return fail(path, "must be a multiple of "+m.String())
		}
	}
	for _, bound := range []struct {
		keyword string
		least   int // that the comparison's sign may be
		most    int
	}{{"minimum", 0, 1}, {"maximum", -1, 0}, {"exclusiveMinimum", 1, 1}, {"exclusiveMaximum", -1, -1}} {
		limit, ok := s[bound.keyword].(json.Number)
		if sign := compare(v, limit); ok && (sign < bound.least || sign > bound.most) {
			return fail(path, fmt.Sprintf("is %s, the %s is %s", v, bound.keyword, limit))
		}
	}
	return nil
}

// compare compares exactly where both are integers of 64 bits.
func compare(a, b json.Number) int {
	if x, err := a.Int64(); err == nil {
		if y, err := b.Int64(); err == nil {
			return cmp.Compare(x, y)
		}
	}
	if x, err := strconv.ParseUint(a.String(), 10, 64); err == nil {
		if y, err := strconv.ParseUint(b.String(), 10, 64); err == nil {
			return cmp.Compare(x, y)
		}
	}
	x, _ := a.Float64()
	y, _ := b.Float64()
	return cmp.Compare(x, y)
}

func checkString(path string, s map[string]any, v string) error {
	if err := checkCount(path, s, "minLength", "maxLength", utf8.RuneCountInString(v)); err != nil {
		return err
	}
	pattern, ok := s["pattern"].(string)
	if !ok {
		return nil
	}
	expr, err := regexp.Compile(pattern)
	if err != nil {
		return fail(path, "pattern: "+err.Error())
	}
	if !expr.MatchString(v) {
		return fail(path, fmt.Sprintf("does not match the pattern %q", pattern))
	}
	return nil
}

// checkCount checks a length against the two keywords for it.
func checkCount(path string, s map[string]any, least, most string, n int) error {
	count := json.Number(strconv.Itoa(n))
	if limit, ok := s[least].(json.Number); ok && compare(count, limit) < 0 {
		return fail(path, fmt.Sprintf("has length %d, the %s is %s", n, least, limit))
	}
	if limit, ok := s[most].(json.Number); ok && compare(count, limit) > 0 {
		return fail(path, fmt.Sprintf("has length %d, the %s is %s", n, most, limit))
	}
	return nil
}

func (c checker) checkArray(path string, s map[string]any, v []any) error {
	if err := checkCount(path, s, "minItems", "maxItems", len(v)); err != nil {
		return err
	}
	for i, item := range v {
		if err := c.check(path+"["+strconv.Itoa(i)+"]", s["items"], item); err != nil {
			return err
		}
	}
	return nil
}

// checkObject takes null for absent where a member may be absent, as the host does.
func (c checker) checkObject(path string, s map[string]any, v map[string]any) error {
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range required {
		if name, ok := name.(string); ok && v[name] == nil {
			if _, given := v[name]; !given || c.check("", properties[name], nil) != nil {
				return fail(join(path, name), "is missing or null")
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		inner := join(path, name)
		if err := c.check(inner, s["propertyNames"], name); err != nil {
			return err
		}
		member, declared := properties[name]
		if !declared {
			member = s["additionalProperties"]
		} else if v[name] == nil && !slices.Contains(required, any(name)) {
			continue
		}
		if err := c.check(inner, member, v[name]); err != nil {
			return err
		}
	}
	return nil
}
