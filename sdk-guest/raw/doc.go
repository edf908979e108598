// Package raw is the smallest way to write a tool in Go: the author writes the spec by hand and gets the arguments as bytes.
//
// It is for tools that must be tiny. Such a guest is some 20 KB with TinyGo, because nothing here needs reflect,
// fmt or encoding/json. Everybody else is better served by package guest (in the folder above), where the spec
// comes from Go types. A module may use both.
//
//	package main
//
//	import (
//		"bytes"
//
//		"github.com/wasmtools/wasmtools/sdk-guest/raw"
//	)
//
//	func init() {
//		raw.Register(`{"name": "shout", "description": "Returns the text in capitals.", "input": "text"}`, shout)
//	}
//
//	func shout(_ raw.Context, input []byte) raw.Result {
//		return raw.Text(string(bytes.ToUpper(input)))
//	}
//
//	func main() {}
//
// A spec that lists something under "inject" has to belong to a module that calls [Context.JSON].
package raw
