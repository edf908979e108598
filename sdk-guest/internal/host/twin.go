//go:build !wasm

package host

import "github.com/wasmtools/wasmtools/abi"

// Functions are the imports of the ABI, one method each, for a host that is plain Go.
type Functions interface {
	Input() int32
	Read(p []byte) int32
	Write(text string)
	Context() int32
	Log(level int32, message, attrs string) int32
	Approve(description string) int32
}

// Host is what the guest runs in. The zero value denies everything and has no input.
type Host struct{ Functions Functions }

func (h Host) input() int32 {
	if h.Functions == nil {
		return 0
	}
	return h.Functions.Input()
}

func (h Host) context() int32 {
	if h.Functions == nil {
		return 0
	}
	return h.Functions.Context()
}

func (h Host) read(p []byte) int32 {
	if h.Functions == nil {
		return 0
	}
	return h.Functions.Read(p)
}

func (h Host) write(text string) {
	if h.Functions != nil {
		h.Functions.Write(text)
	}
}

func (h Host) log(level int32, message, attrs string) int32 {
	if h.Functions == nil {
		return abi.ErrDenied
	}
	return h.Functions.Log(level, message, attrs)
}

func (h Host) approve(description string) int32 {
	if h.Functions == nil {
		return abi.ErrDenied
	}
	return h.Functions.Approve(description)
}
