package main

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/wasmtools/wasmtools/bench/harness"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// shape is a way to go on for ever: a tool of a hostile guest.
type shape struct {
	module, name string
	tool.Tool
}

// endless are the shapes that there are. Most compute; the last two wait, in one way or the other, in the host.
func endless() []shape {
	return []shape{
		{module: "attacks", name: "loop"},
		{module: "endless", name: "doubling"},
		{module: "endless", name: "tail"},
		{module: "endless", name: "mutual_tail"},
		{module: "endless", name: "fill"},
		{module: "endless", name: "copy"},
		{module: "endless", name: "table"},
		{module: "attacks", name: "sleep"},
		{module: "misc", name: "many_vectors"},
	}
}

// withEndless loads the guests and gives their tools to use.
func withEndless(limits tool.Limits, use func(shapes []shape) error) error {
	ctx := context.Background()
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	rt, err := runtime.New(ctx, &runtime.Options{Limits: limits})
	if err != nil {
		return err
	}
	defer rt.Close(ctx)
	shapes := endless()
	for i, s := range shapes {
		m, err := rt.LoadFile(ctx, filepath.Join(root, "testdata", "hostile", s.module+".wasm"))
		if err != nil {
			return err
		}
		if shapes[i].Tool, err = m.Tool(s.name); err != nil {
			return err
		}
	}
	return use(shapes)
}

// row is a line of a table: how many samples there are, and of each set the median and the worst.
func row(name string, sets ...harness.Samples) []string {
	cells := []string{name, strconv.Itoa(len(sets[0]))}
	for _, s := range sets {
		cells = append(cells, harness.Seconds(s.Median()), harness.Seconds(s.Max()))
	}
	return cells
}
