package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/wasmtools/wasmtools/internal/cache"
	"github.com/wasmtools/wasmtools/tool"
)

// maxCache is how large the cache of the command may become, in bytes.
const maxCache = 1 << 30

// cacheDir returns the folder of the cache: the one that a variable names, or one in the user's cache folder.
func cacheDir() (string, error) {
	if dir := os.Getenv("WASMTOOLS_CACHE"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "wasmtools"), nil
}

// usableCache returns the folder of the cache, or why there is none.
func usableCache() (string, error) {
	dir, err := cacheDir()
	if err != nil {
		return "", err
	}
	_, err = cache.Open(dir, maxCache)
	return dir, err
}

func newCache() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Show or empty the cache of compiled modules",
		Long: `What takes long to find out about a module is kept in a folder, above all its machine code: in "wasmtools" in the user's
cache folder, or where the variable WASMTOOLS_CACHE says. It may be removed at any time.`,
		Example: `  wasmtools cache ls
  wasmtools cache clean`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "ls", Short: "List what is in the cache, what was used last first", Args: noArguments,
			RunE: func(cmd *cobra.Command, _ []string) error { return withCache(cmd, listCache) },
		},
		&cobra.Command{
			Use: "clean", Short: "Empty the cache", Args: noArguments,
			RunE: func(cmd *cobra.Command, _ []string) error { return withCache(cmd, cleanCache) },
		},
	)
	return cmd
}

func withCache(cmd *cobra.Command, use func(*cobra.Command, *cache.Cache) error) error {
	dir, err := cacheDir()
	if err != nil {
		return noCache(err)
	}
	c, err := cache.Open(dir, maxCache)
	if err != nil {
		return noCache(err)
	}
	if err := use(cmd, c); err != nil {
		return noCache(err)
	}
	return nil
}

func noCache(err error) error {
	return tool.Errorf(tool.Misconfigured, "the cache cannot be used").WithCause(err).
		WithHint("name another folder in WASMTOOLS_CACHE, or use --no-cache")
}

func listCache(cmd *cobra.Command, c *cache.Cache) error {
	infos, err := c.List()
	if err != nil {
		return err
	}
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	sum := int64(0)
	for _, info := range infos {
		fmt.Fprintf(table, "%.16s\t%s\t%s\n", info.Key, kibibytes(info.Size), info.Used.Format(time.DateTime))
		sum += info.Size
	}
	table.Flush()
	fmt.Fprintf(&b, "%d modules, %s in %s\n", len(infos), kibibytes(sum), line(c.Dir()))
	return printText(cmd, b.String())
}

func kibibytes(size int64) string { return fmt.Sprintf("%d KiB", (size+1023)/1024) }

func cleanCache(cmd *cobra.Command, c *cache.Cache) error {
	infos, err := c.List()
	if err := errors.Join(err, c.Clean()); err != nil {
		return err
	}
	return printText(cmd, fmt.Sprintf("removed %d modules\n", len(infos)))
}
