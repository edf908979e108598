// Package schema turns Go types into JSON Schema, the way package guest describes tools. It is the only package of the SDK
// that imports github.com/invopop/jsonschema, whose struct tags and methods it understands.
//
// [Input] describes arguments, [Output] describes results, [NewDefaults] fills in what a caller left out, and [Check]
// compares a value with a schema that this package made.
//
// Nothing here panics because of the type it is given: what JSON cannot carry is an error that names the field. All functions
// are safe for concurrent use.
package schema
