package wasi

import "encoding/binary"

// view returns the n bytes at p, not a copy of them, or false if they do not all lie within memory. Of p only the lower half
// counts; n is far from the largest number, whatever a count was multiplied by.
func view(mem []byte, p, n uint64) ([]byte, bool) {
	from := uint64(uint32(p))
	if from+n > uint64(len(mem)) {
		return nil, false
	}
	return mem[from : from+n : from+n], true
}

func put32(mem []byte, p uint64, value uint32) Errno {
	b, ok := view(mem, p, 4)
	if !ok {
		return EFAULT
	}
	binary.LittleEndian.PutUint32(b, value)
	return Success
}

func put64(mem []byte, p, value uint64) Errno {
	b, ok := view(mem, p, 8)
	if !ok {
		return EFAULT
	}
	binary.LittleEndian.PutUint64(b, value)
	return Success
}
