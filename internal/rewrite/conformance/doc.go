// Package conformance holds tests of what package rewrite makes against an engine: that a rewritten module does what it did
// before, that it takes fuel for what it does, and what that costs. It has no code of its own: package rewrite knows no engine.
package conformance
