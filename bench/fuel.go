package main

import (
	"hash/crc32"
	"strconv"

	"github.com/wasmtools/wasmtools/bench/guests/work"
	"github.com/wasmtools/wasmtools/bench/harness"
)

func fuelGo() harness.Experiment {
	return harness.Experiment{
		Name:    "fuel_go",
		About:   "what keeping a deadline costs a guest of standard Go",
		Targets: []harness.Target{harness.AtMost("fuel_overhead_go", 1.15), harness.AtLeast("vs_close_on_done_go", 3)},
		Run: func(lab *harness.Lab) error {
			bin, err := goGuest()
			if err != nil {
				return err
			}
			jobs, err := goJobs()
			if err != nil {
				return err
			}
			overhead, gain, err := compareKeepers(lab, bin, jobs, false)
			lab.Report("fuel_overhead_go", overhead)
			lab.Report("vs_close_on_done_go", gain)
			return err
		},
	}
}

func fuelTinyGo() harness.Experiment {
	return harness.Experiment{
		Name:  "fuel_tinygo",
		About: "what keeping a deadline costs the same guest, built by TinyGo",
		Run: func(lab *harness.Lab) error {
			jobs, err := goJobs()
			if err != nil {
				return err
			}
			_, _, err = compareKeepers(lab, tinyGoGuest, jobs, true)
			return err
		},
	}
}

func fuelC() harness.Experiment {
	return harness.Experiment{
		Name:    "fuel_c",
		About:   "what keeping a deadline costs a guest in C",
		Targets: []harness.Target{harness.AtMost("fuel_overhead_c", 1.10), harness.AtLeast("vs_close_on_done_c", 4)},
		Run: func(lab *harness.Lab) error {
			overhead, gain, err := compareKeepers(lab, cGuest, cJobs(), false)
			lab.Report("fuel_overhead_c", overhead)
			lab.Report("vs_close_on_done_c", gain)
			return err
		},
	}
}

// job is a call of one of a guest's tools, by its position.
type job struct {
	title       string
	tool        int
	input, want []byte
}

// goJobs are for gojson.
func goJobs() ([]job, error) {
	text := document(1 << 10)
	want, err := work.JSON(text)
	return []job{{"1 KB of JSON", 0, text, want}, {"SHA-256 of 64 KB", 1, nil, work.SHA256()}}, err
}

// cJobs are for json.c, which parses JSON and prints it as it was.
func cJobs() []job {
	text := document(1 << 10)
	block, seed := make([]byte, 4<<10), uint32(1)
	for i := range block {
		seed = seed*1664525 + 1013904223
		block[i] = byte(seed >> 24)
	}
	var sum uint32
	for range 10 {
		sum = crc32.Update(sum, crc32.IEEETable, block)
	}
	return []job{
		{"1 KB of JSON", 0, text, text},
		{"CRC of 40 KB", 1, nil, strconv.AppendUint(nil, uint64(sum), 10)},
		{"100,000 turns of a loop", 2, nil, []byte("100000")},
	}
}

// compareKeepers runs jobs in a guest that nothing holds to a deadline, with fuel, and with the engine's own check. It returns,
// for the first job, the ratio of fuel to nothing and that of the engine's check to fuel.
func compareKeepers(lab *harness.Lab, bin []byte, jobs []job, leaking bool) (overhead, gain float64, err error) {
	var guests []*warm
	for _, k := range []keeper{nothing, fuel, closeOnDone} {
		w, err := newWarm(bin, k)
		if err != nil {
			return 0, 0, err
		}
		defer w.close()
		guests = append(guests, w)
	}
	for i, j := range jobs {
		var cases []harness.Case
		for _, c := range []struct {
			name  string
			guest *warm
			armed bool
		}{
			{"no deadline", guests[nothing], false},
			{"fuel without a deadline", guests[fuel], false},
			{"fuel", guests[fuel], true},
			{"close on context done", guests[closeOnDone], true},
		} {
			x, err := c.guest.bench(c.name, j, c.armed, leaking)
			if err != nil {
				return 0, 0, err
			}
			cases = append(cases, x)
		}
		m, err := lab.Compare(harness.Comparison{Title: j.title, Cases: cases, Allocs: true})
		if err != nil {
			return 0, 0, err
		}
		if i == 0 {
			overhead, gain = harness.Ratio(m[2], m[0]), harness.Ratio(m[3], m[2])
		}
	}
	return overhead, gain, nil
}
