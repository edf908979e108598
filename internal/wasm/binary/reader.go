package binary

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

var errTruncated = errors.New("unexpected end")

// Reader consumes bytes. Its first error sticks, so that a sequence of reads needs one check at its end: after an error
// every read returns zero and consumes nothing. It is for one goroutine.
type Reader struct {
	data []byte
	pos  int
	err  error
}

// NewReader returns a reader of data, which it does not copy.
func NewReader(data []byte) *Reader { return &Reader{data: data} }

// Err is the first error.
func (r *Reader) Err() error { return r.err }

// Fail records an error that the caller found, unless there is one.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Pos is how many bytes are consumed.
func (r *Reader) Pos() int { return r.pos }

// Len is how many bytes are left.
func (r *Reader) Len() int { return len(r.data) - r.pos }

// More tells whether there is something to read and no error.
func (r *Reader) More() bool { return r.err == nil && r.pos < len(r.data) }

// Rest returns what is left, without consuming it.
func (r *Reader) Rest() []byte { return r.data[r.pos:] }

// Since returns the bytes from a position to the present one.
func (r *Reader) Since(pos int) []byte { return r.data[pos:r.pos] }

// End fails where something is left.
func (r *Reader) End() error {
	if r.err == nil && r.Len() > 0 {
		r.Fail(fmt.Errorf("%d bytes too many", r.Len()))
	}
	return r.err
}

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if r.err != nil || r.pos >= len(r.data) {
		r.Fail(errTruncated)
		return 0
	}
	b := r.data[r.pos]
	r.pos++
	return b
}

// Expect reads one byte that can have one value only.
func (r *Reader) Expect(want byte) {
	if b := r.Byte(); r.err == nil && b != want {
		r.Fail(fmt.Errorf("byte %#x where %#x is required", b, want))
	}
}

// Uvarint reads an unsigned number of at most bits bits.
func (r *Reader) Uvarint(bits int) uint64 {
	var v uint64
	for shift := 0; shift < bits; shift += 7 {
		b := r.Byte()
		if r.err != nil {
			return 0
		}
		if left := bits - shift; left < 7 && b>>left != 0 {
			break
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	r.Fail(fmt.Errorf("number larger than %d bits", bits))
	return 0
}

// Varint reads a signed number of at most bits bits.
func (r *Reader) Varint(bits int) int64 {
	if r.err == nil && r.pos < len(r.data) && r.data[r.pos] < 0x80 { // often, and faster
		r.pos++
		return short(r.data[r.pos-1])
	}
	var v int64
	for shift := 0; shift < bits; shift += 7 {
		b := r.Byte()
		if r.err != nil {
			return 0
		}
		// In the last byte the bits past the number repeat its sign.
		if left := bits - shift; left < 7 {
			if sign := int8(b<<1) >> left; b >= 0x80 || sign != 0 && sign != -1 {
				break
			}
		}
		v |= int64(b&0x7f) << shift
		if b < 0x80 {
			unused := max(64-shift-7, 0)
			return v << unused >> unused
		}
	}
	r.Fail(fmt.Errorf("number larger than %d bits", bits))
	return 0
}

// U32 reads an unsigned number of 32 bits: an index or a length.
func (r *Reader) U32() uint32 {
	if r.err == nil && r.pos < len(r.data) && r.data[r.pos] < 0x80 { // nearly always, and much faster
		r.pos++
		return uint32(r.data[r.pos-1])
	}
	return uint32(r.Uvarint(32))
}

// Index reads an index of one of n things, which the error names.
func (r *Reader) Index(n uint32, thing string) uint32 {
	i := r.U32()
	if r.err == nil && i >= n {
		r.Fail(fmt.Errorf("%s %d does not exist", thing, i))
		return 0
	}
	return i
}

// Count reads the length of a vector whose items take at least one byte each.
func (r *Reader) Count() int {
	n := r.U32()
	if r.err == nil && int64(n) > int64(r.Len()) {
		r.Fail(fmt.Errorf("count %d is larger than what is left: %d bytes", n, r.Len()))
		return 0
	}
	return int(n)
}

// Each reads a vector, calling item until all of it is read or something fails.
func (r *Reader) Each(item func()) {
	for n := r.Count(); n > 0 && r.err == nil; n-- {
		item()
	}
}

// EachOf does the same for a vector of at most limit items.
func (r *Reader) EachOf(limit int, item func()) {
	n := r.Count()
	if n > limit {
		r.Fail(fmt.Errorf("%d items, at most %d are allowed", n, limit))
	}
	for ; n > 0 && r.err == nil; n-- {
		item()
	}
}

// Bytes reads n bytes. They are not copied.
func (r *Reader) Bytes(n int) []byte {
	if r.err != nil || n > r.Len() {
		r.Fail(errTruncated)
		return nil
	}
	b := r.data[r.pos : r.pos+n]
	r.pos += n
	return b
}

// Name reads a length and as many bytes of UTF-8.
func (r *Reader) Name() string {
	b := r.Bytes(r.Count())
	if !utf8.Valid(b) {
		r.Fail(errors.New("name is not UTF-8"))
		return ""
	}
	return string(b)
}
