//go:build wasm

package host

import "unsafe"

// Host is what the guest runs in. It holds nothing: the functions are imports, and a module imports only those that its
// tools reach.
type Host struct{}

//go:wasmimport wasmtools_v1 input
func importInput() int32

//go:wasmimport wasmtools_v1 read
func importRead(p unsafe.Pointer, size uint32) int32

//go:wasmimport wasmtools_v1 write
func importWrite(p unsafe.Pointer, size uint32)

//go:wasmimport wasmtools_v1 context
func importContext() int32

//go:wasmimport wasmtools_v1 log
func importLog(level int32, message unsafe.Pointer, size uint32, attrs unsafe.Pointer, attrsSize uint32) int32

//go:wasmimport wasmtools_v1 approve
func importApprove(p unsafe.Pointer, size uint32) int32

func (Host) input() int32   { return importInput() }
func (Host) context() int32 { return importContext() }

func (Host) read(p []byte) int32 {
	return importRead(unsafe.Pointer(unsafe.SliceData(p)), uint32(len(p)))
}

func (Host) write(text string) { importWrite(pointer(text), uint32(len(text))) }

func (Host) log(level int32, message, attrs string) int32 {
	return importLog(level, pointer(message), uint32(len(message)), pointer(attrs), uint32(len(attrs)))
}

func (Host) approve(text string) int32 { return importApprove(pointer(text), uint32(len(text))) }

func pointer(text string) unsafe.Pointer { return unsafe.Pointer(unsafe.StringData(text)) }
