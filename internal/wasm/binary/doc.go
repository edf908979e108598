// Package binary reads and writes the scalars of the WebAssembly binary format: LEB128 numbers, names, vectors' lengths and
// value types. It is strict: what the specification calls malformed is an error, and nothing is allocated by a length that
// the input only claims.
package binary
