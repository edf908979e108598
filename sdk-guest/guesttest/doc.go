// Package guesttest runs the tools of a guest in plain Go, so that they can be tested with go test, a debugger and the race
// detector, without a Wasm runtime.
//
// A test in the author's package finds the tools registered, since init has run:
//
//	func TestGreet(t *testing.T) {
//		res, err := guesttest.Call("greet", `{"name":"Ann"}`, nil)
//		if err != nil || res.Text != "Hello, Ann!" {
//			t.Fatal(res, err)
//		}
//	}
//
// [Call] does what a host does around a call: it compares the arguments with the tool's schema, answers the tool's
// questions and takes its result apart. It does not do what only a host can: the schema check knows the keywords that the
// SDK makes and corrects nothing, approval that a tool requires before it runs is taken as given, and there are no
// limits and no fresh state for every call.
package guesttest
