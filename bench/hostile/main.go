// Hostile runs the list of attacks of internal/hostile against this runtime, against the Extism SDK and against the engine
// alone, and writes what came of it as docs/hostile.md:
//
//	go run ./bench/hostile -out docs/hostile.md
//
// This runtime meets all attacks in one process that goes on living. The others meet each in a process of their own, because
// some do not survive it. A process that says nothing for 15 seconds is killed.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/wasmtools/wasmtools/internal/hostile"
)

// What every engine gets.
const (
	timeLimit   = 200 * time.Millisecond
	memoryPages = 2048             // of 64 KiB: 128 MiB
	watchdog    = 15 * time.Second // what a process may be silent for
	address     = 4 << 20          // KiB of addresses that a process may have, so that none takes the machine down
)

// What counts as in time.
const (
	grace      = 10 * time.Millisecond // behind the time limit, for a call
	loadBudget = time.Second           // for reading, compiling and initialising a module
	muchMemory = 512 << 20             // bytes; what a process takes beyond that is told
)

func main() {
	testdata := flag.String("testdata", "testdata", "the repository's folder of guests")
	only := flag.String("only", "", "run the attacks whose names match the `regexp`")
	out := flag.String("out", "", "write the report to `file` instead of the standard output")
	flag.Parse()
	var err error
	if flag.Arg(0) == "child" && flag.NArg() > 1 {
		err = child(os.Stdout, *testdata, flag.Arg(1), flag.Args()[2:])
	} else {
		err = contest(*testdata, *only, *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

// contest runs everything and writes the report.
func contest(testdata, only, out string) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	var attacks []hostile.Attack
	for _, a := range hostile.Attacks() {
		if pattern.MatchString(a.Name) {
			attacks = append(attacks, a)
		}
	}
	r := report{attacks: attacks, load: loadAverage(), results: map[string]map[string]result{}}
	for _, e := range engines() {
		if r.results[e.name], err = run(e, attacks, testdata); err != nil {
			return err
		}
	}
	if out == "" {
		return r.write(os.Stdout)
	}
	return writeFile(out, r.write)
}

// loadAverage is how many other things wanted a processor in the last minute, or 0 where the system does not tell.
func loadAverage() (load float64) {
	text, err := os.ReadFile("/proc/loadavg")
	if err == nil {
		fmt.Sscan(string(text), &load)
	}
	return load
}

func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
