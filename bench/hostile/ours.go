package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"time"

	"github.com/wasmtools/wasmtools/internal/hostile"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// ours is this runtime, with a neighbour that goes on being called.
type ours struct {
	rt   *runtime.Runtime
	echo tool.Tool
}

func startOurs(ctx context.Context, testdata string) (attacked, error) {
	rt, err := runtime.New(ctx, &runtime.Options{
		Limits: tool.Limits{Time: timeLimit, Memory: memoryPages << 16},
		Load:   runtime.LoadLimits{Time: timeLimit},
	})
	if err != nil {
		return nil, err
	}
	mod, err := rt.LoadFile(ctx, filepath.Join(testdata, "guests", "echo.wasm"))
	if err != nil {
		return nil, err
	}
	return &ours{rt, mod.Tools()[0]}, nil
}

func (o *ours) meet(ctx context.Context, a hostile.Attack, bin []byte) (got answer) {
	before := o.takeState()
	stop := o.keepCalling(ctx)
	var mod *runtime.Module
	var err error
	got.Load, err = timed(func() error {
		mod, err = o.rt.Load(ctx, a.Name, bin)
		return err
	})
	if err != nil {
		got.Failed = true
		got.end(a, err)
	} else {
		got.call(ctx, a, mod)
		mod.Close(ctx)
	}
	got.Neighbour, got.Harm = stop()
	got.Left = o.leftSince(before)
	return got
}

// call calls all tools of the module, which are variants of the attack, until one does not end as it should.
func (a *answer) call(ctx context.Context, attack hostile.Attack, mod *runtime.Module) {
	for _, x := range mod.Tools() {
		took, err := timed(func() error {
			res, err := x.Call(ctx, tool.Call{})
			if err == nil && res.Error != nil {
				err = res.Error
			}
			return err
		})
		a.Call = max(a.Call, took)
		if a.end(attack, err); a.Wrong != "" {
			return
		}
	}
}

// end notes how the attack ended, and whether that is how it should have.
func (a *answer) end(attack hostile.Attack, err error) {
	a.finish(err)
	var limit *tool.LimitError
	a.Code, a.Limit = string(tool.CodeOf(err)), ""
	if errors.As(err, &limit) {
		a.Limit = string(limit.Name)
	}
	if a.Code != string(attack.Code) || attack.Limit != "" && !errors.Is(err, attack.Limit) {
		a.Wrong = ending(string(attack.Code), string(attack.Limit))
	}
}

// ending describes how an attack ended in one or two words.
func ending(code, limit string) string {
	switch {
	case limit != "" && code == string(tool.BadModule):
		return "refused: " + limit
	case limit != "":
		return limit + " limit"
	case code == "":
		return "no harm done"
	case code == string(tool.BadModule):
		return "refused"
	}
	return strings.ReplaceAll(code, "_", " ")
}

// keepCalling calls the neighbour every millisecond until the returned function is called, and once more then. That returns
// the longest time, and what went wrong.
func (o *ours) keepCalling(ctx context.Context) (stop func() (time.Duration, string)) {
	over, ended := make(chan struct{}), make(chan struct{})
	var worst time.Duration
	var harm string
	call := func() {
		const text = `{"who":"neighbour"}`
		var res tool.Result
		took, err := timed(func() (err error) {
			res, err = o.echo.Call(ctx, tool.Call{Arguments: []byte(text)})
			return err
		})
		worst = max(worst, took)
		if err != nil || res.Text() != text {
			harm = fmt.Sprintf("%.100q", fmt.Sprint(err, res.Text()))
		}
	}
	go func() {
		defer close(ended)
		for {
			call()
			select {
			case <-over:
				call()
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	return func() (time.Duration, string) {
		close(over)
		<-ended
		return worst, harm
	}
}

// state is what there must not be more of after an attack.
type state struct {
	goroutines, descriptors int
	heap                    uint64
	runtime                 runtime.Stats
}

func (o *ours) takeState() state {
	goruntime.GC()
	goruntime.GC() // what finalizers let go of
	var mem goruntime.MemStats
	goruntime.ReadMemStats(&mem)
	entries, _ := os.ReadDir("/proc/self/fd") // none where the system does not tell
	return state{goruntime.NumGoroutine(), len(entries), mem.HeapAlloc, o.rt.Stats()}
}

// leftSince describes what there is more of than before, or nothing. Some things need a moment to end.
func (o *ours) leftSince(before state) string {
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		left := o.takeState().beyond(before)
		if len(left) == 0 || time.Since(began) > time.Second {
			return strings.Join(left, ", ")
		}
	}
}

func (s state) beyond(before state) (left []string) {
	const slack = 4 << 20 // bytes of heap: caches, of the engine for one
	add := func(n int64, what string) {
		if n > 0 {
			left = append(left, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(int64(s.goroutines-before.goroutines), "goroutines")
	add(int64(s.descriptors-before.descriptors), "descriptors")
	add(int64(s.runtime.Modules-before.runtime.Modules), "modules")
	add(s.runtime.Instances-before.runtime.Instances, "instances")
	const neighbour = 128 << 10 // bytes of each of its instances, of which there may be more to use again
	add(s.runtime.Memory-s.runtime.Idle*neighbour, "bytes of guest memory")
	add(s.runtime.Abandoned-before.runtime.Abandoned, "host functions")
	if s.heap > before.heap+slack {
		left = append(left, megabytes(int64(s.heap-before.heap))+" of heap")
	}
	return left
}
