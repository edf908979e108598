package harness_test

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/bench/harness"
)

// reporting is an experiment that reports values for its targets.
func reporting(name string, values map[string]float64, err error, targets ...harness.Target) harness.Experiment {
	return harness.Experiment{Name: name, About: "a test", Targets: targets, Run: func(lab *harness.Lab) error {
		for target, value := range values {
			lab.Report(target, value)
		}
		return err
	}}
}

func TestTargets(t *testing.T) {
	low, high := harness.AtMost("low", 1.15), harness.AtLeast("high", 3)
	type values = map[string]float64
	for name, tt := range map[string]struct {
		values values
		err    error
		broken string
		want   []string
	}{
		"reached":     {values{"low": 1.15, "high": 3}, nil, "", []string{"target low 1.15 <=1.15 ok", "target high 3.00 >=3 ok"}},
		"short":       {values{"low": 1.1501, "high": 2.999}, nil, "", []string{"target low 1.15 <=1.15 short", "target high 3.00 >=3 short"}},
		"other sizes": {values{"low": 0.012345, "high": 12345.6}, nil, "", []string{"target low 0.0123 <=1.15 ok", "target high 12346 >=3 ok"}},
		"skipped":     {nil, harness.Skip("no clang"), "", []string{"target low - <=1.15 skipped", "target high - >=3 skipped"}},
		"broken":      {values{"low": 1}, errors.New("no"), "x: no", []string{"target low 1.00 <=1.15 ok", "target high - >=3 broken"}},
		"forgotten":   {values{"low": 1}, nil, `reports ["low"]`, []string{"target low 1.00 <=1.15 ok", "target high - >=3 broken"}},
		"not declared": {
			values{"low": 1, "high": 4, "other": 1}, nil, `"other"`,
			[]string{"target low 1.00 <=1.15 ok", "target high 4.00 >=3 ok"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			err := harness.Run(&out, []harness.Experiment{reporting("x", tt.values, tt.err, low, high)}, harness.Options{})
			if tt.broken == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tt.broken)
			}
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			require.Equal(t, tt.want, lines[len(lines)-2:])
		})
	}
}

func TestOneBrokenExperimentDoesNotEndTheOthers(t *testing.T) {
	var out bytes.Buffer
	err := harness.Run(&out, []harness.Experiment{
		reporting("a", nil, errors.New("no")),
		reporting("b", map[string]float64{"b": 1}, nil, harness.AtMost("b", 2)),
	}, harness.Options{})
	require.EqualError(t, err, "a: no")
	require.Contains(t, out.String(), "target b 1.00 <=2 ok\n")
}

func TestSelect(t *testing.T) {
	all := []harness.Experiment{reporting("fuel_go", nil, nil), reporting("fuel_c", nil, nil), reporting("gc", nil, nil)}
	require.Len(t, harness.Select(all, nil), 3)
	require.Len(t, harness.Select(all, regexp.MustCompile("^fuel")), 2)
	require.ErrorContains(t, harness.Run(&bytes.Buffer{}, all, harness.Options{Only: regexp.MustCompile("x")}), `"x"`)
}

func TestCompare(t *testing.T) { synctest.Test(t, compare) }

func compare(t *testing.T) {
	var turns []string
	sleeping := func(name string, cost time.Duration) harness.Case {
		return harness.Case{
			Name:   name,
			Before: func() error { time.Sleep(time.Hour); turns = append(turns, name); return nil },
			Run:    func(n int) error { time.Sleep(time.Duration(n) * cost); return nil },
		}
	}
	var out bytes.Buffer
	start := time.Now()
	err := harness.Run(&out, []harness.Experiment{{Name: "x", Run: func(lab *harness.Lab) error {
		m, err := lab.Compare(harness.Comparison{Title: "turning", Allocs: true, Cases: []harness.Case{
			sleeping("fast", time.Microsecond), sleeping("slow", 40*time.Microsecond), sleeping("slower", time.Second),
		}})
		require.NoError(t, err)
		require.Len(t, m, 3)
		require.Equal(t, "slow", m[1].Name)
		require.InDeltaSlice(t, []float64{40e-6, 40e-6, 40e-6}, m[1].Time, 1e-9)
		require.Len(t, m[1].Allocs, 3)
		require.InDelta(t, 40, harness.Ratio(m[1], m[0]), 1e-6)
		require.Equal(t, 20*3/harness.DefaultRounds, lab.Count(20))
		require.Equal(t, 1, lab.Count(1))
		return nil
	}}}, harness.Options{Rounds: 3, Sample: time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, []string{"fast", "slow", "slower", "fast", "slow", "slower"}, turns[len(turns)-6:], "in turns")
	require.Regexp(t, `\| slow +\| +40\.0 µs \| +40\.0 µs \| +40\.0 µs \| +40\.0 \| `, out.String())
	spent := time.Since(start) % time.Hour
	require.InDelta(t, 4+2*3e-3, spent.Seconds(), 10e-3, "what is slow is done once in a round, and once to know it")
}

func TestCompareStopsAtAnError(t *testing.T) {
	for name, c := range map[string]harness.Case{
		"before": {Name: "bad", Before: func() error { return errors.New("no") }},
		"run":    {Name: "bad", Run: func(int) error { return errors.New("no") }},
	} {
		e := harness.Experiment{Name: "x", Run: func(lab *harness.Lab) error {
			_, err := lab.Compare(harness.Comparison{Title: "t", Cases: []harness.Case{c}})
			return err
		}}
		require.EqualError(t, harness.Run(&bytes.Buffer{}, []harness.Experiment{e}, harness.Options{}), "x: t: bad: no", name)
	}
}

func TestSamples(t *testing.T) {
	require.Equal(t, 2.0, harness.Samples{3, 1, 2}.Median())
	require.Equal(t, 2.5, harness.Samples{4, 3, 1, 2}.Median())
	a, b := harness.Measurement{Time: harness.Samples{2, 20, 300}}, harness.Measurement{Time: harness.Samples{1, 10, 10}}
	require.Equal(t, 2.0, harness.Ratio(a, b), "round by round")
	for s, want := range map[float64]string{0: "0 ns", 23.14e-9: "23.1 ns", 4.5e-6: "4.50 µs", 0.1: "100 ms", 12: "12.0 s"} {
		require.Equal(t, want, harness.Seconds(s))
	}
}
