package runtime_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/testguest"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

func TestTooManyModules(t *testing.T) {
	rt := newRuntime(t, &runtime.Options{Totals: runtime.TotalLimits{Modules: 1}})
	a, b := testguest.Guest{Spec: spec(`{"name":"a"}`)}.Wasm(), testguest.Guest{Spec: spec(`{"name":"b"}`)}.Wasm()
	first, err := rt.Load(t.Context(), "a", a)
	require.NoError(t, err)
	_, err = rt.Load(t.Context(), "again", a)
	require.NoError(t, err, "the same bytes count once")
	_, err = rt.Load(t.Context(), "b", b)
	require.Equal(t, tool.BadModule, tool.CodeOf(err))
	require.ErrorIs(t, err, tool.LimitModules)
	require.Equal(t, 1, rt.Stats().Modules)
	require.NoError(t, first.Close(t.Context()))
	_, err = rt.Load(t.Context(), "b", b)
	require.ErrorIs(t, err, tool.LimitModules, "the other Module still needs it")
}

// TestInstancesAreWaitedFor: a call for which there is no room waits its turn, as long as its context allows.
func TestInstancesAreWaitedFor(t *testing.T) {
	asked, answer := make(chan struct{}), make(chan struct{})
	o := &runtime.Options{
		Totals: runtime.TotalLimits{Instances: 1},
		Approval: runtime.Approval{Approver: tool.ApproverFunc(func(context.Context, tool.ApprovalRequest) (tool.Decision, error) {
			asked <- struct{}{}
			<-answer
			return tool.Decision{Verdict: tool.Reject}, nil
		})},
	}
	rt := newRuntime(t, o)
	mod, err := rt.Load(t.Context(), "attacks.wasm", hostile(t, "attacks"))
	require.NoError(t, err)
	slow, err := mod.Tool("approval_flood")
	require.NoError(t, err)
	quick, err := mod.Tool("count_calls")
	require.NoError(t, err)

	slowEnded, quickEnded := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := slow.Call(context.Background(), args(""))
		slowEnded <- err
	}()
	<-asked
	require.EqualValues(t, 1, rt.Stats().Instances)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = quick.Call(ctx, args(""))
	require.ErrorIs(t, err, tool.Timeout)
	go func() {
		_, err := quick.Call(context.Background(), args(""))
		quickEnded <- err
	}()
	require.Empty(t, quickEnded)
	close(answer)
	for {
		select {
		case <-asked:
			continue
		case <-slowEnded:
		}
		break
	}
	require.NoError(t, <-quickEnded)
	require.Zero(t, rt.Stats().Instances)
	require.NoError(t, mod.Close(t.Context()))
	empties(t, rt)
}

// empties waits until rt holds nothing: an instance may be in the making for a call that will not come.
func empties(t *testing.T, rt *runtime.Runtime) {
	t.Helper()
	eventually(t, func() bool { return rt.Stats() == runtime.Stats{} }, "something is held")
}

func TestTotalMemory(t *testing.T) {
	rt := newRuntime(t, &runtime.Options{Totals: runtime.TotalLimits{Memory: 4 << 20}})
	mod, err := rt.Load(t.Context(), "attacks.wasm", hostile(t, "attacks"))
	require.NoError(t, err)
	grow, err := mod.Tool("grow_then_crash")
	require.NoError(t, err)
	_, err = grow.Call(t.Context(), args(""))
	require.ErrorIs(t, err, tool.LimitTotalMemory)
	require.NoError(t, mod.Close(t.Context()))
	empties(t, rt)

	tight := newRuntime(t, &runtime.Options{Totals: runtime.TotalLimits{Memory: 1}})
	_, err = tight.Load(t.Context(), "attacks.wasm", hostile(t, "attacks"))
	require.ErrorIs(t, err, tool.LimitTotalMemory, "not even the memory at the start fits")
	require.Zero(t, tight.Stats().Memory)
}
