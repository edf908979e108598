// Csv is a module of one tool, which answers questions about CSV data.
package main

import guest "github.com/wasmtools/wasmtools/sdk-guest"

const description = "Filters, groups, aggregates and sorts CSV data.\n\n" +
	"The steps are taken in this order: where, group_by and aggregate, sort, limit, select. " +
	"A column is numeric if all its values are numbers. Numeric columns compare as numbers; all others compare as text: " +
	"case matters, and dates must be written like 2025-03-31 to be in order."

func init() {
	guest.Register("query", description, func(_ guest.Context, q Query) (Answer, error) {
		a, err := answer(q)
		if err != nil {
			return Answer{}, guest.BadArguments(err.Error()).WithCode(422)
		}
		return a, nil
	}, guest.ReadOnly(), guest.Idempotent(), guest.ClosedWorld())
}

func main() {}
