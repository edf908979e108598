// Package host is the guest's side of the ABI's imports. The raw imports are in one file, which only Wasm builds see; a
// twin stands in for them everywhere else, so that tools and the SDK itself run under plain go test. What is built on them
// is here, once. Beside that, random_tinygo.go makes random numbers differ from call to call.
//
// The package stays free of fmt, reflect and encoding/json: a guest with a hand-written spec is a few kilobytes.
package host

import "github.com/wasmtools/wasmtools/abi"

// Input returns the call's arguments.
func (h Host) Input() []byte { return h.staged(h.input()) }

// Context returns the call's context, a JSON object.
func (h Host) Context() []byte { return h.staged(h.context()) }

// Write appends to the output.
func (h Host) Write(text string) {
	if text != "" {
		h.write(text)
	}
}

// Log logs a message with attributes, a JSON object or empty. The result is 0 or one of the errors of package abi.
func (h Host) Log(level int32, message, attrs string) int32 { return h.log(level, message, attrs) }

// Approve asks a person and waits. The decision is negative where nobody decided; text is set for [abi.DecisionEdit].
func (h Host) Approve(description string) (decision abi.Decision, text string) {
	decision = abi.Decision(h.approve(description))
	if decision >= 0 && decision.Verdict() == abi.DecisionEdit {
		text = string(h.staged(int32(decision.Size())))
	}
	return decision, text
}

// staged copies what the host has put aside. It stops at what really comes, should that be less than was announced.
func (h Host) staged(size int32) []byte {
	if size <= 0 {
		return nil
	}
	p := make([]byte, size)
	n := 0
	for n < len(p) {
		count := int(h.read(p[n:]))
		if count <= 0 || count > len(p)-n {
			break
		}
		n += count
	}
	return p[:n]
}
