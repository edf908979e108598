package hostfuncs_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/tool"
)

const (
	question    = "continue [c, Enter], edit [e] or reject [x]? "
	questionCut = "continue [c], edit [e], reject [x] or show all [s]? "
)

// screen is an output that several consoles may write to.
type screen struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// terminal is a console with a keyboard, for use in a synctest bubble.
type terminal struct {
	*hostfuncs.Console
	keyboard *io.PipeWriter
	screen   *screen
}

func newTerminal(t *testing.T, o *hostfuncs.ConsoleOptions) *terminal {
	in, keyboard := io.Pipe()
	t.Cleanup(func() { keyboard.Close() }) // ends the reader
	s := &screen{}
	return &terminal{hostfuncs.NewConsole(in, s, o), keyboard, s}
}

// types waits until everything has come to rest, types, and waits until that was dealt with.
func (tm *terminal) types(t *testing.T, text string) {
	t.Helper()
	synctest.Wait()
	_, err := io.WriteString(tm.keyboard, text)
	require.NoError(t, err)
	synctest.Wait()
}

type outcome struct {
	tool.Decision
	err error
}

// start asks in the background.
func start(ctx context.Context, a tool.Approver, req tool.ApprovalRequest) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		d, err := a.Approve(ctx, req)
		done <- outcome{d, err}
	}()
	return done
}

func TestConsoleKeys(t *testing.T) {
	for _, tt := range []struct {
		name  string
		typed []string
		want  tool.Decision
	}{
		{"T15 console other text", []string{"y\n", "yes\n", "ok\n"}, tool.Decision{Reason: "no answer at the console that could be understood"}},
		{"T15 console other text, then c", []string{"y\n", "\x1bc\n", "c\n"}, tool.Decision{Verdict: tool.Continue}},
		{"blanks are other text", []string{" \n", "c \n", " c\n"}, tool.Decision{Reason: "no answer at the console that could be understood"}},
		{"T15 console x", []string{"x\n"}, tool.Decision{Reason: "rejected at the console"}},
		{"T15 console X", []string{"X\n"}, tool.Decision{Reason: "rejected at the console"}},
		{"T15 console c", []string{"c\n"}, tool.Decision{Verdict: tool.Continue}},
		{"T15 console C", []string{"C\r\n"}, tool.Decision{Verdict: tool.Continue}},
		{"T15 console Enter", []string{"\n"}, tool.Decision{Verdict: tool.Continue}},
		{"T15 console e + line", []string{"e\n", " new text \n"}, tool.Decision{Verdict: tool.Edit, Text: " new text "}},
		{"T15 console e + empty line", []string{"e\n", "\n"}, tool.Decision{Verdict: tool.Edit}},
		{"an edit is never a command", []string{"e\n", "x\n"}, tool.Decision{Verdict: tool.Edit, Text: "x"}},
		{"in pieces", []string{"e", "\n", "a", "b\n"}, tool.Decision{Verdict: tool.Edit, Text: "ab"}},
		{"typed before the second question", []string{"e\nstale\n", "new\n"}, tool.Decision{Verdict: tool.Edit, Text: "new"}},
		{"longest line", []string{"e\n", strings.Repeat("x", 64<<10) + "\n"}, tool.Decision{Verdict: tool.Edit, Text: strings.Repeat("x", 64<<10)}},
		{"line too long", []string{"e\n", strings.Repeat("x", 64<<10+1) + "\n"}, tool.Decision{Reason: "the line typed at the console is too long"}},
		{"command too long", []string{strings.Repeat("c", 1<<20) + "\n", "x\n"}, tool.Decision{Reason: "rejected at the console"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tm := newTerminal(t, nil)
				done := start(t.Context(), tm, tool.ApprovalRequest{})
				for _, text := range tt.typed {
					tm.types(t, text)
				}
				require.Equal(t, outcome{Decision: tt.want}, <-done)
			})
		})
	}
}

// What is not on the screen is not agreed to in passing: Enter counts again once everything was shown.
func TestConsoleCut(t *testing.T) {
	long := strings.Repeat("word ", 200) + "\x1bsecret end"
	for _, tt := range []struct {
		name  string
		req   tool.ApprovalRequest
		typed []string
		want  tool.Verdict
	}{
		{"Enter", tool.ApprovalRequest{Input: long}, []string{"\n", "\n", "\n"}, tool.Reject},
		{"Enter, arguments are cut", tool.ApprovalRequest{Arguments: []byte(long)}, []string{"\n", "\n", "\n"}, tool.Reject},
		{"Enter, description is cut", tool.ApprovalRequest{Description: long}, []string{"\n", "\n", "\n"}, tool.Reject},
		{"Enter, a fact is cut", tool.ApprovalRequest{MemoryID: long}, []string{"\n", "\n", "\n"}, tool.Reject},
		{"Enter, then c", tool.ApprovalRequest{Input: long}, []string{"\n", "c\n"}, tool.Continue},
		{"c", tool.ApprovalRequest{Input: long}, []string{"c\n"}, tool.Continue},
		{"s, then Enter", tool.ApprovalRequest{Input: long}, []string{"s\n", "\n"}, tool.Continue},
		{"s is no wrong answer", tool.ApprovalRequest{Input: long}, []string{"y\n", "y\n", "S\n", "c\n"}, tool.Continue},
		{"s again", tool.ApprovalRequest{Input: long}, []string{"s\n", "s\n", "s\n", "s\n"}, tool.Reject},
		{"s where nothing is cut", tool.ApprovalRequest{Input: "short"}, []string{"s\n", "s\n", "s\n"}, tool.Reject},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tm := newTerminal(t, nil)
				done := start(t.Context(), tm, tt.req)
				for _, text := range tt.typed {
					tm.types(t, text)
				}
				require.Equal(t, tt.want, (<-done).Verdict)
				text := tm.screen.String()
				require.Equal(t, tt.req.Input != "short", strings.Contains(text, questionCut))
				require.Equal(t, tt.name[0] == 's' && tt.req.Input != "short", strings.Contains(text, `\x1bsecret end`))
			})
		})
	}
}

func TestConsoleAsksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := newTerminal(t, nil)
		done := start(t.Context(), tm, tool.ApprovalRequest{})
		for range 3 {
			tm.types(t, "what\n")
		}
		<-done
		again := "please answer c, e or x\n" + question
		require.True(t, strings.HasSuffix(tm.screen.String(), question+again+again+"approval: rejected, no clear answer\n"), tm.screen)
	})
}

// T15 console EOF / IO error / interrupt: never consent, and Ask says no in every case.
func TestConsoleThatCannotBeRead(t *testing.T) {
	broken := errors.New("input/output error")
	for _, tt := range []struct {
		name string
		in   io.Reader
		out  io.Writer
	}{
		{"T15 console EOF", strings.NewReader(""), io.Discard},
		{"T15 console EOF in a line", strings.NewReader("c"), io.Discard},
		{"T15 console EOF in an edit", strings.NewReader("e\n"), io.Discard},
		{"T15 console EOF after other text", strings.NewReader("what\n"), io.Discard},
		{"T15 console IO error", iotest.ErrReader(broken), io.Discard},
		{"T15 console IO error in a line", io.MultiReader(strings.NewReader("c"), iotest.ErrReader(broken)), io.Discard},
		{"prompt cannot be shown", strings.NewReader("c\n"), brokenWriter{broken}},
		{"no input", nil, io.Discard},
		{"no output", strings.NewReader("c\n"), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			console := hostfuncs.NewConsole(tt.in, tt.out, nil)
			for range 2 {
				d := ask(t, hostfuncs.ApprovalOptions{Approver: console, Timeout: -1}, tool.ApprovalRequest{Tool: "x"})
				require.Equal(t, tool.Reject, d.Verdict)
				require.NotEmpty(t, d.Reason)
			}
		})
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// T15 console interrupt: the command cancels the context on Ctrl-C.
func TestConsoleInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := newTerminal(t, nil)
		ctx, interrupt := context.WithCancel(t.Context())
		done := start(ctx, tm, tool.ApprovalRequest{})
		synctest.Wait()
		interrupt()
		got := <-done
		require.ErrorIs(t, got.err, context.Canceled)
		require.Equal(t, tool.Reject, got.Verdict)
		require.True(t, strings.HasSuffix(tm.screen.String(), question+"\n"), "the question's line is ended, and nothing else said")
	})
}

// The reader is not left holding an answer: what was typed for one prompt, or for none, never answers another.
func TestConsoleStaleInput(t *testing.T) {
	for _, tt := range []struct {
		name  string
		first string // answers the first prompt
		stale string // typed while none is open
		then  string // answers the second
		want  tool.Verdict
	}{
		{"typed between prompts", "c\n", "c\nc\n", "x\n", tool.Reject},
		{"pasted with the first answer", "c\nc\nc\n", "", "x\n", tool.Reject},
		{"begun between prompts", "c\n", "c", "\nx\n", tool.Reject},
		{"endless line between prompts", "c\n", strings.Repeat("c", 1<<20), "\nx\n", tool.Reject},
		{"nothing stale", "x\n", "", "c\n", tool.Continue},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tm := newTerminal(t, nil)
				done := start(t.Context(), tm, tool.ApprovalRequest{})
				tm.types(t, tt.first)
				require.NoError(t, (<-done).err)
				tm.types(t, tt.stale)

				done = start(t.Context(), tm, tool.ApprovalRequest{})
				synctest.Wait()
				select {
				case d := <-done:
					require.Fail(t, "answered by stale input", "%v", d)
				default:
				}
				tm.types(t, tt.then)
				require.Equal(t, tt.want, (<-done).Verdict)
			})
		})
	}
}

func TestConsoleDiscard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		tm := newTerminal(t, &hostfuncs.ConsoleOptions{Discard: func() { calls++ }})
		done := start(t.Context(), tm, tool.ApprovalRequest{})
		tm.types(t, "e\n")
		tm.types(t, "x\n")
		<-done
		require.Equal(t, 2, calls, "once for each question")
	})
}

// A prompt that times out lets go of the terminal and of the keyboard.
func TestConsoleTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := newTerminal(t, nil)
		gate := hostfuncs.NewGate(&hostfuncs.ApprovalOptions{Approver: tm, Timeout: time.Minute})
		d, err := gate.Ask(t.Context(), tool.ApprovalRequest{Tool: "first"})
		require.NoError(t, err)
		require.True(t, d.TimedOut)
		synctest.Wait()
		require.True(t, strings.HasSuffix(tm.screen.String(), question+"\napproval: no answer in time\n"))
		tm.types(t, "c\n") // for the first, too late

		done := start(t.Context(), tm, tool.ApprovalRequest{Tool: "second"})
		tm.types(t, "x\n")
		require.Equal(t, "rejected at the console", (<-done).Reason)
	})
}

// A17-128, T15 two tools at once, console: one prompt at a time in the process, whoever owns the console.
func TestConsolesTakeTurns(t *testing.T) {
	one, two := newTerminal(t, nil), newTerminal(t, nil)
	two.screen = one.screen
	two.Console = hostfuncs.NewConsole(strings.NewReader("c\n"), one.screen, nil)

	first := start(t.Context(), one, tool.ApprovalRequest{Tool: "one"})
	_, err := io.WriteString(one.keyboard, "what\n") // returns when the console reads: its prompt is open
	require.NoError(t, err)

	t.Run("waiting ends with the context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		impatient := start(ctx, two, tool.ApprovalRequest{Tool: "impatient"})
		cancel()
		require.ErrorIs(t, (<-impatient).err, context.Canceled)
		require.NotContains(t, one.screen.String(), "impatient")
	})

	second := start(t.Context(), two, tool.ApprovalRequest{Tool: "two"})
	require.NoError(t, one.keyboard.Close())
	require.Equal(t, tool.Reject, (<-first).Verdict)
	require.Equal(t, tool.Continue, (<-second).Verdict)

	text := one.screen.String()
	before, after, ok := strings.Cut(text, "tool:   two")
	require.True(t, ok)
	require.Contains(t, before, "approval: rejected", "the first was not over")
	require.NotContains(t, after, "tool:   one")
}

// A17-129: every way out of a prompt releases the lock.
func TestConsoleLockIsReleased(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name string
		ask  func(t *testing.T)
	}{
		{"decision", func(t *testing.T) {
			ask(t, hostfuncs.ApprovalOptions{Approver: hostfuncs.NewConsole(strings.NewReader("c\n"), io.Discard, nil)}, tool.ApprovalRequest{})
		}},
		{"error", func(t *testing.T) {
			ask(t, hostfuncs.ApprovalOptions{Approver: hostfuncs.NewConsole(strings.NewReader("c\n"), brokenWriter{io.ErrClosedPipe}, nil)}, tool.ApprovalRequest{})
		}},
		{"end of the context", func(t *testing.T) {
			_, err := hostfuncs.NewConsole(strings.NewReader("c\n"), io.Discard, nil).Approve(canceled, tool.ApprovalRequest{})
			require.ErrorIs(t, err, context.Canceled)
		}},
		{"panic", func(t *testing.T) {
			console := hostfuncs.NewConsole(strings.NewReader("c\n"), io.Discard, &hostfuncs.ConsoleOptions{Discard: func() { panic("boom") }})
			d := ask(t, hostfuncs.ApprovalOptions{Approver: console}, tool.ApprovalRequest{})
			require.Contains(t, d.Reason, "boom")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.ask(t)
			d, err := hostfuncs.NewConsole(strings.NewReader("c\n"), io.Discard, nil).Approve(t.Context(), tool.ApprovalRequest{})
			require.NoError(t, err)
			require.Equal(t, tool.Continue, d.Verdict)
		})
	}
}

func TestConsoleRole(t *testing.T) { // T15 requiredRole set
	for role, want := range map[string]tool.Verdict{"admin": tool.Continue, "": tool.Reject} {
		console := hostfuncs.NewConsole(strings.NewReader("c\n"), io.Discard, &hostfuncs.ConsoleOptions{Role: role})
		require.Equal(t, want, ask(t, hostfuncs.ApprovalOptions{Approver: console, RequiredRole: "admin"}, tool.ApprovalRequest{}).Verdict, role)
	}
}
