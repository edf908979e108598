package main

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/wasmtools/wasmtools/bench/harness"
	"github.com/wasmtools/wasmtools/internal/hostile"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// shape is a way to go on for ever: the tool of a hostile guest.
type shape struct {
	name string
	tool.Tool
}

// withEndless loads all guests that would never end and gives their tools to use.
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
	var shapes []shape
	for _, attack := range hostile.Attacks() {
		if !attack.Endless() {
			continue
		}
		bin, err := attack.Module(filepath.Join(root, "testdata"))
		if err != nil {
			return err
		}
		m, err := rt.Load(ctx, attack.Name, bin)
		if err != nil {
			return err
		}
		shapes = append(shapes, shape{attack.Name, m.Tools()[0]})
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
