package conformance_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tetratelabs/wazero/api"
)

// value is an argument or an expected result. One of vectors has the values of its lanes.
type value struct {
	Type  string
	Lane  string `json:"lane_type"`
	Value any
}

// bits is the value as the engine takes it.
func (v value) bits() []uint64 {
	if v.Type != "v128" {
		text, _ := v.Value.(string)
		if text == "null" || v.Value == nil {
			return []uint64{0}
		}
		n := integer(text)
		if v.Type == "externref" {
			n++ // 0 is null
		}
		if strings.HasSuffix(v.Type, "32") {
			n &= math.MaxUint32
		}
		return []uint64{n}
	}
	lanes := v.Value.([]any)
	width := 128 / len(lanes)
	halves := []uint64{0, 0}
	for i, lane := range lanes {
		at := i * width
		halves[at/64] |= integer(lane.(string)) & (math.MaxUint64 >> (64 - width)) << (at % 64)
	}
	return halves
}

func integer(text string) uint64 {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n
	}
	n, _ := strconv.ParseInt(text, 10, 64)
	return uint64(n)
}

// text is how texts writes a result that the script expects.
func (v value) text() string {
	switch lanes, vector := v.Value.([]any); {
	case vector:
		width := 128 / len(lanes)
		words := make([]string, len(lanes))
		for i, lane := range lanes {
			words[i] = number(integer(lane.(string))&(math.MaxUint64>>(64-width)), lane.(string))
		}
		return strings.Join(words, ",")
	case strings.HasSuffix(v.Type, "ref"):
		if v.Value == nil {
			return "any"
		}
		return number(v.bits()[0], "")
	}
	return number(v.bits()[0], fmt.Sprint(v.Value))
}

// number writes bits, or that they are to be any NaN of a kind.
func number(bits uint64, expected string) string {
	if strings.HasPrefix(expected, "nan:") {
		return "nan"
	}
	return strconv.FormatUint(bits, 16)
}

// texts writes results: each NaN where the script expects one as nan, and each reference where it expects any as any.
func texts(results []uint64, types []api.ValueType, expected []value) []string {
	var words []string
	for i, t := range types {
		if len(results) == 0 {
			return nil
		}
		var e value
		if i < len(expected) {
			e = expected[i]
		}
		switch {
		case t == 0x7b:
			words = append(words, vector(results[0], results[1], e))
			results = results[1:]
		case strings.HasSuffix(e.Type, "ref") && e.Value == nil:
			words = append(words, "any")
		case strings.HasSuffix(e.Type, "ref") && e.Value != "null" && t != api.ValueTypeExternref:
			words = append(words, fmt.Sprint(results[0] != 0))
		default:
			short := t == api.ValueTypeI32 || t == api.ValueTypeF32
			if short { // the engine leaves anything in the upper half
				results[0] &= math.MaxUint32
			}
			words = append(words, scalar(results[0], short, fmt.Sprint(e.Value)))
		}
		results = results[1:]
	}
	return words
}

func vector(low, high uint64, e value) string {
	lanes, ok := e.Value.([]any)
	if !ok {
		return fmt.Sprintf("%x,%x", low, high)
	}
	width := 128 / len(lanes)
	words := make([]string, len(lanes))
	for i, lane := range lanes {
		at, half := i*width, low
		if at >= 64 {
			at, half = at-64, high
		}
		words[i] = scalar(half>>at&(math.MaxUint64>>(64-width)), width == 32, lane.(string))
	}
	return strings.Join(words, ",")
}

// scalar writes a result. A NaN is of the expected kind: canonical has the highest bit of the fraction only, arithmetic has
// that bit at least.
func scalar(bits uint64, short bool, expected string) string {
	quiet, sign := uint64(0x7ff8<<48), uint64(1<<63)
	if short {
		quiet, sign = 0x7fc0<<16, 1<<31
	}
	switch {
	case expected == "nan:canonical" && bits&^sign == quiet, expected == "nan:arithmetic" && bits&quiet == quiet:
		return "nan"
	}
	return strconv.FormatUint(bits, 16)
}
