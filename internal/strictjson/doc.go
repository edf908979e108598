// Package strictjson reads JSON that nobody has to trust: a model's arguments, a guest's description of itself, a guest's
// results. It accepts what RFC 8259 allows and refuses what two readers could understand differently: members of the same
// name, text that is not UTF-8, half of a surrogate pair, and text behind the value. Depth, size and the number of
// values are limited: a value of two bytes takes a hundred in memory.
//
//   - [Parse] gives a [Value], which keeps the order of members and the digits of numbers, can be changed in place and
//     written again.
//   - [Check] only says whether the text is good, for text that is passed on as it is. It builds nothing.
//   - [Decode] fills a Go value, as encoding/json does, but takes no member that the Go type does not name exactly.
//
// What is wrong with the text itself is an [*Error]. Members that do not fit the Go value have errors of other types.
package strictjson
