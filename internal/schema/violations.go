package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxKept is how many violations are kept to be put into words. More are shown of none.
const maxKept = 50

// violation is an error that concerns the value at path.
type violation struct {
	path []string
	name string                      // of a member, if it is the name that is wrong
	err  *jsonschema.ValidationError // nil if the value is missing
}

func (v violation) compare(w violation) int {
	if c := cmp.Or(slices.Compare(v.path, w.path), strings.Compare(v.name, w.name)); c != 0 || v.err == nil {
		return c
	}
	return cmp.Or(strings.Compare(v.err.SchemaURL, w.err.SchemaURL), slices.Compare(v.err.ErrorKind.KeywordPath(), w.err.ErrorKind.KeywordPath()))
}

// violations are the first of very many violations, in order, and how many more there are. All of them are missing values
// or none is.
type violations struct {
	kept []violation
	more int
}

// add reports whether v is kept for now.
func (s *violations) add(v violation) bool {
	if len(s.kept) == maxKept {
		s.more++
		if v.compare(s.kept[maxKept-1]) >= 0 {
			return false
		}
		s.kept = s.kept[:maxKept-1]
	}
	i, _ := slices.BinarySearchFunc(s.kept, v, violation.compare)
	s.kept = slices.Insert(s.kept, i, v)
	return true
}
