package binary

import "encoding/binary"

// AppendU32 appends an unsigned number in its shortest form.
func AppendU32(b []byte, v uint32) []byte { return binary.AppendUvarint(b, uint64(v)) }

// AppendS64 appends a signed number in its shortest form.
func AppendS64(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// AppendName appends a name: its length and its bytes.
func AppendName(b []byte, name string) []byte {
	return append(AppendU32(b, uint32(len(name))), name...)
}

// AppendSection appends a section: its ID, its length and its body.
func AppendSection(b []byte, id byte, body []byte) []byte {
	return append(AppendU32(append(b, id), uint32(len(body))), body...)
}
