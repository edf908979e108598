package cache

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Cache is a folder of entries. It is safe for concurrent use, also by several processes.
type Cache struct {
	dir string
	max int64
}

// Info is what is known of an entry.
type Info struct {
	Key  string
	Size int64     // of its files, in bytes
	Used time.Time // when it was last put or got
}

const (
	manifestName = "manifest.json"
	temporary    = "tmp-"

	// stale is the age at which what a process left half done is removed.
	stale = time.Hour
)

// manifest names the files of an entry.
type manifest struct {
	Files map[string]fileInfo `json:"files"`
}

type fileInfo struct {
	Size int64  `json:"size"`
	CRC  uint32 `json:"crc32c"`
}

// Open returns the cache in that folder, which is made if it is not there. It holds max bytes at most; a negative number is no
// limit. A folder that others could write to is refused.
func Open(dir string, max int64) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	if err := private(dir); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return &Cache{dir, max}, nil
}

// Dir returns the folder.
func (c *Cache) Dir() string { return c.dir }

// Entry is one entry as it was found: all of its files are there, with the sizes they had.
type Entry struct {
	dir   string
	files map[string]fileInfo
}

// validKey keeps keys to names of folders.
var validKey = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,127}$`)

// Get returns the entry of that key. One that is damaged is removed, and not there.
func (c *Cache) Get(key string) (*Entry, bool) {
	dir, err := c.path(key)
	if err != nil {
		return nil, false
	}
	e, err := open(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) || exists(dir) {
			c.Remove(key)
		}
		return nil, false
	}
	used(dir)
	return e, true
}

// used notes that an entry was used now. Only the order of removal hangs on it, so it does not matter whether that works.
func used(dir string) {
	now := time.Now()
	_ = os.Chtimes(dir, now, now)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func (c *Cache) path(key string) (string, error) {
	if !validKey.MatchString(key) || strings.HasPrefix(key, temporary) {
		return "", fmt.Errorf("cache: bad key %q", key)
	}
	return filepath.Join(c.dir, key), nil
}

func open(dir string) (*Entry, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	for name, want := range m.Files {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() || info.Size() != want.Size || filepath.Base(name) != name {
			return nil, fmt.Errorf("cache: %s is damaged", filepath.Join(dir, name))
		}
	}
	return &Entry{dir, m.Files}, nil
}

// Read returns the contents of a file, once its checksum is seen to be right.
func (e *Entry) Read(name string) ([]byte, error) {
	want, ok := e.files[name]
	if !ok {
		return nil, fmt.Errorf("cache: the entry has no file %q", name)
	}
	data, err := os.ReadFile(filepath.Join(e.dir, name))
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	if int64(len(data)) != want.Size || checksum(data) != want.CRC {
		return nil, fmt.Errorf("cache: %s is damaged", filepath.Join(e.dir, name))
	}
	return data, nil
}

// Link makes the file appear at path too. Its checksum is not looked at. Others must not write to it there.
func (e *Entry) Link(name, path string) error {
	if _, ok := e.files[name]; !ok {
		return fmt.Errorf("cache: the entry has no file %q", name)
	}
	if err := os.Link(filepath.Join(e.dir, name), path); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// Temp makes a folder in that of the cache, for its caller to remove. After an hour others may do that.
func (c *Cache) Temp() (string, error) {
	dir, err := os.MkdirTemp(c.dir, temporary)
	if err != nil {
		return "", fmt.Errorf("cache: %w", err)
	}
	return dir, nil
}

func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// Put adds an entry. If there is one of that key already, it stays.
func (c *Cache) Put(key string, files map[string][]byte) error {
	dir, err := c.path(key)
	if err != nil {
		return err
	}
	tmp, err := c.Temp()
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := write(tmp, files); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	if err := os.Rename(tmp, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("cache: %w", err)
	}
	used(dir)
	return c.trim(key)
}

func write(dir string, files map[string][]byte) error {
	m := manifest{Files: map[string]fileInfo{}}
	for name, data := range files {
		if filepath.Base(name) != name || name == manifestName {
			return fmt.Errorf("bad file name %q", name)
		}
		m.Files[name] = fileInfo{int64(len(data)), checksum(data)}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, manifestName), text, 0o600)
}

// Remove removes an entry, if it is there.
func (c *Cache) Remove(key string) error {
	dir, err := c.path(key)
	if err != nil {
		return err
	}
	tmp, err := c.Temp()
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.Rename(dir, filepath.Join(tmp, "entry")); err != nil && !errors.Is(err, fs.ErrNotExist) { // at once, for others
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// List returns the entries, the one used last first.
func (c *Cache) List() ([]Info, error) {
	all, err := os.ReadDir(c.dir)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	var infos []Info
	for _, d := range all {
		if d.IsDir() && validKey.MatchString(d.Name()) && !strings.HasPrefix(d.Name(), temporary) {
			if info, err := d.Info(); err == nil { // it may have gone
				infos = append(infos, Info{d.Name(), size(filepath.Join(c.dir, d.Name())), info.ModTime()})
			}
		}
	}
	slices.SortFunc(infos, func(a, b Info) int { return b.Used.Compare(a.Used) })
	return infos, nil
}

func size(dir string) (sum int64) {
	files, _ := os.ReadDir(dir) // it may have gone
	for _, f := range files {
		if info, err := f.Info(); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// Clean removes all entries, and what processes left half done.
func (c *Cache) Clean() error {
	infos, err := c.List()
	for _, info := range infos {
		err = errors.Join(err, c.Remove(info.Key))
	}
	return errors.Join(err, c.sweep(0))
}

// trim removes the entries that were used least recently until the rest is within the limit. The newest one stays.
func (c *Cache) trim(newest string) error {
	if c.max < 0 {
		return nil
	}
	infos, err := c.List()
	sum := int64(0)
	for _, info := range infos {
		if sum += info.Size; sum > c.max && info.Key != newest {
			err = errors.Join(err, c.Remove(info.Key))
		}
	}
	return errors.Join(err, c.sweep(stale))
}

// sweep removes temporary folders of that age.
func (c *Cache) sweep(age time.Duration) error {
	all, err := os.ReadDir(c.dir)
	for _, d := range all {
		info, infoErr := d.Info()
		if strings.HasPrefix(d.Name(), temporary) && infoErr == nil && time.Since(info.ModTime()) >= age {
			err = errors.Join(err, os.RemoveAll(filepath.Join(c.dir, d.Name())))
		}
	}
	return err
}
