package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"strconv"
	"time"

	"github.com/wasmtools/wasmtools/bench/harness"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// shape is a way to go on for ever: a tool of a hostile guest.
type shape struct {
	module, name string
	tool.Tool
}

// endless are the shapes that are there.
func endless() []shape {
	return []shape{
		{module: "attacks", name: "loop"},
		{module: "attacks", name: "sleep"},
		{module: "endless", name: "doubling"},
		{module: "endless", name: "tail"},
		{module: "endless", name: "mutual_tail"},
		{module: "endless", name: "fill"},
		{module: "endless", name: "copy"},
		{module: "endless", name: "table"},
		{module: "misc", name: "many_vectors"},
	}
}

const (
	deadlineCount = 200 // over all ways
	deadline      = 20 * time.Millisecond
	gcCount       = 20 // for each way
)

func deadlines() harness.Experiment {
	return harness.Experiment{
		Name:    "deadlines",
		About:   "how long after its deadline of 20 ms a call of a hostile guest returns",
		Targets: []harness.Target{harness.AtMost("deadline_overrun_ms", 5)},
		Run: func(lab *harness.Lab) error {
			return withEndless(tool.Limits{Time: deadline}, func(shapes []shape) error {
				var table spread
				for _, s := range shapes {
					var overruns harness.Samples
					for range max(1, lab.Count(deadlineCount)/len(shapes)) {
						o, err := overrun(s)
						if err != nil {
							return err
						}
						overruns = append(overruns, o.Seconds())
					}
					table.add(s.name, overruns)
				}
				lab.Report("deadline_overrun_ms", table.all.Max()*1e3)
				table.show(lab, "overrun")
				return nil
			})
		},
	}
}

// overrun calls a tool that does not end by itself and returns how much longer than its time limit the call took.
func overrun(s shape) (time.Duration, error) {
	start := time.Now()
	_, err := s.Call(context.Background(), tool.Call{})
	spent := time.Since(start)
	if !errors.Is(err, tool.LimitTime) {
		return 0, fmt.Errorf("%s ended otherwise than by its deadline: %w", s.name, err)
	}
	return spent - deadline, nil
}

func collections() harness.Experiment {
	return harness.Experiment{
		Name:    "collections",
		About:   "how long a garbage collection takes while every processor runs a hostile guest",
		Targets: []harness.Target{harness.AtMost("gc_stall_ms", 5)},
		Run: func(lab *harness.Lab) error {
			return withEndless(tool.Limits{Time: tool.Unlimited}, func(shapes []shape) error {
				count := lab.Count(gcCount)
				var quiet, table spread
				quiet.add("nothing", collect(count))
				for _, s := range shapes {
					stalls, err := collectDuring(s, count)
					if err != nil {
						return err
					}
					table.add(s.name, stalls)
				}
				lab.Report("gc_stall_ms", table.all.Max()*1e3)
				quiet.show(lab, "runtime.GC beside")
				table.show(lab, "runtime.GC beside")
				return nil
			})
		},
	}
}

// collect takes the times of garbage collections.
func collect(count int) harness.Samples {
	var times harness.Samples
	for range count {
		start := time.Now()
		goruntime.GC()
		times = append(times, time.Since(start).Seconds())
	}
	return times
}

// collectDuring does the same while as many calls as there are processors are under way.
func collectDuring(s shape, count int) (harness.Samples, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ends := make(chan error, goruntime.GOMAXPROCS(0))
	for range cap(ends) {
		go func() {
			_, err := s.Call(ctx, tool.Call{})
			ends <- err
		}()
	}
	time.Sleep(deadline) // all of them are in their guests then
	times := collect(count)
	cancel()
	for range cap(ends) {
		if err := <-ends; tool.CodeOf(err) != tool.Canceled {
			return nil, fmt.Errorf("%s ended before it was cancelled: %w", s.name, err)
		}
	}
	return times, nil
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

// spread is a table of samples that are told apart by a name.
type spread struct {
	rows [][]string
	all  harness.Samples
}

func (s *spread) add(name string, samples harness.Samples) {
	s.all = append(s.all, samples...)
	s.rows = append(s.rows, []string{name, strconv.Itoa(len(samples)), harness.Seconds(samples.Median()), harness.Seconds(samples.Max())})
}

func (s *spread) show(lab *harness.Lab, title string) {
	all := s.all
	if len(s.rows) > 1 {
		s.add("all", all)
	}
	lab.Table([]string{title, "count", "median", "worst"}, s.rows)
}
