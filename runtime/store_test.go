package runtime_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/testguest"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// upper loads the C guest with that cache, calls it, and closes everything.
func upper(t *testing.T, dir string) {
	t.Helper()
	rt, err := runtime.New(t.Context(), &runtime.Options{CacheDir: dir})
	require.NoError(t, err)
	mod, err := rt.LoadFile(t.Context(), filepath.Join("..", "testdata", "guests", "upper.wasm"))
	require.NoError(t, err)
	for range 2 {
		res, err := mod.Tools()[0].Call(t.Context(), args("hello"))
		require.NoError(t, err)
		require.Equal(t, "HELLO", res.Text())
	}
	require.Positive(t, mod.Info().Rewriting.Checks)
	require.NoError(t, rt.Close(context.Background()))
}

// files returns the files in a folder, by their paths in it.
func files(t *testing.T, dir string) (paths []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, path)
		}
		return err
	}))
	return paths
}

func TestCacheIsFilledOnceAndUsed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	upper(t, dir)
	first := files(t, dir)
	require.Len(t, first, 5, "%v", first)
	info, err := os.Stat(first[0])
	require.NoError(t, err)
	upper(t, dir)
	require.Equal(t, first, files(t, dir))
	again, err := os.Stat(first[0])
	require.NoError(t, err)
	require.Equal(t, info.ModTime(), again.ModTime(), "nothing is written again")
}

// TestDamagedCacheIsRebuilt: whatever happens to the files, the module works, and the cache is whole again afterwards.
func TestDamagedCacheIsRebuilt(t *testing.T) {
	for _, name := range []string{"code", "skeleton.wasm", "data", "meta.json", "manifest.json"} {
		for how, damage := range map[string]func(path string, data []byte) error{
			"flipped":   func(path string, data []byte) error { data[len(data)/2] ^= 1; return os.WriteFile(path, data, 0o600) },
			"truncated": func(path string, data []byte) error { return os.Truncate(path, int64(len(data)/2)) },
			"removed":   func(path string, _ []byte) error { return os.Remove(path) },
			"emptied":   func(path string, _ []byte) error { return os.Truncate(path, 0) },
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "cache")
				upper(t, dir)
				want := len(files(t, dir))
				for _, path := range files(t, dir) {
					if filepath.Base(path) == name {
						data, err := os.ReadFile(path)
						require.NoError(t, err)
						require.NoError(t, damage(path, data))
					}
				}
				upper(t, dir)
				require.Len(t, files(t, dir), want)
				upper(t, dir)
			})
		}
	}
}

// TestCacheTellsModulesApart: modules that differ in nothing but what a function does, or in their data, have each its own code.
func TestCacheTellsModulesApart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	for range 2 {
		for _, status := range []int32{0, 4} {
			for _, name := range []string{"a", "b"} {
				rt, err := runtime.New(t.Context(), &runtime.Options{CacheDir: dir})
				require.NoError(t, err)
				guest := testguest.Guest{Spec: spec(`{"name":"` + name + `","input":"text"}`), Status: status}
				mod, err := rt.Load(t.Context(), "x", guest.Wasm())
				require.NoError(t, err)
				require.Equal(t, name, mod.Tools()[0].Spec().Name)
				res, err := mod.Tools()[0].Call(t.Context(), args("text"))
				require.NoError(t, err)
				require.Equal(t, status == 4, res.Error != nil)
				require.NoError(t, rt.Close(context.Background()))
			}
		}
	}
}

func TestCacheOfManyRuntimesAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { upper(t, dir) })
	}
	wg.Wait()
	require.Len(t, files(t, dir), 5)
}

func TestCacheThatOthersCouldWriteTo(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o777))
	_, err := runtime.New(t.Context(), &runtime.Options{CacheDir: dir})
	require.ErrorIs(t, err, tool.Misconfigured)
	require.ErrorContains(t, err, "can be used by others")
}
