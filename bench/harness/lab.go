package harness

import (
	"fmt"
	"io"
	"runtime"
	"time"
)

// Lab is what an experiment measures with. It is used by one goroutine.
type Lab struct {
	w      io.Writer
	rounds int
	sample time.Duration
	values map[string]float64
}

// Case is one way to do what is compared.
type Case struct {
	Name   string
	Before func() error      // is called before each sample, and its time is not taken; nil is nothing
	Run    func(n int) error // does it n times
}

// Comparison is a set of cases. The others are set in relation to the first.
type Comparison struct {
	Title  string
	Cases  []Case
	Allocs bool // show allocations
}

// Measurement is what a case took, by round.
type Measurement struct {
	Name   string
	Time   Samples // seconds for each operation
	Allocs Samples // allocations of the host for each operation
}

// Compare measures the cases and prints a table. It finds out how often to do each to fill the time of a sample, and then takes
// a sample of each in every round, after a garbage collection.
func (l *Lab) Compare(c Comparison) ([]Measurement, error) {
	counts, results := make([]int, len(c.Cases)), make([]Measurement, len(c.Cases))
	for i, x := range c.Cases {
		results[i].Name = x.Name
		var err error
		if counts[i], err = l.calibrate(x); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", c.Title, x.Name, err)
		}
	}
	for range l.rounds {
		for i, x := range c.Cases {
			if err := results[i].take(x, counts[i]); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", c.Title, x.Name, err)
			}
		}
	}
	l.show(c, results)
	return results, nil
}

// calibrate returns how often a case fits into a sample.
func (l *Lab) calibrate(c Case) (int, error) {
	for n := 1; n < 1<<30; n *= 4 {
		var m Measurement
		if err := m.take(c, n); err != nil {
			return 0, err
		}
		spent, sample := m.Time[0]*float64(n), l.sample.Seconds()
		// The first time tells nothing but that it takes very long.
		if n > 1 && spent >= sample/4 || spent > 4*sample {
			return max(1, int(sample/m.Time[0])), nil
		}
	}
	return 0, fmt.Errorf("does not take longer when it is done more often")
}

// take adds a sample of n operations.
func (m *Measurement) take(c Case, n int) error {
	if c.Before != nil {
		if err := c.Before(); err != nil {
			return err
		}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	err := c.Run(n)
	spent := time.Since(start)
	runtime.ReadMemStats(&after)
	m.Time = append(m.Time, spent.Seconds()/float64(n))
	m.Allocs = append(m.Allocs, float64(after.Mallocs-before.Mallocs)/float64(n))
	return err
}

func (l *Lab) show(c Comparison, results []Measurement) {
	header := []string{c.Title, "median", "min", "max", "ratio"}
	if c.Allocs {
		header = append(header, "allocs")
	}
	var rows [][]string
	for _, m := range results {
		row := []string{m.Name, Seconds(m.Time.Median()), Seconds(m.Time.Min()), Seconds(m.Time.Max()), significant(Ratio(m, results[0]))}
		if c.Allocs {
			row = append(row, significant(m.Allocs.Median()))
		}
		rows = append(rows, row)
	}
	l.Table(header, rows)
}

// Count is how often to do what is no comparison: full times with the default number of rounds, at least once, and more or
// less often with more or fewer rounds.
func (l *Lab) Count(full int) int { return max(1, full*l.rounds/DefaultRounds) }

// Report gives a target of the experiment its value.
func (l *Lab) Report(target string, value float64) { l.values[target] = value }
