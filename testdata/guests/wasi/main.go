// Wasi is a guest that asks for everything that WASI has, and says what it got.
package main

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"github.com/wasmtools/wasmtools/sdk-guest/raw"
)

func init() {
	raw.Register(`{"name": "world", "description": "Describes the world as a guest finds it.", "input": "text"}`, world)
	raw.Register(`{"name": "random", "description": "Returns random numbers.", "input": "text"}`, random)
	raw.Register(`{"name": "clock", "description": "Returns what time it is.", "input": "text"}`, clock)
	raw.Register(`{"name": "exit", "description": "Exits.", "input": "text"}`, exit)
}

func world(raw.Context, []byte) raw.Result {
	var out bytes.Buffer
	fmt.Fprintf(&out, "arguments: %d, environment: %d\n", len(os.Args), len(os.Environ()))

	start := time.Now()
	time.Sleep(3 * time.Millisecond)
	passed := time.Since(start)
	fmt.Fprintf(&out, "slept: %v, year: %v\n", passed >= 3*time.Millisecond && passed < time.Minute, start.Year() > 2020)

	_, err := os.ReadFile("/etc/passwd")
	fmt.Fprintf(&out, "file: %v, ", err == nil)
	err = os.WriteFile("here.txt", []byte("text"), 0o600)
	fmt.Fprintf(&out, "new file: %v, ", err == nil)
	_, err = os.ReadDir(".")
	fmt.Fprintf(&out, "folder: %v\n", err == nil)

	var b [10]byte
	n, err := os.Stdin.Read(b[:])
	fmt.Fprintf(&out, "read: %d, end: %v\n", n, err != nil)
	n, err = os.Stdout.WriteString("to standard output\nand on\n")
	fmt.Fprintf(&out, "written: %d, %v\n", n, err)
	fmt.Fprint(os.Stderr, "to standard error")
	return raw.Text(out.String())
}

func exit(raw.Context, []byte) raw.Result {
	os.Exit(7)
	return raw.Text("still there")
}

func main() {}
