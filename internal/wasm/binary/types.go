package binary

import "fmt"

// Value types by their encoding. A reference to a type of the module is RefNull or Ref and takes further bytes.
const (
	I32       = 0x7f
	I64       = 0x7e
	F32       = 0x7d
	F64       = 0x7c
	V128      = 0x7b
	FuncRef   = 0x70
	ExternRef = 0x6f
	ExnRef    = 0x69
	Ref       = 0x64
	RefNull   = 0x63
)

// ValType reads a value type, of a module with that many types. Of one that takes several bytes it returns the first.
func (r *Reader) ValType(types uint32) byte {
	switch t := r.Byte(); t {
	case I32, I64, F32, F64, V128, FuncRef, ExternRef, ExnRef:
		return t
	case Ref, RefNull:
		r.HeapType(types)
		return t
	default:
		r.Fail(fmt.Errorf("value type %#x is not known", t))
		return 0
	}
}

// HeapType reads what a reference refers to, in a module with that many types.
func (r *Reader) HeapType(types uint32) {
	r.heap(r.Varint(33), types)
}

func (r *Reader) heap(h int64, types uint32) {
	switch {
	case r.err != nil, h == short(FuncRef), h == short(ExternRef), h == short(ExnRef):
	case h < 0:
		r.Fail(fmt.Errorf("heap type %d is not known", h))
	case h >= int64(types):
		r.Fail(fmt.Errorf("type %d does not exist", h))
	}
}

// BlockType reads the type of a block, in a module with that many types. It returns the index of a function type, or a
// negative number for a block without parameters.
func (r *Reader) BlockType(types uint32) int64 {
	t := r.Varint(33)
	switch t {
	case short(0x40), short(I32), short(I64), short(F32), short(F64), short(V128):
	case short(Ref), short(RefNull):
		r.HeapType(types)
	default:
		r.heap(t, types)
	}
	return t
}

// short is the signed number that a single byte below 0x80 encodes.
func short(b byte) int64 { return int64(int8(b<<1) >> 1) }
