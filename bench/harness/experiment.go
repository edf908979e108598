package harness

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"time"
)

// Experiment is a set of measurements that belong together.
type Experiment struct {
	Name    string   // what it is selected by
	About   string   // what it measures, in a line
	Targets []Target // what Run reports, all of them
	Run     func(lab *Lab) error
}

// Skip is the error of an experiment that cannot be done here, and says why. It breaks nothing.
type Skip string

func (s Skip) Error() string { return string(s) }

// Options say how to measure. Zero fields have the defaults.
type Options struct {
	Only   *regexp.Regexp // the experiments to run, by name; nil is all
	Rounds int            // DefaultRounds
	Sample time.Duration  // how long each case runs in each round; DefaultSample
}

const (
	DefaultRounds = 9
	DefaultSample = 50 * time.Millisecond
)

// Run runs experiments and prints what comes out to w. A target that is missed is printed as short and is no error; an
// experiment that fails is one, and the others are run all the same.
func Run(w io.Writer, experiments []Experiment, o Options) error {
	selected := Select(experiments, o.Only)
	if len(selected) == 0 {
		return fmt.Errorf("no experiment matches %q", o.Only)
	}
	var lines []string
	var failures []error
	for _, e := range selected {
		fmt.Fprintf(w, "\n## %s: %s\n", e.Name, e.About)
		lab := &Lab{
			w:      w,
			rounds: cmp.Or(o.Rounds, DefaultRounds),
			sample: cmp.Or(o.Sample, DefaultSample),
			values: map[string]float64{},
		}
		err := e.run(lab)
		skipped := errors.As(err, new(Skip))
		switch {
		case skipped:
			fmt.Fprintf(w, "\nskipped: %v\n", err)
		case err != nil:
			err = fmt.Errorf("%s: %w", e.Name, err)
			fmt.Fprintf(w, "\nbroken: %v\n", err)
			failures = append(failures, err)
		}
		for _, t := range e.Targets {
			lines = append(lines, t.line(lab.values, skipped))
		}
	}
	fmt.Fprintln(w)
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
	return errors.Join(failures...)
}

// Select returns the experiments whose names match. A nil pattern matches all.
func Select(experiments []Experiment, only *regexp.Regexp) []Experiment {
	var selected []Experiment
	for _, e := range experiments {
		if only == nil || only.MatchString(e.Name) {
			selected = append(selected, e)
		}
	}
	return selected
}

// run makes sure that what is reported is what was declared.
func (e Experiment) run(lab *Lab) error {
	if err := e.Run(lab); err != nil {
		return err
	}
	var declared []string
	for _, t := range e.Targets {
		declared = append(declared, t.Name)
	}
	slices.Sort(declared)
	if reported := slices.Sorted(maps.Keys(lab.values)); !slices.Equal(declared, reported) {
		return fmt.Errorf("declares the targets %q and reports %q", declared, reported)
	}
	return nil
}
