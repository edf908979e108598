package harness

import "fmt"

// Target is a value that is to be reached. Make one with [AtMost] or [AtLeast].
type Target struct {
	Name  string
	Limit float64
	least bool
}

// AtMost is a target for a value that is to be low.
func AtMost(name string, limit float64) Target { return Target{Name: name, Limit: limit} }

// AtLeast is a target for a value that is to be high.
func AtLeast(name string, limit float64) Target { return Target{name, limit, true} }

// Reached reports whether value is on the right side of the limit.
func (t Target) Reached(value float64) bool {
	if t.least {
		return value >= t.Limit
	}
	return value <= t.Limit
}

// String is the name and the limit.
func (t Target) String() string { return fmt.Sprintf("%s %s", t.Name, t.limit()) }

func (t Target) limit() string {
	if t.least {
		return fmt.Sprintf(">=%g", t.Limit)
	}
	return fmt.Sprintf("<=%g", t.Limit)
}

// line is what is said of the target at the end.
func (t Target) line(values map[string]float64, skipped bool) string {
	text, verdict := "-", "broken"
	if value, ok := values[t.Name]; ok {
		text, verdict = significant(value), "short"
		if t.Reached(value) {
			verdict = "ok"
		}
	} else if skipped {
		verdict = "skipped"
	}
	return fmt.Sprintf("target %s %s %s %s", t.Name, text, t.limit(), verdict)
}
