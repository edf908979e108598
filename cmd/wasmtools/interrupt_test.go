//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestInterrupt: Ctrl-C ends a tool that never would, says so, and the exit code is 130 (A20-149).
func TestInterrupt(t *testing.T) {
	for _, c := range []struct{ name, arguments string }{
		{"while the guest spins", "{}"},
		{"while the arguments are read", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			// The command opens the pipe after it has begun to listen for signals, and the writer waits for that.
			pipe := filepath.Join(t.TempDir(), "arguments")
			require.NoError(t, syscall.Mkfifo(pipe, 0o600))
			cmd := exec.Command("wasmtools", "run", "../../testdata/hostile/attacks.wasm#loop", "@"+pipe, "--timeout=unlimited")
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			require.NoError(t, cmd.Start())
			writer, err := os.OpenFile(pipe, os.O_WRONLY, 0)
			require.NoError(t, err)
			defer writer.Close()
			if c.arguments != "" {
				_, err = writer.WriteString(c.arguments)
				require.NoError(t, err)
				require.NoError(t, writer.Close())
			}
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
			_ = cmd.Wait() // the exit code is what counts
			require.Equal(t, 130, cmd.ProcessState.ExitCode())
			require.Equal(t, "wasmtools: error: interrupted\n", stderr.String())
			require.Empty(t, stdout.String())
		})
	}
}

// TestInterruptTwice: where the first Ctrl-C does not help, the second one ends the process.
func TestInterruptTwice(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(text, []byte(strings.Repeat("x", 1<<20)), 0o666))
	cmd := exec.Command("wasmtools", "run", "../../testdata/guests/upper.wasm", "@"+text)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.ReadFull(out, make([]byte, 1)) // the rest does not fit into the pipe: the command hangs
	require.NoError(t, err)

	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	again := time.NewTicker(20 * time.Millisecond) // signals that arrive together count once
	defer again.Stop()
	for running := true; running; {
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended
		select {
		case <-ended:
			running = false
		case <-again.C:
		}
	}
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	require.True(t, status.Signaled())
	require.Equal(t, syscall.SIGINT, status.Signal())
}
