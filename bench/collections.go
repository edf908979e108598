package main

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"time"

	"github.com/wasmtools/wasmtools/bench/harness"
	"github.com/wasmtools/wasmtools/tool"
)

// gcCount is how many garbage collections are timed beside each shape.
const gcCount = 10

func collections() harness.Experiment {
	return harness.Experiment{
		Name:    "collections",
		About:   "how long a garbage collection takes while hostile guests run",
		Targets: []harness.Target{harness.AtMost("gc_stall_ms", 5), harness.AtMost("gc_stall_all_busy_ms", 5)},
		Run: func(lab *harness.Lab) error {
			return withEndless(tool.Limits{Time: tool.Unlimited}, func(shapes []shape) error {
				processors := goruntime.GOMAXPROCS(0)
				worst, err := collectBeside(lab, "all processors but one run", max(1, processors-1), shapes)
				if err != nil {
					return err
				}
				lab.Report("gc_stall_ms", worst*1e3)
				if worst, err = collectBeside(lab, "every processor runs", processors, shapes); err != nil {
					return err
				}
				lab.Report("gc_stall_all_busy_ms", worst*1e3) // as long as beside Go code that computes: the scheduler's doing
				return nil
			})
		},
	}
}

// collectBeside prints a table of the times while so many guests of a shape run, for each shape, and returns the worst. For
// comparison it has the times while nothing runs, and while Go code computes in their place.
func collectBeside(lab *harness.Lab, title string, guests int, shapes []shape) (float64, error) {
	var all collected
	var rows [][]string
	add := func(name string, run func(ctx context.Context) error, guests int) (collected, error) {
		c, err := collectDuring(run, guests, lab.Count(gcCount))
		if err != nil {
			return c, fmt.Errorf("%s: %w", name, err)
		}
		rows = append(rows, row(name, c.took, c.paused))
		return c, nil
	}
	for _, s := range shapes {
		c, err := add(s.name, s.run, guests)
		if err != nil {
			return 0, err
		}
		all.took, all.paused = append(all.took, c.took...), append(all.paused, c.paused...)
	}
	rows = append(rows, row("all", all.took, all.paused))
	if _, err := add("Go code that computes", spin, guests); err != nil {
		return 0, err
	}
	if _, err := add("nothing", nil, 0); err != nil {
		return 0, err
	}
	lab.Table([]string{title, "count", "median", "worst", "pause", "worst"}, rows)
	return all.took.Max(), nil
}

// collected are times of garbage collections.
type collected struct {
	took   harness.Samples
	paused harness.Samples // of it, from the wish to stop all goroutines until they went on
}

// collectDuring takes times while run is under way so many times.
func collectDuring(run func(ctx context.Context) error, times, count int) (collected, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ends := make(chan error, times)
	for range times {
		go func() { ends <- run(ctx) }()
	}
	time.Sleep(20 * time.Millisecond) // all of them are in their guests then
	c := collect(count)
	cancel()
	var err error
	for range times {
		err = errors.Join(err, <-ends)
	}
	return c, err
}

func collect(count int) collected {
	var c collected
	var stats goruntime.MemStats
	for range count {
		start := time.Now()
		goruntime.GC()
		c.took = append(c.took, time.Since(start).Seconds())
		goruntime.ReadMemStats(&stats)
		c.paused = append(c.paused, float64(stats.PauseNs[(stats.NumGC+255)%256])/1e9)
	}
	return c
}

// run calls the tool until it is cancelled.
func (s shape) run(ctx context.Context) error {
	_, err := s.Call(ctx, tool.Call{})
	if tool.CodeOf(err) == tool.Canceled {
		return nil
	}
	return fmt.Errorf("ended before it was cancelled: %w", err)
}

// spin is what the Go scheduler can interrupt at any time.
func spin(ctx context.Context) error {
	for n := uint(0); n%1024 != 0 || ctx.Err() == nil; n++ {
	}
	return nil
}
