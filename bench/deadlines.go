package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wasmtools/wasmtools/bench/harness"
	"github.com/wasmtools/wasmtools/tool"
)

const (
	deadline      = 20 * time.Millisecond
	deadlineCount = 200 // over all shapes
)

func deadlines() harness.Experiment {
	return harness.Experiment{
		Name:    "deadlines",
		About:   "how long after its deadline of 20 ms a call of a hostile guest returns",
		Targets: []harness.Target{harness.AtMost("deadline_overrun_ms", 5)},
		Run: func(lab *harness.Lab) error {
			return withEndless(tool.Limits{Time: deadline}, func(shapes []shape) error { return measureOverruns(lab, shapes) })
		},
	}
}

func measureOverruns(lab *harness.Lab, shapes []shape) error {
	count := 1 + lab.Count(deadlineCount)/len(shapes)
	var all harness.Samples
	var rows [][]string
	for _, s := range shapes {
		overruns, err := times(count, s.overrun)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		all = append(all, overruns...)
		rows = append(rows, row(s.name, overruns))
	}
	looks, err := times(count, look)
	if err != nil {
		return err
	}
	rows = append(rows, row("all", all), row("a look at the clock in Go", looks))
	lab.Table([]string{"overrun of", "count", "median", "worst"}, rows)
	lab.Report("deadline_overrun_ms", all.Max()*1e3)
	return nil
}

// times collects what f measures.
func times(count int, f func() (time.Duration, error)) (harness.Samples, error) {
	var samples harness.Samples
	for range count {
		d, err := f()
		if err != nil {
			return nil, err
		}
		samples = append(samples, d.Seconds())
	}
	return samples, nil
}

// overrun calls the tool and returns how much longer than its time limit the call took.
func (s shape) overrun() (time.Duration, error) {
	start := time.Now()
	_, err := s.Call(context.Background(), tool.Call{})
	spent := time.Since(start)
	if !errors.Is(err, tool.LimitTime) {
		return 0, fmt.Errorf("ended otherwise than by its deadline: %w", err)
	}
	return spent - deadline, nil
}

// look waits for the same deadline by looking at the clock. What it is late by is not a guest's doing but the machine's.
func look() (time.Duration, error) {
	for start := time.Now(); ; {
		if spent := time.Since(start); spent >= deadline {
			return spent - deadline, nil
		}
	}
}
