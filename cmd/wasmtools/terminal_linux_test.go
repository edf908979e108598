package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/wasmtools/wasmtools/internal/testguest"
)

// gated requires approval and answers with its arguments.
const gated = `{"tools":[{"name":"gated","description":"Does it\u001b[2J","requireApproval":true,
	"inputSchema":{"type":"object"}}]}`

// What the console shows last before it waits for an answer, and for a line that replaces the input.
const (
	prompt     = "reject [x]? "
	editPrompt = "whole input: "
)

// TestConsole sits at a terminal, where a person is asked by default.
func TestConsole(t *testing.T) {
	module := guest(t, testguest.Guest{Spec: gated, Status: 1})
	for _, c := range []struct {
		name   string
		args   []string
		typed  []string // one answer for each prompt
		code   int
		stdout string
		shown  string
	}{
		{name: "T15 c", typed: []string{"c\n"}, stdout: "{\"a\":1}\n"},
		{name: "T15 C", typed: []string{"C\n"}, stdout: "{\"a\":1}\n"},
		{name: "T15 Enter", typed: []string{"\n"}, stdout: "{\"a\":1}\n"},
		{name: "T15 x", typed: []string{"x\n"}, code: 6, shown: "wasmtools: error: Rejected by reviewer: {\"a\":1}"},
		{name: "T15 other text", typed: []string{"what\n", "what?\n", "yes\n"}, code: 6, shown: "Rejected by reviewer"},
		{name: "T15 other text, then c", typed: []string{"what\n", "c\n"}, stdout: "{\"a\":1}\n"},
		{name: "T15 end of input", typed: []string{"\x04"}, code: 6, shown: "Rejected by reviewer"},
		{name: "T15 e", typed: []string{"e\n", "{\"a\":2}\n"}, stdout: "{\"a\":2}\n"},
		{name: "T15 e with what is no object", typed: []string{"e\n", "[]\n"}, code: 6, shown: "the reviewer's edit is not acceptable"},
		{name: "console by name", args: []string{"--approve=console"}, typed: []string{"c\n"}, stdout: "{\"a\":1}\n"},
		{name: "T15 no timeout", args: []string{"--approval-timeout=0"}, typed: []string{"c\n"}, stdout: "{\"a\":1}\n"},
		{name: "T15 timeout", args: []string{"--approval-timeout=50ms"}, code: 6,
			shown: "wasmtools: error: Approval timed out: {\"a\":1}: nobody decided within 50ms\r\nhint: raise --approval-timeout, or choose --on-timeout\r\n"},
		{name: "T15 timeout continues", args: []string{"--approval-timeout=50ms", "--on-timeout=continue"}, stdout: "{\"a\":1}\n"},
		{name: "T15 timeout fails", args: []string{"--approval-timeout=50ms", "--on-timeout=fail"}, code: 7, shown: "hint: raise --approval-timeout, or choose --on-timeout\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openSeat(t)
			s.run(append([]string{"run", module, `{"a":1}`}, c.args...)...)
			want := prompt
			for _, answer := range c.typed {
				s.expect(want)
				s.typed(answer)
				if answer == "e\n" {
					want = editPrompt
				}
			}
			require.Equal(t, c.code, s.wait())
			require.Equal(t, c.stdout, s.stdout.String())
			require.Contains(t, s.screen(), c.shown)
			require.NotContains(t, s.screen(), "\x1b", "a guest's text does not reach the terminal as it is")
		})
	}
}

// TestConsoleTypedAhead: what was typed before the question is no answer to it.
func TestConsoleTypedAhead(t *testing.T) {
	s := openSeat(t)
	s.typed("c\n")
	s.run("run", guest(t, testguest.Guest{Spec: gated, Status: 1}), "--approval-timeout=200ms")
	require.Equal(t, 6, s.wait())
	require.Empty(t, s.stdout.String())
}

// TestConsoleTimedOut: the question's line ends before anything else is shown.
func TestConsoleTimedOut(t *testing.T) {
	s := openSeat(t)
	s.run("run", guest(t, testguest.Guest{Spec: gated, Status: 1}), "--approval-timeout=200ms")
	require.Equal(t, 6, s.wait())
	require.Regexp(t, `reject \[x\]\? \r\napproval: no answer in time\r\ntime=.* msg=approval .*\r\nwasmtools: error: `, s.screen())
}

// TestConsoleInterrupted: Ctrl-C at the prompt ends the call, says so, and is no consent (T15).
func TestConsoleInterrupted(t *testing.T) {
	s := openSeat(t)
	s.run("run", guest(t, testguest.Guest{Spec: gated, Status: 1}))
	s.expect(prompt)
	require.NoError(t, unix.Kill(os.Getpid(), unix.SIGINT))
	require.Equal(t, 130, s.wait())
	require.Empty(t, s.stdout.String())
	require.Contains(t, s.screen(), prompt+"\r\nwasmtools: error: the call ended before anybody decided: interrupted\r\n")
}

// TestConsoleTaken: a terminal from which the arguments are read cannot be asked.
func TestConsoleTaken(t *testing.T) {
	module := guest(t, testguest.Guest{Spec: gated, Status: 1})
	s := openSeat(t)
	s.run("run", module, "-")
	s.typed("{\"a\":1}\n\x04")
	require.Equal(t, 8, s.wait())
	screen := s.screen()
	require.Contains(t, screen, "no approver is configured")
	require.Contains(t, screen, "hint: nobody was there to approve: standard input holds the arguments; ")

	s = openSeat(t)
	s.run("run", module, "-", "--approve=console")
	require.Equal(t, 8, s.wait())
	require.Contains(t, s.screen(), "standard input holds the arguments")
}

// TestOutputOnTerminal: a result cannot control the terminal, unless it is asked for raw.
func TestOutputOnTerminal(t *testing.T) {
	hostile := guest(t, testguest.Guest{
		Spec:   `{"tools":[{"name":"hostile","description":"\u001b]0;x\u0007"}]}`,
		Output: "red\x1b[31m\tand \u202eback\nline 2",
	})
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"text", []string{"run", hostile}, "red\\x1b[31m\tand \\u202eback\r\nline 2\r\n"},
		{"raw", []string{"run", hostile, "--raw"}, "red\x1b[31m\tand \u202eback\r\nline 2"},
		{"list", []string{"list", hostile}, hostile + "#hostile  \\x1b]0;x\\x07\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openSeat(t)
			code := run(t.Context(), c.args, strings.NewReader(""), s.terminal, io.Discard)
			require.Zero(t, code)
			s.leave()
			require.Equal(t, c.want, s.screen())
		})
	}
}

func guest(t *testing.T, g testguest.Guest) string {
	path := filepath.Join(t.TempDir(), "guest.wasm")
	require.NoError(t, os.WriteFile(path, g.Wasm(), 0o666))
	return path
}

// seat is a person at a terminal, and the command that runs there.
type seat struct {
	t        *testing.T
	keyboard *os.File // the person's side
	terminal *os.File // the command's side
	shown    bytes.Buffer
	stdout   bytes.Buffer
	code     chan int
}

func openSeat(t *testing.T) *seat {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	var number int
	require.True(t, control(keyboard, func(fd int) (err error) {
		number, err = unix.IoctlGetInt(fd, unix.TIOCGPTN)
		return err
	}))
	require.True(t, control(keyboard, func(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0) }))
	terminal, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() {
		terminal.Close()
		keyboard.Close()
	})
	return &seat{t: t, keyboard: keyboard, terminal: terminal, code: make(chan int, 1)}
}

// run starts the command; its result does not go to the terminal.
func (s *seat) run(args ...string) {
	go func() { s.code <- run(context.Background(), args, s.terminal, &s.stdout, s.terminal) }()
}

// expect reads what is shown until text appears that was not expected before.
func (s *seat) expect(text string) {
	s.t.Helper()
	from := s.shown.Len()
	var buffer [1 << 10]byte
	for !strings.Contains(s.shown.String()[from:], text) {
		n, err := s.keyboard.Read(buffer[:])
		require.NoError(s.t, err, "shown so far: %s", s.shown.String())
		s.shown.Write(buffer[:n])
	}
}

func (s *seat) typed(text string) {
	_, err := s.keyboard.WriteString(text)
	require.NoError(s.t, err)
}

// wait returns the exit code.
func (s *seat) wait() int {
	code := <-s.code
	s.leave()
	return code
}

// leave closes the command's side, so that what is shown has an end. A console's reader ends with it.
func (s *seat) leave() { s.terminal.Close() }

// screen returns all that was shown.
func (s *seat) screen() string {
	_, _ = io.Copy(&s.shown, s.keyboard) // ends with an error where a terminal was closed
	return s.shown.String()
}
