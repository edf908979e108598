package guest_test

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/abi"
	guest "github.com/wasmtools/wasmtools/sdk-guest"
	"github.com/wasmtools/wasmtools/sdk-guest/guesttest"
)

func TestContext(t *testing.T) { // A12-95, A3-36
	o := &guesttest.Options{CallID: "c1", MemoryID: "m1", Params: map[string]any{"tenant": "acme", "n": 3}}
	call(t, func(c guest.Context, _ guest.None) (guest.None, error) {
		require.Equal(t, "t", c.Tool())
		require.Equal(t, "c1", c.CallID())
		require.Equal(t, "m1", c.MemoryID())
		var tenant string
		require.NoError(t, c.Param("tenant", &tenant))
		require.Equal(t, "acme", tenant)
		require.ErrorContains(t, c.Param("tenant", new(int)), `param "tenant": json:`)
		require.EqualError(t, c.Param("other", &tenant), `param "other": the application has set none`)
		return guest.None{}, nil
	}, "", o, guest.NeedsMemoryID(), guest.NeedsParam("tenant"))
	require.NotContains(t, string(describe(t).InputSchema), "tenant")
}

func TestContextThatIsNeeded(t *testing.T) { // A12-97
	fresh(t)
	guest.Register("t", "", void, guest.NeedsMemoryID(), guest.NeedsParam("tenant"))
	_, err := guesttest.Call("t", "", nil)
	require.EqualError(t, err, `call "t": the tool needs "memoryId" and the options have none`)
	_, err = guesttest.Call("t", "", &guesttest.Options{MemoryID: "m"})
	require.EqualError(t, err, `call "t": the tool needs "params.tenant" and the options have none`)
}

func TestZeroContext(t *testing.T) {
	var c guest.Context
	var std context.Context = c
	require.NoError(t, std.Err())
	require.Nil(t, std.Done())
	require.Nil(t, std.Value("k"))
	_, ok := std.Deadline()
	require.False(t, ok)
	require.Empty(t, c.Tool()+c.CallID()+c.MemoryID())
	require.Error(t, c.Param("p", new(string)))
	c.Log().Info("dropped")
	c.LogText(slog.LevelInfo, "dropped")
	_, err := c.RequestApproval("anything")
	require.ErrorIs(t, err, guest.ErrDenied)
}

func TestApproval(t *testing.T) { // A17-126, T15
	act := func(c guest.Context, _ guest.None) (string, error) {
		d, err := c.RequestApproval("delete f")
		if err != nil {
			return "must not be seen", err
		}
		if d.Edited {
			return "edited: " + d.Text, nil
		}
		return d.Text, nil
	}
	answer := func(d guest.Decision, err error) *guesttest.Options {
		return &guesttest.Options{Approve: func(string) (guest.Decision, error) { return d, err }}
	}
	tests := map[string]struct {
		options *guesttest.Options
		want    string
		refused bool
	}{
		"nobody":     {nil, "Approval denied (no approver is configured, or none may be asked): delete f", true},
		"denied":     {answer(guest.Decision{}, guest.ErrDenied), "Approval denied (no approver is configured, or none may be asked): delete f", true},
		"broken":     {answer(guest.Decision{}, errors.New("no terminal")), "Approval denied (no approver is configured, or none may be asked): delete f", true},
		"rejected":   {answer(guest.Decision{}, guest.ErrRejected), "Rejected by reviewer: delete f", true},
		"continue":   {answer(guest.Decision{}, nil), "delete f", false},
		"edit":       {answer(guest.Decision{Text: "delete g", Edited: true}, nil), "edited: delete g", false},
		"empty edit": {answer(guest.Decision{Edited: true}, nil), "edited: ", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			res := call(t, act, "", test.options)
			require.Equal(t, test.want, res.Text)
			require.Equal(t, []string{"delete f"}, res.Asked)
			if test.refused {
				require.Equal(t, &abi.Error{Kind: abi.ErrorRejected, Message: test.want}, res.Error)
			} else {
				require.Nil(t, res.Error)
			}
		})
	}
}

func TestLog(t *testing.T) {
	res := call(t, func(c guest.Context, _ guest.None) (guest.None, error) {
		c.LogText(slog.LevelDebug, "starting")
		log := c.Log()
		run := log.With("run", 1)
		step := run.WithGroup("step").With("n", 2)
		step.Info("working", slog.Group("file", "name", "<a>", "size", 3), "msg", "mine", "time", "now", "level", "high")
		run.Warn("values", "nan", math.NaN(), "err", errors.New("broken"), "chan", struct{ C chan int }{}, "level", 1)
		log.Log(context.Background(), slog.Level(-8), "trace")
		log.WithGroup("empty").Error("none")
		return guest.None{}, nil
	}, "", nil)
	require.Equal(t, []guesttest.Record{
		{Level: slog.LevelDebug, Message: "starting"},
		{Level: slog.LevelInfo, Message: "working", Attrs: `{"run":1,"step":{"n":2,"file":{"name":"<a>","size":3},"msg":"mine","time":"now","level":"high"}}`},
		{Level: slog.LevelWarn, Message: "values", Attrs: `{"run":1,"nan":"NaN","err":"broken","chan":"{<nil>}","level":1}`},
		{Level: slog.Level(-8), Message: "trace"},
		{Level: slog.LevelError, Message: "none"},
	}, res.Logs)
}
