package runtime_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	suite "github.com/wasmtools/wasmtools/internal/hostile"
	"github.com/wasmtools/wasmtools/internal/snapshot"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// hammerTime is how long TestHammer goes on: as long as the variable HAMMER says.
func hammerTime(t *testing.T) time.Duration {
	text := os.Getenv("HAMMER")
	if text == "" {
		return 2 * time.Second
	}
	d, err := time.ParseDuration(text)
	require.NoError(t, err)
	return d
}

// hammered are the attacks that the hammer makes. Each takes little time.
func hammered() []string {
	return []string{
		"tight_loop", "doubling_tree", "fill_once", "recursion_thin", "grow_touch", "read_pointers", "wasi_stdio", "exit_codes",
		"output_large", "log_flood", "traps", "traces", "status_unknown", "approvals", "poll_year", "table_grow",
	}
}

// TestHammer: many goroutines call, cancel, load and unload modules of all kinds at once, under limits that make them wait for
// each other. Whatever happens, good calls have right answers, and in the end nothing is left.
func TestHammer(t *testing.T) {
	goroutines, modules := 1000, 50
	before := settled()
	rt, err := runtime.New(t.Context(), &runtime.Options{
		Limits: tool.Limits{Time: 30 * time.Millisecond, Memory: 16 << 20},
		Totals: runtime.TotalLimits{Instances: 40, Memory: 300 << 20},
	})
	require.NoError(t, err)

	var bins [][]byte
	echo, err := os.ReadFile("../testdata/guests/echo.wasm")
	require.NoError(t, err)
	for i := range modules {
		bin := echo
		if i%2 == 1 {
			bin = attackModule(t, hammered()[i/2%len(hammered())])
		}
		bins = append(bins, distinct(bin, i))
	}

	var counts struct{ ok, failed, waited atomic.Int64 }
	var wg sync.WaitGroup
	ctx, stop := context.WithTimeout(t.Context(), hammerTime(t))
	defer stop()
	for g := range goroutines {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 1))
			for ctx.Err() == nil {
				n := random.IntN(modules)
				mod, err := rt.Load(ctx, fmt.Sprint(n), bins[n])
				if err != nil {
					if ctx.Err() == nil {
						t.Errorf("load %d: %v", n, err)
					}
					return
				}
				for range random.IntN(4) {
					hammerOnce(ctx, t, mod, n%2 == 0, random, &counts.ok, &counts.failed, &counts.waited)
				}
				mod.Close(ctx)
			}
		})
	}
	wg.Wait()
	require.NoError(t, rt.Close(context.Background()))
	t.Logf("%d calls had a result, %d an error, %d gave up waiting", counts.ok.Load(), counts.failed.Load(), counts.waited.Load())
	require.Positive(t, counts.ok.Load())
	require.Positive(t, counts.failed.Load())
	require.Equal(t, runtime.Stats{}, rt.Stats())
	require.Equal(t, snapshot.Usage{}, runtime.Mapped(rt))
	require.Eventually(t, func() bool { return settled().within(before) }, 20*time.Second, 50*time.Millisecond, "%v, before %v", settled(), before)
}

// hammerOnce calls the tool of a module, and sometimes changes its mind.
func hammerOnce(ctx context.Context, t *testing.T, mod *runtime.Module, good bool, random *rand.Rand, ok, failed, waited *atomic.Int64) {
	call, cancel := context.WithCancel(ctx)
	defer cancel()
	if random.IntN(4) == 0 {
		defer time.AfterFunc(time.Duration(random.IntN(20))*time.Millisecond, cancel).Stop()
	}
	input := fmt.Sprintf(`{"city":"%d"}`, random.Int())
	res, err := mod.Tools()[0].Call(call, tool.Call{Arguments: []byte(input)})
	switch {
	case err == nil:
		ok.Add(1)
		if good && res.Text() != input {
			t.Errorf("echo of %s: %s", input, res.Text())
		}
	case tool.CodeOf(err) == tool.Canceled, ctx.Err() != nil:
		waited.Add(1)
	default:
		failed.Add(1)
		if good && tool.CodeOf(err) != tool.Timeout && !strings.Contains(err.Error(), "total memory") {
			t.Errorf("echo: %v", err)
		}
	}
}

func attackModule(t *testing.T, name string) []byte {
	for _, a := range suite.Attacks() {
		if a.Name == name {
			bin, err := a.Module("../testdata")
			require.NoError(t, err)
			return bin
		}
	}
	require.Fail(t, "no such attack", name)
	return nil
}

// distinct adds a custom section, so that the module has another digest.
func distinct(bin []byte, n int) []byte {
	section := binary.BigEndian.AppendUint32([]byte{0, 6, 1, 'n'}, uint32(n))
	return append(append([]byte(nil), bin...), section...)
}

// state is what a process holds.
type state struct{ goroutines, descriptors int }

func settled() state {
	goruntime.GC()
	entries, _ := os.ReadDir("/proc/self/fd") // none elsewhere
	return state{goruntime.NumGoroutine(), len(entries)}
}

// within allows for the goroutine that asks.
func (s state) within(before state) bool {
	return s.goroutines <= before.goroutines+1 && s.descriptors <= before.descriptors
}
