package wasm

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

var errTruncated = errors.New("unexpected end")

// reader consumes bytes. Its first error sticks, so that a sequence of reads needs one check at its end.
type reader struct {
	data []byte
	pos  int
	err  error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) rest() int { return len(r.data) - r.pos }

func (r *reader) more() bool { return r.err == nil && r.rest() > 0 }

func (r *reader) byte() byte {
	if r.err != nil || r.rest() < 1 {
		r.fail(errTruncated)
		return 0
	}
	b := r.data[r.pos]
	r.pos++
	return b
}

// uvarint reads an unsigned LEB128 number of at most bits bits.
func (r *reader) uvarint(bits int) uint64 {
	var v uint64
	for shift := 0; shift < bits; shift += 7 {
		b := r.byte()
		if r.err != nil {
			return 0
		}
		if left := bits - shift; left < 7 && b>>left != 0 {
			r.fail(fmt.Errorf("number larger than %d bits", bits))
			return 0
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	r.fail(fmt.Errorf("number larger than %d bits", bits))
	return 0
}

func (r *reader) u32() uint32 { return uint32(r.uvarint(32)) }

// count reads the length of a vector whose items take at least one byte each.
func (r *reader) count() int {
	n := r.u32()
	if r.err == nil && int64(n) > int64(r.rest()) {
		r.fail(fmt.Errorf("count %d is larger than what is left: %d bytes", n, r.rest()))
		return 0
	}
	return int(n)
}

func (r *reader) bytes(n int) []byte {
	if r.err != nil || n > r.rest() {
		r.fail(errTruncated)
		return nil
	}
	b := r.data[r.pos : r.pos+n]
	r.pos += n
	return b
}

func (r *reader) name() string {
	b := r.bytes(r.count())
	if !utf8.Valid(b) {
		r.fail(errors.New("name is not UTF-8"))
		return ""
	}
	return string(b)
}
