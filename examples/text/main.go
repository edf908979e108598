// Text is a module of three tools for reading text: count, search and diff.
package main

import guest "github.com/wasmtools/wasmtools/sdk-guest"

type countArgs struct {
	Text string `json:"text" jsonschema:"description=What to count"`
	Top  int    `json:"top" jsonschema:"default=10,minimum=0,maximum=1000,description=How many of the most frequent words to list"`
}

type searchArgs struct {
	Text       string `json:"text" jsonschema:"description=Where to look"`
	Pattern    string `json:"pattern" jsonschema:"description=Regular expression in RE2 syntax; ^ and $ are the ends of a line"`
	IgnoreCase bool   `json:"ignore_case" jsonschema:"default=false,description=Upper and lower case are the same"`
	Limit      int    `json:"limit" jsonschema:"default=50,minimum=1,maximum=1000,description=How many matches to list at most"`
}

type diffArgs struct {
	Old     string `json:"old" jsonschema:"description=The text before"`
	New     string `json:"new" jsonschema:"description=The text after"`
	Context int    `json:"context" jsonschema:"default=3,minimum=0,maximum=100,description=How many unchanged lines to show around a change"`
}

func init() {
	pure := []guest.Option{guest.ReadOnly(), guest.Idempotent(), guest.ClosedWorld()}

	guest.Register("count", "Counts the lines, words and characters of a text and lists its most frequent words.",
		func(_ guest.Context, in countArgs) (Counts, error) {
			return count(in.Text, in.Top), nil
		}, pure...)

	guest.Register("search", "Finds a regular expression in a text, line by line.",
		func(_ guest.Context, in searchArgs) (Matches, error) {
			found, err := search(in.Text, in.Pattern, in.IgnoreCase, in.Limit)
			if err != nil {
				return Matches{}, guest.BadArguments(err.Error()).WithCode(422)
			}
			return found, nil
		}, pure...)

	guest.Register("diff", "Compares two texts line by line and returns the differences in the unified format.",
		func(_ guest.Context, in diffArgs) (string, error) {
			difference := unified(compare(splitLines(in.Old), splitLines(in.New)), in.Context)
			if difference == "" {
				return "The texts are the same.", nil
			}
			return difference, nil
		}, pure...)
}

func main() {}
