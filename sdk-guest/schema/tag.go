package schema

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// tag is one piece of a jsonschema tag.
type tag struct {
	key, value string
	pair       bool // it had an equals sign
}

// splitTag splits a jsonschema tag at its commas, except those behind a backslash.
func splitTag(text string) []tag {
	if text == "" {
		return nil
	}
	var tags []tag
	piece := ""
	for part := range strings.SplitSeq(text, ",") {
		if before, ok := strings.CutSuffix(part, `\`); ok {
			piece += before + ","
			continue
		}
		key, value, pair := strings.Cut(piece+part, "=")
		tags = append(tags, tag{key, value, pair})
		piece = ""
	}
	return tags
}

// values returns the values of a key, in order.
func values(tags []tag, key string) []string {
	var values []string
	for _, t := range tags {
		if t.pair && t.key == key {
			values = append(values, t.value)
		}
	}
	return values
}

// Keywords of a jsonschema tag: those of every kind, of some kinds, and those whose values are numbers. Lists are text
// because that is the shortest form that TinyGo does not have to build at run time.
const (
	flagKeywords   = " required nullable "
	commonKeywords = " title description type anchor oneof_required anyof_required oneof_ref anyof_ref oneof_type anyof_type default "
	textKeywords   = " minLength maxLength pattern format readOnly writeOnly example enum "
	numberKeywords = " multipleOf minimum maximum exclusiveMinimum exclusiveMaximum example enum "
	arrayKeywords  = " minItems maxItems uniqueItems "
	countValues    = " minLength maxLength minItems maxItems "
)

// checkTags reports the first piece of a jsonschema tag that has no meaning for a value of kind k, whose elements, if it is
// an array, are of kind item. The library ignores whatever it does not understand, and a constraint that silently is
// not there is worse than an error.
func checkTags(tags []tag, k, item kind) error {
	allowed := commonKeywords
	if k == array {
		allowed += arrayKeywords
		k = item
	}
	numeric := k == integer || k == number
	switch {
	case k == text:
		allowed += textKeywords
	case numeric:
		allowed += numberKeywords
	case k == anything, k == custom:
		allowed += arrayKeywords + textKeywords + numberKeywords
	}
	for _, t := range tags {
		if !t.pair && has(flagKeywords, t.key) {
			continue
		}
		if !t.pair || !has(allowed, t.key) {
			return fmt.Errorf(`jsonschema tag %q has no meaning here; a comma inside a value is written \\,`, t.key)
		}
		if !t.sound(numeric) {
			return fmt.Errorf("jsonschema tag %q: %q is not a value for it", t.key, t.value)
		}
	}
	return nil
}

// sound reports whether the tag's value has the right form. Defaults are checked against the finished schema.
func (t tag) sound(numeric bool) bool {
	switch {
	case has(countValues, t.key):
		_, err := strconv.ParseUint(t.value, 10, 32)
		return err == nil
	case numeric && has(numberKeywords, t.key):
		return isNumber(t.value)
	case t.key == "uniqueItems":
		return t.value == "true"
	}
	return true
}

func has(list, word string) bool { return word != "" && strings.Contains(list, " "+word+" ") }

func isNumber(text string) bool {
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return false
	}
	return json.Valid([]byte(text))
}
