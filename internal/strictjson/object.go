package strictjson

import (
	"hash/maphash"
	"slices"
)

// name is the name of a member: where it stands, and a hash of it that the author of the text cannot foresee.
type name struct {
	at   int
	hash uint64
}

// object reads on behind the bracket, and returns the number of members.
func (s *scanner) object(depth int) (size int, err *Error) {
	if s.next() == '}' {
		s.pos++
		return 0, nil
	}
	outer := len(s.names)
	for {
		if err := s.name(); err != nil {
			return 0, err
		}
		if err := s.value(depth); err != nil {
			return 0, err
		}
		switch s.next() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			members := s.names[outer:]
			s.names = s.names[:outer]
			return len(members), s.unique(members)
		default:
			return 0, s.unexpected("',' or '}'")
		}
	}
}

// name reads a member's name and the colon.
func (s *scanner) name() *Error {
	if s.next() != '"' {
		return s.unexpected("a member's name in double quotes")
	}
	n := name{at: s.pos}
	content, escaped, err := s.str()
	switch {
	case err != nil:
		return err
	case escaped:
		n.hash = maphash.Bytes(s.seed, s.unescaped(content))
	default:
		n.hash = maphash.String(s.seed, content)
	}
	if len(s.names) == cap(s.names) {
		s.names = slices.Grow(s.names, len(s.names)+16) // append alone would copy a large one more often
	}
	s.names = append(s.names, n)
	if s.next() != ':' {
		return s.unexpected("':'")
	}
	s.pos++
	return nil
}

// unique refuses an object with two members of the same name.
func (s *scanner) unique(members []name) *Error {
	i := s.duplicate(members)
	if i < 0 {
		return nil
	}
	s.pos = members[i].at
	return s.errorf("duplicate member %q", clip(s.textAt(s.pos)))
}

// duplicate returns the position of the first member whose name one before it has, or -1.
func (s *scanner) duplicate(members []name) int {
	const few = 12
	if len(members) > few {
		return s.duplicateOfMany(members)
	}
	for i, m := range members {
		for _, other := range members[:i] {
			if m.hash == other.hash && s.same(m, other) {
				return i
			}
		}
	}
	return -1
}

// duplicateOfMany uses the table of hashes, in which a slot holds 1 more than the position of a member. No two objects
// need it at the same time.
func (s *scanner) duplicateOfMany(members []name) int {
	size := 2
	for size < 2*len(members) {
		size *= 2
	}
	if size > len(s.table) {
		s.table = make([]uint32, size)
	}
	table := s.table[:size]
	clear(table)
	for i, m := range members {
		slot := m.hash & uint64(size-1)
		for ; table[slot] != 0; slot = (slot + 1) & uint64(size-1) {
			if other := members[table[slot]-1]; m.hash == other.hash && s.same(m, other) {
				return i
			}
		}
		table[slot] = uint32(i + 1)
	}
	return -1
}

// same compares the names themselves: that their hashes are equal is all but proof.
func (s *scanner) same(a, b name) bool { return s.textAt(a.at) == s.textAt(b.at) }

// textAt returns the string that begins at a place where one was read.
func (s *scanner) textAt(at int) string {
	again := scanner{src: s.src, pos: at}
	return again.text()
}
