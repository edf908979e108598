// Package schema holds values to JSON Schemas that nobody has to trust: a call's arguments to the schema that a tool
// gives of itself, and a tool's structured result to its output schema. It is the host's check, made before a guest runs.
//
//   - [CompileInput] and [Compile] take a schema's text and refuse, each with a [Refusal] of its own, those that would
//     cost too much, reach outside, or mean nothing.
//   - [Schema.Arguments] checks a call's arguments and gives their canonical form: what is shown, approved and executed.
//   - [Schema.Validate] checks any JSON text.
//   - [TextInput] is for the tools that take text instead.
//
// # What is taken as it was meant
//
// Arguments are checked strictly: no string becomes a number and no value a list. Five things are read in the sense that
// has no other reading. A number that is written with a fraction or an exponent and is whole becomes a plain integer,
// 1e3 as 1000. A string that differs from exactly one value of an enum by case only becomes that value. Repeated items
// are dropped where the schema asks for unique ones. An explicit null for a declared parameter that is not required is as
// good as none, and stays in the canonical form. No text at all, or null, means no arguments.
//
// # Dialects
//
// Drafts 4 to 2020-12 are known; a schema that names none is of 2020-12. Contents are not asserted, and formats are but
// for "regex": whether RE2 knows a pattern says little of the tool's dialect, and finding out can take seconds. The
// patterns of the schema are RE2, so that they match in linear time. $dynamicRef and $recursiveRef are refused: what they
// lead to shows only at run time, so that their cost cannot be told in advance.
//
// # Cost
//
// The time that validation takes can grow exponentially with the size of a schema, and with the depth of a value if
// the schema is recursive. Compile refuses the first; the second depends on the value, so that every check of a
// value is preceded by an estimate, which for small values is one multiplication. It includes the errors: a small value
// can break very many constraints, and the library builds all errors before anyone sees the first.
//
// A [Schema] is immutable and safe for concurrent use.
package schema
