// Package wasm reads the outline of a WebAssembly module: its types, imports, exports, memories and custom sections. It
// knows WebAssembly and nothing of tools.
//
// The input is hostile. Decode never panics, never allocates more than a small multiple of the input's size, and refuses
// what it does not understand. Function bodies are not looked at: that they are valid is for the compiler to find.
package wasm
