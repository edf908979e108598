package main

import (
	"context"
	"fmt"
	"time"

	"github.com/wasmtools/wasmtools/internal/hostile"
)

// engine is a contender.
type engine struct {
	name  string
	title string
	own   bool // it has descriptions, results and approvals, and meets all attacks in one process

	// start makes what attacks are made on.
	start func(ctx context.Context, testdata string) (attacked, error)
}

// attacked meets attacks, one after the other.
type attacked interface {
	meet(ctx context.Context, a hostile.Attack, bin []byte) answer
}

func engines() []engine {
	return []engine{
		{"wasmtools", "wasmtools", true, startOurs},
		{"extism", "Extism", false, startExtism},
		{"wazero", "wazero", false, startWazero},
	}
}

// answer is what a process says of an attack that it has met.
type answer struct {
	Attack string
	Load   time.Duration // how long it took to compile and initialise the module
	Call   time.Duration // how long the longest call took; 0 if there was none
	Failed bool          // the module was not loaded
	Error  string        // how it ended, cut
	Peak   int64         // bytes of memory that the process has had at most

	// Of this runtime only:
	Code, Limit string
	Wrong       string        // how it should have ended, if it did not
	Neighbour   time.Duration // the longest call of the neighbour
	Harm        string        // what went wrong with the neighbour
	Left        string        // what is not as it was before
}

// late tells whether the answer came later than it should.
func (a answer) late() bool { return a.Load > loadBudget || a.Call > timeLimit+grace }

func (a answer) good() bool { return !a.late() && a.Harm == "" }

// timed returns how long f takes.
func timed(f func() error) (time.Duration, error) {
	began := time.Now()
	err := f()
	return time.Since(began), err
}

// finish notes an error, cut to what fits a line.
func (a *answer) finish(err error) {
	if err != nil {
		a.Error = fmt.Sprintf("%.200q", err)
	}
}
