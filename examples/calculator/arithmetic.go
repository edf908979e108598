package main

import (
	"errors"
	"math"
)

var (
	errDivisor  = errors.New("b must not be 0: nothing can be divided by it")
	errNegative = errors.New("x must not be negative: it has no real square root")
	errOverflow = errors.New("the result is too large for a 64-bit floating-point number")
)

func add(a, b float64) (float64, error) { return finite(a + b) }

func multiply(a, b float64) (float64, error) { return finite(a * b) }

// divide fails with errDivisor where b is 0, of either sign.
func divide(a, b float64) (float64, error) {
	if b == 0 {
		return 0, errDivisor
	}
	return finite(a / b)
}

// squareRoot fails with errNegative where x is below 0.
func squareRoot(x float64) (float64, error) {
	if x < 0 {
		return 0, errNegative
	}
	return finite(math.Sqrt(x))
}

// finite keeps out what JSON cannot say: infinities and NaN are errors, and -0, which no caller has a use for, is 0.
func finite(x float64) (float64, error) {
	switch {
	case math.IsInf(x, 0) || math.IsNaN(x):
		return 0, errOverflow
	case x == 0:
		return 0, nil
	}
	return x, nil
}
