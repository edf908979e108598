package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wasmtools/wasmtools/internal/strictjson"
)

const (
	// maxLiteral is how long a number's literal may be. Every float64 and every integer that anyone means is shorter, and
	// arithmetic on it stays cheap.
	maxLiteral = 400

	// maxExpanded is how many digits a number with an exponent may have when it is written without.
	maxExpanded = 40
)

// numbers brings all numbers of v to their canonical form. It returns the path of the first one that is out of range.
func numbers(v *strictjson.Value) (where []string, ok bool) {
	if v.Kind == strictjson.Number {
		v.Text, ok = canonicalNumber(v.Text)
		return nil, ok
	}
	for i := range v.Items {
		item := &v.Items[i]
		if where, ok := numbers(item); !ok {
			token := item.Name
			if v.Kind == strictjson.Array {
				token = strconv.Itoa(i)
			}
			return slices.Insert(where, 0, token), false
		}
	}
	return nil, true
}

// canonicalNumber returns the JSON number lit as a plain integer if it is whole and not too long, otherwise as it is. It
// is not ok if lit is too long or out of the range of a float64. The check has to come before any arithmetic: an exponent
// of ten digits fills the memory of whoever expands it.
func canonicalNumber(lit string) (canonical string, ok bool) {
	if len(lit) > maxLiteral {
		return lit, false
	}
	if !strings.ContainsAny(lit, ".eE") {
		return lit, true
	}
	abs, negative := strings.CutPrefix(lit, "-")
	sign := ""
	if negative {
		sign = "-"
	}
	mantissa, exponent := abs, 0
	if i := strings.IndexAny(abs, "eE"); i >= 0 {
		var err error
		mantissa = abs[:i]
		if exponent, err = strconv.Atoi(abs[i+1:]); err != nil || exponent > 1<<30 || exponent < -1<<30 {
			exponent = 1 << 30 // out of range, unless it is the exponent of zero
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return sign + "0", true
	}
	exponent -= len(fraction)
	significant := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(significant)
	if exponent >= 0 && len(significant)+exponent <= maxExpanded {
		return sign + significant + strings.Repeat("0", exponent), true
	}
	_, err := strconv.ParseFloat(lit, 64)
	return lit, err == nil && exponent > -maxLiteral-len(significant)
}

// magnitude is about the number of digits that arithmetic on a number works on: an exponent stands for as many.
func magnitude(lit string) int64 {
	digits := int64(len(lit))
	if i := strings.IndexAny(lit, "eE"); i >= 0 {
		exponent, _ := strconv.Atoi(lit[i+1:]) // within the range of a float64
		digits += int64(max(exponent, -exponent))
	}
	return digits
}

// outOfRange describes a number that canonicalNumber does not take.
func outOfRange(lit string) string {
	return fmt.Sprintf("number %s is not finite or too long", clip(lit, 40))
}
