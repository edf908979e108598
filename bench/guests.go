package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/wasmtools/wasmtools/bench/harness"
)

//go:embed guests/json.wasm
var cGuest []byte

//go:embed guests/gojson/gojson.wasm
var tinyGoGuest []byte

// goGuest builds guests/gojson with standard Go. It takes megabytes and is therefore not committed; but for the first time it
// takes less than a second.
func goGuest() ([]byte, error) {
	dir, err := os.MkdirTemp("", "wasmtools-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "gojson.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", out, "github.com/wasmtools/wasmtools/bench/guests/gojson")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if _, err := exec.LookPath("go"); err != nil {
		return nil, harness.Skip("go is not on PATH, and builds the guest")
	}
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w: %s", err, text)
	}
	return os.ReadFile(out)
}

// document is a JSON object of about a size, without spaces.
func document(size int) []byte {
	var b strings.Builder
	b.WriteString(`{"query":"the quick brown fox jumps over the lazy dog","limit":10,"opts":{"deep":true,"depth":3,"lang":"en"},"items":[`)
	for i := 0; b.Len() < size-80; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"item number %d","score":%d.25,"tags":["a%d","b","c"]}`, i, i, i*7919%1000, i%17)
	}
	b.WriteString(`]}`)
	return []byte(b.String())
}

// moduleRoot is the folder of the module's go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("run this from within the module: its guests are needed")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}
