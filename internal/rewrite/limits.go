package rewrite

import "fmt"

// Unlimited is a limit that is none.
const Unlimited = -1

// Limits are ceilings on what a module is like: what a compiler takes more than its fair time or memory for. Zero means the
// default that the field names, Unlimited none.
type Limits struct {
	Module    int // bytes of the module: 64 MiB
	Functions int // functions, imported ones included: 100,000
	Code      int // bytes of the code section, also when it is rewritten: 32 MiB
	Body      int // bytes of one function: 8 MiB
	Locals    int // locals of one function, its parameters included: 50,000
	Targets   int // labels of one br_table, and catch clauses of one try_table: 65,536
	Depth     int // blocks that are open at once: 65,536
	Name      int // bytes of the name of an import, export or custom section: 100,000
}

func (l *Limits) withDefaults() Limits {
	d := Limits{64 << 20, 100_000, 32 << 20, 8 << 20, 50_000, 1 << 16, 1 << 16, 100_000}
	if l == nil {
		return d
	}
	return Limits{
		or(l.Module, d.Module), or(l.Functions, d.Functions), or(l.Code, d.Code), or(l.Body, d.Body),
		or(l.Locals, d.Locals), or(l.Targets, d.Targets), or(l.Depth, d.Depth), or(l.Name, d.Name),
	}
}

func or(limit, value int) int {
	if limit == 0 {
		return value
	}
	return limit
}

// LimitError tells which limit a module is over.
type LimitError struct {
	What   string // as in "br_table targets"
	Limit  int
	Actual int
}

// Error says what is too large, with the limit and what it is.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: %d is over the limit of %d", e.What, e.Actual, e.Limit)
}

// exceeded returns an error if the actual value is over the limit.
func exceeded(what string, limit, actual int) error {
	if limit < 0 || actual <= limit {
		return nil
	}
	return &LimitError{what, limit, actual}
}
