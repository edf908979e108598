package snapshot

import "sync"

// lifetime decides when something that others still use goes away: with its last user, of whom its owner is one.
type lifetime struct {
	mu     sync.Mutex
	users  int
	closed bool
}

// join adds a user. It is false once the owner has closed.
func (l *lifetime) join() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.users++
	return true
}

// leave removes a user. It is true for the last one, who has to free.
func (l *lifetime) leave() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.users--
	return l.users == 0
}

// close removes the owner, the first time. It is true if nobody is left.
func (l *lifetime) close() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.closed = true
	l.users--
	return l.users == 0
}
