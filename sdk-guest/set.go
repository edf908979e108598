package guest

import (
	"encoding/json"
	"slices"
)

// Set is a list without repetitions, in the order in which its elements first occurred. Append to it with [Set.Add]. It is
// never null in a result.
type Set[T comparable] []T

// Add appends a value that is not there yet.
func (s *Set[T]) Add(value T) {
	if !s.Has(value) {
		*s = append(*s, value)
	}
}

// Has reports whether a value is there.
func (s Set[T]) Has(value T) bool { return slices.Contains(s, value) }

// UniqueItems marks the type as a set; see the package schema.
func (Set[T]) UniqueItems() {}

// UnmarshalJSON drops repetitions.
func (s *Set[T]) UnmarshalJSON(text []byte) error {
	var list []T
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	seen := make(map[T]bool, len(list))
	kept := list[:0]
	for _, value := range list {
		if !seen[value] {
			seen[value] = true
			kept = append(kept, value)
		}
	}
	*s = kept
	return nil
}

// MarshalJSON writes a list, empty for nil.
func (s Set[T]) MarshalJSON() ([]byte, error) {
	if s == nil {
		return []byte("[]"), nil
	}
	return marshal([]T(s))
}
