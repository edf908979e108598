package hostfuncs_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/hostfuncs"
)

func TestLeash(t *testing.T) {
	var l hostfuncs.Leash
	require.NoError(t, l.Do(t.Context(), func(context.Context) error { return nil }))
	mine := errors.New("mine")
	require.ErrorIs(t, l.Do(t.Context(), func(context.Context) error { return mine }), mine)
	require.PanicsWithValue(t, "boom", func() {
		_ = l.Do(t.Context(), func(context.Context) error { panic("boom") })
	})
	require.ErrorContains(t, l.Do(t.Context(), func(context.Context) error { runtime.Goexit(); return nil }), "ended its goroutine")
	require.Zero(t, l.Abandoned())
	require.Zero(t, l.Late())
}

func TestLeashLeavesBehind(t *testing.T) {
	var l hostfuncs.Leash
	for _, late := range []func(){func() {}, func() { panic("nobody hears this") }, runtime.Goexit} {
		ctx, cancel := context.WithCancel(t.Context())
		release := make(chan struct{})
		before := l.Late()
		err := l.Do(ctx, func(context.Context) error {
			cancel()
			<-release
			late()
			return nil
		})
		require.ErrorIs(t, err, hostfuncs.ErrAbandoned)
		require.EqualValues(t, 1, l.Abandoned())
		close(release)
		require.Eventually(t, func() bool { return l.Late() == before+1 }, 10*time.Second, time.Millisecond)
		require.Zero(t, l.Abandoned())
	}
}
