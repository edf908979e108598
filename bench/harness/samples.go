package harness

import (
	"math"
	"slices"
)

// Samples are values of one quantity. The methods want at least one.
type Samples []float64

// Median is the value in the middle.
func (s Samples) Median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Min is the lowest value.
func (s Samples) Min() float64 { return slices.Min(s) }

// Max is the highest value.
func (s Samples) Max() float64 { return slices.Max(s) }

// Ratio is how many times longer m took than base: the median of the ratios of each round, because what slows a machine down
// for a while slows down both. Both are of one comparison.
func Ratio(m, base Measurement) float64 {
	ratios := make(Samples, len(m.Time))
	for i := range ratios {
		ratios[i] = m.Time[i] / base.Time[i]
	}
	return ratios.Median()
}

// digits is how many digits behind the point show three that count.
func digits(value float64) int {
	if value == 0 {
		return 0
	}
	return max(0, 2-int(math.Floor(math.Log10(math.Abs(value)))))
}
