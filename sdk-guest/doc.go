// Package guest is for authors of tools: one Go function is a tool that a language model can call.
//
// A complete tool:
//
//	package main
//
//	import (
//		"fmt"
//
//		guest "github.com/wasmtools/wasmtools/sdk-guest"
//	)
//
//	type Args struct {
//		City string `json:"city" jsonschema:"description=Name of the city,minLength=1"`
//		Days int32  `json:"days" jsonschema:"description=How many days,default=3,minimum=1,maximum=7"`
//	}
//
//	func init() { guest.Register("forecast", "Tells the weather of the coming days.", forecast) }
//
//	func forecast(ctx guest.Context, in Args) (string, error) {
//		if in.City == "Atlantis" {
//			return "", guest.BadArguments("there is no such city").WithCode(404)
//		}
//		ctx.Log().Info("asked", "city", in.City)
//		return fmt.Sprintf("%d days of rain.", in.Days), nil
//	}
//
//	func main() {}
//
// It is compiled to one Wasm module with either of
//
//	tinygo build -o forecast.wasm -target=wasip1 -buildmode=c-shared -scheduler=none -gc=leaking -opt=z -no-debug .
//	GOOS=wasip1 GOARCH=wasm go build -o forecast.wasm -buildmode=c-shared .
//
// TinyGo's is about ten times smaller and loads about ten times faster. A module may hold any number of tools.
//
// Start with [Register], [Context] and [Error]. Everything but [Register] is optional.
//
// # Parameters
//
// The fields of the argument struct are the parameters; the model sees them as a JSON Schema made by the rules of
// github.com/invopop/jsonschema, whose tags work as do the methods JSONSchema and JSONSchemaExtend:
//
//   - names are those of encoding/json, but exact: case counts;
//   - jsonschema tags: description, title, default, enum (one for each value), minimum, maximum, exclusiveMinimum,
//     exclusiveMaximum, multipleOf, minLength, maxLength, pattern, format, minItems, maxItems, uniqueItems; a comma inside
//     a value is written \\, and the tag jsonschema_description holds a description as it is;
//   - a tag that has no meaning for its field is an error and not ignored;
//   - a field of the name _ holds the description of a struct: _ struct{} `jsonschema_description:"A point in space."`;
//   - integers have the bounds of their type. An int has 32 bits under TinyGo: write int64 where that matters;
//   - a string type with a method Enum() []string is an enum; [Set] is a list without repetitions; a map is an object;
//     time.Time is a date-time; []byte is base64; *big.Int is an integer of any size, json.Number a number; any and
//     json.RawMessage take everything; a type with UnmarshalText is a string;
//   - types that recur or are used twice are described once, under $defs.
//
// Every parameter is required, at every level, unless it is marked omitempty or omitzero, is an [Optional], or has a default.
// A default takes the place of a value that is absent or null, anew in every call. A number or a boolean cannot show that
// it is absent, so one that is not required has to have a default, be a pointer, or be an Optional.
//
// What the application knows and the model must not set, such as the user's ID, is no parameter. It comes with [Context].
//
// # Results
//
// [None] is sent as the text "Success", a string as it is, a [Part], a list of them, or a [Result] as what they are, and any
// other type as JSON, with a schema of its own. A nil pointer is null. As everywhere in Go, the number 1.0 is written 1.
//
// # Errors
//
// [Failed] says that the execution failed and [BadArguments] that the arguments are to blame, each with an optional code and
// cause. Any other error counts as failed. [ErrRejected] and [ErrDenied] say that a person did not agree. The message goes to the
// model: write what it can act on, and nothing that is none of its business. The cause goes to the operator.
//
// A panic ends the call; its text reaches the operator. TinyGo cannot recover from one. Nor can it from what encoding/json
// panics over internally, which is why results are checked for NaN and the like before they are written; a MarshalJSON
// that returns an error is a crash there.
//
// # State
//
// Every call starts from the state that the module had after its initialisation. Package variables are for what init
// computes, never for what a call leaves to the next. There are no concurrent calls in a module and no other
// goroutines under TinyGo's flags above. Nothing needs a lock.
//
// Random numbers that a call draws from crypto/rand are its own. Those of math/rand are under TinyGo, but come out the same in
// every call under standard Go, whose runtime was seeded during initialisation. A rand.Rand or a maphash.Seed in a package
// variable is the same in all calls under both: make it in the tool. docs/writing-tools.md has a table.
//
// # Testing
//
// Tools are plain Go functions and the package works without Wasm: call them with a zero [Context], or with everything around
// them through package guesttest.
//
// # Growth
//
// A capability is a method of [Context] in a file of its own, over one import of package internal/host, and is in a
// module's import section only if a tool calls it. HTTP, key-value storage, secrets and progress are to come that way.
//
// Tools that must be tiny and bring a hand-written spec are in package raw. They can share a module with those of this package.
package guest
