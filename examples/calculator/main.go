// Calculator is a module of four tools, one for each operation: what one result says, the next call can use.
package main

import (
	"errors"

	guest "github.com/wasmtools/wasmtools/sdk-guest"
)

type terms struct {
	A float64 `json:"a" jsonschema:"description=The first number"`
	B float64 `json:"b" jsonschema:"description=The second number"`
}

type quotient struct {
	A float64 `json:"a" jsonschema:"description=What is divided"`
	B float64 `json:"b" jsonschema:"description=What it is divided by; not 0"`
}

type radicand struct {
	X float64 `json:"x" jsonschema:"description=0 or more"`
}

func init() {
	pure := []guest.Option{guest.ReadOnly(), guest.Idempotent(), guest.ClosedWorld()}
	guest.Register("add", "Adds two numbers.", func(_ guest.Context, in terms) (float64, error) {
		return outcome(add(in.A, in.B))
	}, pure...)
	guest.Register("multiply", "Multiplies two numbers.", func(_ guest.Context, in terms) (float64, error) {
		return outcome(multiply(in.A, in.B))
	}, pure...)
	guest.Register("divide", "Divides a number by another one.", func(_ guest.Context, in quotient) (float64, error) {
		return outcome(divide(in.A, in.B))
	}, pure...)
	guest.Register("sqrt", "Returns the square root of a number.", func(_ guest.Context, in radicand) (float64, error) {
		return outcome(squareRoot(in.X))
	}, pure...)
}

// outcome tells an argument that no operation can be done with from a result that cannot be had.
func outcome(x float64, err error) (float64, error) {
	if errors.Is(err, errDivisor) || errors.Is(err, errNegative) {
		return 0, guest.BadArguments(err.Error()).WithCode(422)
	}
	return x, err
}

func main() {}
