package main

import (
	"context"

	"github.com/tetratelabs/wazero"

	"github.com/wasmtools/wasmtools/bench/harness"
	"github.com/wasmtools/wasmtools/internal/rewrite"
)

func rewriting() harness.Experiment {
	return harness.Experiment{
		Name:    "rewriting",
		About:   "what rewriting adds to the time that a module takes to load",
		Targets: []harness.Target{harness.AtMost("rewrite_vs_compile", 0.05)},
		Run: func(lab *harness.Lab) error {
			bin, err := goGuest()
			if err != nil {
				return err
			}
			rewritten, _, err := rewrite.Rewrite(bin, nil)
			if err != nil {
				return err
			}
			m, err := lab.Compare(harness.Comparison{Title: "3.5 MB of standard Go", Allocs: true, Cases: []harness.Case{
				{Name: "compile, one worker", Run: compiling(bin)},
				{Name: "compile, rewritten", Run: compiling(rewritten)},
				{Name: "rewrite", Run: func(n int) error {
					for range n {
						if _, _, err := rewrite.Rewrite(bin, nil); err != nil {
							return err
						}
					}
					return nil
				}},
			}})
			if err != nil {
				return err
			}
			lab.Report("rewrite_vs_compile", harness.Ratio(m[2], m[0]))
			return nil
		},
	}
}

// compiling compiles a module in engines that do not know it yet.
func compiling(bin []byte) func(n int) error {
	return func(n int) error {
		ctx := context.Background()
		for range n {
			engine := wazero.NewRuntime(ctx)
			if _, err := engine.CompileModule(ctx, bin); err != nil {
				return err
			}
			if err := engine.Close(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}
