package readmetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// markdown writes ' for the backquote.
func markdown(text string) string { return strings.ReplaceAll(text, "'", "`") }

func TestParse(t *testing.T) {
	for name, test := range map[string]struct{ text, err string }{
		"no command":     {"'''console\n'''\n", "line 2: the console block has no command"},
		"output first":   {"x\n'''console\nhello\n$ echo\n'''\n", `line 3: "hello" comes before the block's first command`},
		"a missing end":  {"'''console\n$ echo\n", "does not end"},
		"a prompt alone": {"'''console\n$\n'''\n", "before the block's first command"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse(markdown(test.text))
			require.ErrorContains(t, err, test.err)
		})
	}

	blocks, err := parse(markdown("$ not a block\n'''sh\n$ not this one\n'''\n'''console\n$ a \\\n    b\none\n\ntwo\n$ echo $?\n3\n'''\n\n'''console\n$ c\n'''\n"))
	require.NoError(t, err)
	require.Equal(t, [][]command{
		{{6, "a \\\n    b", "one\n\ntwo\n", true}, {11, "echo $?", "3\n", false}},
		{{16, "c", "", false}},
	}, blocks)
}

func FuzzParse(f *testing.F) {
	f.Add(markdown("'''console\n$ a \\\nb\nc\n'''\n"))
	f.Fuzz(func(t *testing.T, text string) {
		blocks, err := parse(text)
		if err != nil {
			return
		}
		for _, block := range blocks {
			for _, c := range block {
				require.True(t, c.matches(c.output), "a file shows what it shows")
			}
		}
	})
}

func TestMatches(t *testing.T) {
	shown := command{output: "took ... ms (1+1)\ndone\n"}
	require.True(t, shown.matches("took 3.5 ms (1+1)\ndone\n"))
	for _, output := range []string{"", "took 3.5 ms (11)\ndone", "took 3.5\n ms (1+1)\ndone", "took 1 ms (1+1)\ndone\nmore", "x took 1 ms (1+1)\ndone"} {
		require.False(t, shown.matches(output), output)
	}
}

func TestShell(t *testing.T) {
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "wasmtools"), []byte("#!/bin/sh\necho out; echo err >&2; exit 3\n"), 0o755))
	sh := shell{t.TempDir(), bin}
	for name, test := range map[string]struct {
		block []command
		err   string
	}{
		"a failing command":    {[]command{{7, "wasmtools", "out\nerr\n", false}}, "line 7: wasmtools: exit status 3\nout\nerr"},
		"another output":       {[]command{{7, "wasmtools", "out\n", true}}, "prints:\nout\nerr\n\nthe file shows:\nout\n"},
		"another status":       {[]command{{7, "wasmtools", "out\nerr", true}, {8, "echo $?", "4", false}}, "line 8: echo $?\nprints:\n3\n"},
		"an unknown command":   {[]command{{7, "no-such-command", "", false}}, "exit status 127"},
		"the status":           {[]command{{7, "wasmtools", "out\nerr", true}, {8, "echo $?", "3", false}, {9, "echo $?", "0", false}}, ""},
		"arguments of a shell": {[]command{{7, "printf '%s\\n' 'a  b' \\\n  c", "a  b\nc", false}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := sh.run(test.block)
			if test.err == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.err)
		})
	}
	require.Error(t, shell{filepath.Join(bin, "none"), bin}.run([]command{{1, "true", "", true}}), "a folder that is not there")
}

func TestModuleRoot(t *testing.T) {
	root, err := moduleRoot()
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(root, "internal/readmetest/run.go"))
	t.Chdir(t.TempDir())
	_, err = moduleRoot()
	require.ErrorContains(t, err, "no go.mod")
}
