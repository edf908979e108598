package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/wasmtools/wasmtools/internal/hostile"
)

// child meets the named attacks with one engine, and writes an answer for each on a line.
func child(out io.Writer, testdata, name string, attacks []string) error {
	i := slices.IndexFunc(engines(), func(e engine) bool { return e.name == name })
	if i < 0 {
		return fmt.Errorf("there is no engine %q", name)
	}
	ctx := context.Background()
	target, err := engines()[i].start(ctx, testdata)
	if err != nil {
		return err
	}
	go func() { // a collection that a guest holds up holds up everything
		for range time.Tick(100 * time.Millisecond) {
			runtime.GC()
		}
	}()
	for _, a := range hostile.Attacks() {
		if !slices.Contains(attacks, a.Name) {
			continue
		}
		bin, err := a.Module(testdata)
		if err != nil {
			return err
		}
		got := meet(ctx, target, a, bin)
		got.Attack, got.Peak = a.Name, peakMemory(os.Getpid())
		if err := json.NewEncoder(out).Encode(got); err != nil {
			return err
		}
	}
	return nil
}

// meet makes an attack, up to three times where a busy machine may be what made the answer late. The best one counts; what one
// leaves behind does, too.
func meet(ctx context.Context, target attacked, a hostile.Attack, bin []byte) answer {
	began := time.Now()
	best := target.meet(ctx, a, bin)
	left := best.Left
	for tries := 1; !best.good() && tries < 3 && time.Since(began) < 2*time.Second; tries++ {
		got := target.meet(ctx, a, bin)
		left = or(left, got.Left)
		if got.good() || got.Load+got.Call < best.Load+best.Call {
			best = got
		}
	}
	best.Left = left
	return best
}

// result is what became of one attack.
type result struct {
	answer
	Hung bool
	Died string // what the process said at its end
}

// run lets an engine meet the attacks that are for it: in one process, or in one for each.
func run(e engine, attacks []hostile.Attack, testdata string) (map[string]result, error) {
	var names []string
	for _, a := range attacks {
		if e.own || !a.Own {
			names = append(names, a.Name)
		}
	}
	results := map[string]result{}
	for len(names) > 0 {
		n := 1
		if e.own {
			n = len(names)
		}
		met, err := process(e, testdata, names[:n], results)
		if err != nil {
			return nil, err
		}
		names = names[met:]
	}
	return results, nil
}

// process starts a process that meets the attacks, and returns how many it has met: all, or those up to the one that it did
// not survive.
func process(e engine, testdata string, names []string, results map[string]result) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	limited := fmt.Sprintf(`ulimit -v %d; exec "$0" "$@"`, address)
	args := append([]string{"-c", limited, self, "-testdata", testdata, "child", e.name}, names...)
	cmd := exec.Command("sh", args...)
	var stderr tail
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	answers := make(chan answer)
	go func() { // ends with the process
		defer close(answers)
		for scan := bufio.NewScanner(stdout); scan.Scan(); {
			var a answer
			if json.Unmarshal(scan.Bytes(), &a) == nil {
				answers <- a
			}
		}
	}()
	for met, name := range names {
		fmt.Fprintf(os.Stderr, "%s %s\n", e.name, name)
		select {
		case a, ok := <-answers:
			if ok {
				results[name] = result{answer: a}
				continue
			}
			err := cmd.Wait()
			results[name] = result{Died: fmt.Sprintf("%v: %s", err, stderr.reason())}
		case <-time.After(watchdog):
			peak := peakMemory(cmd.Process.Pid)
			cmd.Process.Kill()
			for range answers { // until the pipe is closed: only then may Wait be called
			}
			cmd.Wait()
			results[name] = result{Hung: true, answer: answer{Peak: peak}}
		}
		return met + 1, nil
	}
	return len(names), cmd.Wait()
}

// peakMemory returns how much memory a process has had at most, in bytes, or 0 where the system does not tell.
func peakMemory(pid int) int64 {
	text, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(pid), "status"))
	if err != nil {
		return 0
	}
	var kib int64
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			fmt.Sscan(value, &kib)
		}
	}
	return kib << 10
}

// tail keeps the beginning of what a process says: Go names the reason of its end first.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p[:min(len(p), 1<<16-len(t.text))]...)
	return len(p), nil
}

// reason is the line that tells why the process ended.
func (t *tail) reason() string {
	for line := range strings.Lines(string(t.text)) {
		for _, prefix := range []string{"fatal error: ", "panic: ", "hostile: "} {
			if reason, ok := strings.CutPrefix(strings.TrimSpace(line), prefix); ok {
				return fmt.Sprintf("%.80s", reason)
			}
		}
	}
	return "no reason given"
}
