//go:build !race

// The race detector makes compiling large modules ten times slower, and there is nothing for it here.

package main

import (
	"bytes"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/bench/harness"
)

// TestExperiments runs all there is as shortly as can be, and looks for a value of each target.
func TestExperiments(t *testing.T) {
	for _, e := range experiments() {
		t.Run(e.Name, func(t *testing.T) {
			var out bytes.Buffer
			err := harness.Run(&out, []harness.Experiment{e}, harness.Options{Rounds: 1, Sample: time.Millisecond})
			require.NoError(t, err, out.String())
			if reason := regexp.MustCompile(`(?m)^skipped: .*`).FindString(out.String()); reason != "" {
				t.Skip(reason)
			}
			for _, target := range e.Targets {
				require.Regexp(t, `(?m)^target `+target.Name+` [0-9.]+ [<>]=[0-9.]+ (ok|short)$`, out.String())
			}
		})
	}
}

func TestNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range experiments() {
		names := []string{"experiment " + e.Name}
		for _, target := range e.Targets {
			names = append(names, "target "+target.Name)
		}
		for _, name := range names {
			require.False(t, seen[name], name)
			seen[name] = true
		}
	}
}
