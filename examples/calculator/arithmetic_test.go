package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestArithmetic(t *testing.T) {
	huge, zero := math.MaxFloat64, 0.0
	negativeZero := math.Copysign(0, -1)
	of := func(x float64, err error) func() (float64, error) {
		return func() (float64, error) { return x, err }
	}
	for name, test := range map[string]struct {
		got  func() (float64, error)
		want float64
		err  error
	}{
		"divide by zero":              {of(divide(1, zero)), 0, errDivisor},
		"divide by negative zero":     {of(divide(1, negativeZero)), 0, errDivisor},
		"zero by zero":                {of(divide(zero, zero)), 0, errDivisor},
		"root of a negative number":   {of(squareRoot(-1e-300)), 0, errNegative},
		"a sum that is infinite":      {of(add(huge, huge)), 0, errOverflow},
		"a product that is infinite":  {of(multiply(huge, -2)), 0, errOverflow},
		"a quotient that is infinite": {of(divide(huge, 0.5)), 0, errOverflow},
		"infinity is no argument":     {of(add(math.Inf(1), math.Inf(-1))), 0, errOverflow},

		"root of negative zero": {of(squareRoot(negativeZero)), 0, nil},
		"a negative zero":       {of(multiply(zero, -5)), 0, nil},
		"A10-84 multiply":       {of(multiply(15, 7)), 105, nil},
		"A10-84 add":            {of(add(105, 23)), 128, nil},
		"A10-84 sqrt":           {of(squareRoot(128)), 11.313708498984761, nil},
		"divide":                {of(divide(1, -8)), -0.125, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := test.got()
			require.ErrorIs(t, err, test.err)
			require.Equal(t, test.want, got)
			require.False(t, math.Signbit(got) && got == 0, "-0 must not get out")
		})
	}
}
