package cache_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/cache"
)

func open(t *testing.T, max int64) *cache.Cache {
	t.Helper()
	c, err := cache.Open(filepath.Join(t.TempDir(), "a", "cache"), max)
	require.NoError(t, err)
	return c
}

func TestPutAndGet(t *testing.T) {
	c := open(t, -1)
	_, ok := c.Get("a")
	require.False(t, ok)
	require.NoError(t, c.Put("a", map[string][]byte{"code": []byte("machine"), "empty": nil}))
	require.NoError(t, c.Put("a", map[string][]byte{"code": []byte("other")}), "the first one stays")
	e, ok := c.Get("a")
	require.True(t, ok)
	data, err := e.Read("code")
	require.NoError(t, err)
	require.Equal(t, "machine", string(data))
	data, err = e.Read("empty")
	require.NoError(t, err)
	require.Empty(t, data)
	_, err = e.Read("none")
	require.ErrorContains(t, err, "has no file")
	require.NoError(t, c.Remove("a"))
	require.NoError(t, c.Remove("a"))
	_, ok = c.Get("a")
	require.False(t, ok)
}

func TestBadNames(t *testing.T) {
	c := open(t, -1)
	for _, key := range []string{"", "..", "a/b", "/etc", "A", "tmp-1", "a.b"} {
		require.ErrorContains(t, c.Put(key, nil), "bad key", key)
		_, ok := c.Get(key)
		require.False(t, ok)
	}
	for _, name := range []string{"../x", "a/b", "manifest.json"} {
		require.ErrorContains(t, c.Put("a", map[string][]byte{name: nil}), "bad file name")
	}
	left, err := os.ReadDir(c.Dir())
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestDamage: whatever happens to an entry's files, it is as if it were not there, and can be put again.
func TestDamage(t *testing.T) {
	for name, damage := range map[string]func(dir string) error{
		"truncated file":      func(dir string) error { return os.Truncate(filepath.Join(dir, "code"), 3) },
		"missing file":        func(dir string) error { return os.Remove(filepath.Join(dir, "code")) },
		"missing manifest":    func(dir string) error { return os.Remove(filepath.Join(dir, "manifest.json")) },
		"truncated manifest":  func(dir string) error { return os.Truncate(filepath.Join(dir, "manifest.json"), 9) },
		"a file for a folder": func(dir string) error { return os.RemoveAll(dir) },
		"a link for a file": func(dir string) error {
			path := filepath.Join(dir, "code")
			if err := os.Rename(path, path+"2"); err != nil {
				return err
			}
			return os.Symlink(path+"2", path)
		},
		"a way out in the manifest": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(`{"files":{"../a/code":{"size":7}}}`), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, -1)
			require.NoError(t, c.Put("a", map[string][]byte{"code": []byte("machine")}))
			dir := filepath.Join(c.Dir(), "a")
			require.NoError(t, damage(dir))
			if name == "a file for a folder" {
				require.NoError(t, os.WriteFile(dir, nil, 0o600))
			}
			_, ok := c.Get("a")
			require.False(t, ok)
			require.NoError(t, c.Put("a", map[string][]byte{"code": []byte("again!!")}))
			e, ok := c.Get("a")
			require.True(t, ok)
			data, err := e.Read("code")
			require.NoError(t, err)
			require.Equal(t, "again!!", string(data))
		})
	}
	c := open(t, -1)
	require.NoError(t, c.Put("a", map[string][]byte{"code": []byte("machine")}))
	require.NoError(t, os.WriteFile(filepath.Join(c.Dir(), "a", "code"), []byte("nachine"), 0o600))
	e, ok := c.Get("a")
	require.True(t, ok)
	_, err := e.Read("code")
	require.ErrorContains(t, err, "is damaged", "a flipped bit shows when it is read")
}

func TestSizeIsBounded(t *testing.T) {
	c := open(t, 1000)
	for i := range 10 {
		require.NoError(t, c.Put(fmt.Sprint(i), map[string][]byte{"x": make([]byte, 200)}))
		past := time.Now().Add(time.Duration(i-100) * time.Minute)
		require.NoError(t, os.Chtimes(filepath.Join(c.Dir(), fmt.Sprint(i)), past, past))
		c.Get("0") // stays in use
	}
	infos, err := c.List()
	require.NoError(t, err)
	require.LessOrEqual(t, len(infos), 4)
	require.Equal(t, "0", infos[0].Key)
	require.NoError(t, c.Put("large", map[string][]byte{"x": make([]byte, 5000)}))
	infos, err = c.List()
	require.NoError(t, err)
	require.Len(t, infos, 1, "only what was put last may be larger than all is allowed to be")
	require.NoError(t, c.Clean())
	left, err := os.ReadDir(c.Dir())
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestOthersMustBeKeptOut(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are others there")
	}
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o755))
	_, err := cache.Open(dir, -1)
	require.ErrorContains(t, err, "can be used by others")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	_, err = cache.Open(link, -1)
	require.ErrorContains(t, err, "not a folder")
}

// TestManyAtOnce: whoever gets an entry gets it whole.
func TestManyAtOnce(t *testing.T) {
	dir := open(t, -1).Dir()
	want := bytes.Repeat([]byte("x"), 100_000)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			c, err := cache.Open(dir, 300_000)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 60 {
				key := fmt.Sprint(i % 5)
				if e, ok := c.Get(key); ok {
					data, err := e.Read("x")
					if err == nil && !bytes.Equal(data, want) {
						t.Errorf("%d bytes", len(data))
					}
				} else if err := c.Put(key, map[string][]byte{"x": want}); err != nil {
					t.Error(err)
				}
				if i%20 == 7 {
					_ = c.Remove(key)
				}
			}
		})
	}
	wg.Wait()
}
