// Package hostile lists attacks on a runtime of tools: what each does, and how it has to end. Most are guests written by hand
// in testdata/hostile, one attack each; what no text can hold, such as a name of a megabyte, is made here byte by byte.
//
// Start with [Attacks]. The package knows modules and the errors' names and no runtime, so that tests, measurements and other
// engines use the same list.
//
// Every guest of a valid type has one or more tools, which are variants of the attack with the same end, and exports a function
// run, () -> (), that attacks without the ABI: the first variant, where there are several.
package hostile
