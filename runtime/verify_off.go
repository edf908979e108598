//go:build !verifyrestore

package runtime

// verify does nothing: see the other one.
func (i *instance) verify() {}
