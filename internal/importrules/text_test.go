package importrules_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// banned is text that belongs to the machine that a file was made on. The patterns do not match themselves.
type banned struct {
	what    string
	pattern *regexp.Regexp
	except  string // a file that may hold it
}

func bans() []banned {
	return []banned{
		{"an absolute path of one machine", regexp.MustCompile(`(^|[^A-Za-z0-9._~-])/(work|home|root|Users)/`), ""},
		{"a package registry's host", regexp.MustCompile(`https?://(proxy|registry|deb|sum|repo1?|static|index)\.`), ""},
		{"a folder outside the repository", regexp.MustCompile(`\.\./shared`), ".ci/run"},
	}
}

// texts finds banned text in the named files, whatever they hold: a built module can carry the path of its source.
func texts(fsys fs.FS, names []string) ([]string, error) {
	var findings []string
	for _, name := range names {
		content, err := fs.ReadFile(fsys, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted and not yet committed
		}
		if err != nil {
			return nil, err
		}
		for _, ban := range bans() {
			if at := ban.pattern.FindIndex(content); at != nil && name != ban.except {
				line := 1 + bytes.Count(content[:at[1]], []byte("\n"))
				findings = append(findings, fmt.Sprintf("%s:%d: %s: %q", name, line, ban.what, content[at[0]:at[1]]))
			}
		}
	}
	return findings, nil
}

func TestTexts(t *testing.T) {
	for name, test := range map[string]struct{ path, content, want string }{
		"a machine's path":             {"a.go", "x\nopen(\"/" + "work/main\")", `a.go:2: an absolute path of one machine: "\"/` + `work/"`},
		"a path at the start":          {"a.go", "/" + "home/me", "an absolute path"},
		"a path in a module":           {"a.wasm", "\x00asm\x00/" + "root/go/x.go\xff", "an absolute path"},
		"a registry":                   {"package-lock.json", "https://" + "registry.example.org/x", "registry's host"},
		"a folder beside the checkout": {"Makefile", "sh ../" + "shared/x", "outside the repository"},

		"the CI script's exception": {".ci/run", "sh ../" + "shared/x", ""},
		"a path below another":      {"a.go", "https://example.com/" + "home/x, examples/" + "work/x, ~/" + "work/x", ""},
		"a longer name":             {"a.go", "/working/x /homes/x", ""},
		"an ordinary host":          {"a.go", "https://example.com/index.html", ""},
	} {
		t.Run(name, func(t *testing.T) {
			findings, err := texts(fstest.MapFS{test.path: {Data: []byte(test.content)}}, []string{test.path, "deleted.go"})
			require.NoError(t, err)
			if test.want == "" {
				require.Empty(t, findings)
				return
			}
			require.Len(t, findings, 1)
			require.Contains(t, findings[0], test.want)
		})
	}
}

// TestTree reads every file that git tracks or would track.
func TestTree(t *testing.T) {
	if _, err := os.Stat(filepath.Join(moduleRoot, ".git")); err != nil {
		t.Skip("this is not a git checkout: what is in the tree is not known")
	}
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = moduleRoot
	out, err := list.Output()
	require.NoError(t, err)
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	require.Contains(t, names, "go.mod")
	findings, err := texts(os.DirFS(moduleRoot), names)
	require.NoError(t, err)
	require.Empty(t, findings)
}
