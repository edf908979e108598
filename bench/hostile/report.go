package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/wasmtools/wasmtools/internal/hostile"
	"github.com/wasmtools/wasmtools/tool"
)

// intro is what stands before the tables.
//
//go:embed intro.md
var intro string

// report is everything that was found.
type report struct {
	attacks []hostile.Attack
	load    float64                      // of the machine, at the start
	results map[string]map[string]result // by engine and attack
}

func (r *report) write(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, intro)
	r.machine(b)
	r.summary(b)
	r.contest(b)
	r.detail(b)
	return b.Flush()
}

func (r *report) machine(w io.Writer) {
	fmt.Fprintf(w, "This run: %s/%s with %d processors, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "github.com/tetratelabs/wazero" || dep.Path == "github.com/extism/go-sdk" {
				fmt.Fprintf(w, ", %s %s", dep.Path, dep.Version)
			}
		}
	}
	fmt.Fprintf(w, ". All three run on the same wazero. At the start, the load average of the machine was %.1f.\n\n", r.load)
	if r.load > float64(runtime.NumCPU())/2 {
		fmt.Fprint(w, "**The machine was busy with other things:** in this run times, and what is late by them, mean little.\n\n")
	}
}

// verdict is the kind of a result.
type verdict int

const (
	inTime verdict = iota
	late
	hung
	died
)

func (r result) verdict() verdict {
	switch {
	case r.Hung:
		return hung
	case r.Died != "":
		return died
	case r.late():
		return late
	}
	return inTime
}

func (r *report) summary(w io.Writer) {
	fmt.Fprint(w, "## Summary\n\n| | attacks | answered in time | late | hung | died | took more than 512 MB |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, e := range engines() {
		count, much := map[verdict]int{}, 0
		for _, res := range r.results[e.name] {
			count[res.verdict()]++
			if res.Peak > muchMemory {
				much++
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d |\n", e.title, len(r.results[e.name]),
			count[inTime], count[late], count[hung], count[died], much)
	}
	fmt.Fprintf(w, "\nOf the attacks on wasmtools %d of %d ended as they must.\n\n", r.asTheyMust(), len(r.results["wasmtools"]))
}

// asTheyMust counts the attacks that this runtime ended in time, with the right error, without harm, and with nothing left.
func (r *report) asTheyMust() (n int) {
	for _, res := range r.results["wasmtools"] {
		if res.verdict() == inTime && res.good() && res.Wrong == "" && res.Left == "" {
			n++
		}
	}
	return n
}

func (r *report) contest(w io.Writer) {
	fmt.Fprint(w, "## The contest\n\n| attack | what it does |")
	for _, e := range engines() {
		fmt.Fprintf(w, " %s |", e.title)
	}
	fmt.Fprint(w, "\n|---|---|---|---|---|\n")
	for _, a := range r.attacks {
		fmt.Fprintf(w, "| %s | %s |", a.Name, a.What)
		for _, e := range engines() {
			fmt.Fprintf(w, " %s |", r.cell(e, a))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
}

func (r *report) cell(e engine, a hostile.Attack) string {
	res, ok := r.results[e.name][a.Name]
	if !ok {
		return "-"
	}
	text := res.String()
	if !e.own && res.Peak > muchMemory {
		text += ", " + megabytes(res.Peak)
	}
	return text
}

// String describes the result in a few words.
func (r result) String() string {
	switch r.verdict() {
	case hung:
		return "**hangs**"
	case died:
		return "**dies**: " + r.Died
	}
	text := "answers in " + short(r.Call)
	if r.Failed {
		text = "refuses in " + short(r.Load)
	}
	switch {
	case r.verdict() == inTime:
		return text
	case r.Load > loadBudget && !r.Failed:
		return "**late**: loads in " + short(r.Load)
	}
	return "**late**: " + text
}

// detail is what only this runtime can be asked.
func (r *report) detail(w io.Writer) {
	fmt.Fprint(w, "## wasmtools in detail\n\n"+
		"| attack | ends in | time | behind the deadline | neighbour's slowest call | left behind |\n|---|---|---:|---:|---:|---|\n")
	for _, a := range r.attacks {
		res := r.results["wasmtools"][a.Name]
		if res.Hung || res.Died != "" {
			fmt.Fprintf(w, "| %s | %s | | | | |\n", a.Name, res)
			continue
		}
		took := res.Call
		if res.Failed {
			took = res.Load
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n", a.Name, res.ending(), short(took), overrun(res, took), res.neighbour(), or(res.Left, "nothing"))
	}
}

func (r result) ending() string {
	text := ending(r.Code, r.Limit)
	if r.Wrong != "" {
		return "**" + text + "** instead of " + r.Wrong
	}
	return text
}

func (r result) neighbour() string {
	if r.Harm != "" {
		return "**harmed**: " + r.Harm
	}
	return short(r.Neighbour)
}

// overrun is how long after its deadline an attack ended, if that is what ended it.
func overrun(r result, took time.Duration) string {
	if r.Limit != string(tool.LimitTime) {
		return ""
	}
	return short(max(0, took-timeLimit))
}

// short is a time in milliseconds, to three digits.
func short(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms < 10:
		return fmt.Sprintf("%.2f ms", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

func megabytes(n int64) string { return fmt.Sprintf("%d MB", n>>20) }

func or(text, otherwise string) string {
	if strings.TrimSpace(text) == "" {
		return otherwise
	}
	return text
}
