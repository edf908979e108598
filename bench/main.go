// Bench measures what the project promises about speed, and holds it to its targets. It is run from within the module:
//
//	go run ./bench [-only REGEXP] [-rounds N] [-sample DURATION] [-list]
//
// It prints tables, and at the end a line for each target. A target that is missed is reported and is no failure: the exit status
// says only whether everything could be measured.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/wasmtools/wasmtools/bench/harness"
)

// experiments are all there are, in the order in which they are run.
func experiments() []harness.Experiment {
	return []harness.Experiment{
		fuelGo(), fuelTinyGo(), fuelC(),
		deadlines(), collections(),
		rewriting(),
	}
}

func main() {
	only := flag.String("only", "", "run the experiments whose names match `REGEXP`")
	rounds := flag.Int("rounds", harness.DefaultRounds, "how many samples to take of each case")
	sample := flag.Duration("sample", harness.DefaultSample, "how long a sample is")
	list := flag.Bool("list", false, "list the experiments and their targets")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	switch {
	case err != nil:
	case flag.NArg() > 0 || *rounds < 1 || *sample <= 0:
		err = fmt.Errorf("want no arguments, and -rounds and -sample above 0")
	case *list:
		describe(harness.Select(experiments(), pattern))
	default:
		fmt.Println(conditions())
		err = harness.Run(os.Stdout, experiments(), harness.Options{Only: pattern, Rounds: *rounds, Sample: *sample})
		fmt.Println(load())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func describe(list []harness.Experiment) {
	for _, e := range list {
		fmt.Printf("%s: %s\n", e.Name, e.About)
		for _, t := range e.Targets {
			fmt.Println("  target", t)
		}
	}
}

// conditions says what the figures were measured with.
func conditions() string {
	engine := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "github.com/tetratelabs/wazero" {
				engine = dep.Version
			}
		}
	}
	return fmt.Sprintf("%s %s/%s, %d processors, wazero %s; %s",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), engine, load())
}

// load says what else the machine did in the last minutes, where it can be known.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "load unknown"
	}
	return "load " + strings.Join(strings.Fields(string(text))[:3], " ")
}
