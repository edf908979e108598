package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"

	"github.com/tetratelabs/wazero"
	"golang.org/x/sys/cpu"

	"github.com/wasmtools/wasmtools/internal/cache"
	"github.com/wasmtools/wasmtools/internal/rewrite"
)

// The engine can keep machine code in files, but then it still reads and checks the whole module before it looks for them,
// which takes longer than all else. So it is given a skeleton of the module, which it reads in no time, and finds under the
// skeleton's name the machine code of the module itself. Whether it did is seen by a function that only the module's code can
// run: see rewrite.MarkExport. If not, the module is compiled as without a cache.

// store keeps in a cache on disk what takes long to find out about modules.
type store struct {
	cache  *cache.Cache
	dir    string // of this process: where the engine looks for machine code
	engine wazero.CompilationCache
}

// stored is what is kept of a module.
type stored struct {
	skeleton, code []byte
	entry          *cache.Entry // has the code, where code is nil
	data           []byte       // of the segments, one after the other
	meta           storedMeta
}

type storedMeta struct {
	CodePath    string    `json:"codePath"` // where the engine looks for the code of the skeleton
	Rewriting   Rewriting `json:"rewriting"`
	Globals     []string  `json:"globals"`
	Segments    []segment `json:"segments"`
	Description string    `json:"description"`
	WarmUps     int       `json:"warmUps"`
}

type segment struct {
	Offset uint32 `json:"o"`
	Size   int    `json:"n"`
}

const (
	fileSkeleton = "skeleton.wasm"
	fileCode     = "code"
	fileData     = "data"
	fileMeta     = "meta.json"
)

// openStore opens the cache in the folder, which holds so many bytes at most.
func openStore(dir string, size int64) (*store, error) {
	c, err := cache.Open(dir, size)
	if err != nil {
		return nil, err
	}
	own, err := c.Temp()
	if err != nil {
		return nil, err
	}
	s := &store{cache: c, dir: own}
	if s.engine, err = wazero.NewCompilationCacheWithDir(own); err != nil {
		os.RemoveAll(own)
		return nil, err
	}
	return s, nil
}

func (s *store) close(ctx context.Context) error {
	return errors.Join(s.engine.Close(ctx), os.RemoveAll(s.dir))
}

// key is under what a module is kept: everything that machine code depends on is in it.
func (s *store) key(digest string, tableMax int64) string {
	engine := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "github.com/tetratelabs/wazero" {
				engine = m.Version + m.Sum
			}
		}
	}
	all := fmt.Sprint(digest, rewrite.Version, engine, goruntime.GOOS, goruntime.GOARCH, cpu.X86, cpu.ARM64, tableMax)
	sum := sha256.Sum256([]byte(all))
	return hex.EncodeToString(sum[:])
}

// get returns what is kept of a module, or nil.
func (s *store) get(key string) *stored {
	entry, ok := s.cache.Get(key)
	if !ok {
		return nil
	}
	m := &stored{entry: entry}
	meta, err := entry.Read(fileMeta)
	if err == nil {
		err = json.Unmarshal(meta, &m.meta)
	}
	if err == nil {
		m.skeleton, err = entry.Read(fileSkeleton)
	}
	if err == nil {
		m.data, err = entry.Read(fileData)
	}
	if err != nil || !filepath.IsLocal(m.meta.CodePath) {
		s.drop(key)
		return nil
	}
	return m
}

// drop removes what turned out to be of no use.
func (s *store) drop(key string) { _ = s.cache.Remove(key) } // if that fails, the next one tries again

// put keeps a module. The cache is of use without it, too: an error is not the caller's.
func (s *store) put(key string, m *stored) error {
	meta, err := json.Marshal(m.meta)
	if err != nil {
		return err
	}
	return s.cache.Put(key, map[string][]byte{fileMeta: meta, fileSkeleton: m.skeleton, fileCode: m.code, fileData: m.data})
}

// compile returns the skeleton and the machine code of a module, which engines of their own make in folders of their own.
func (s *store) compile(ctx context.Context, rewritten []byte, features wazero.RuntimeConfig) (*stored, error) {
	skeleton, err := rewrite.Skeleton(rewritten)
	if err != nil {
		return nil, err
	}
	m := &stored{skeleton: skeleton}
	if _, m.code, err = s.codeOf(ctx, rewritten, features); err != nil {
		return nil, err
	}
	if m.meta.CodePath, _, err = s.codeOf(ctx, skeleton, features); err != nil {
		return nil, err
	}
	return m, nil
}

// codeOf returns the machine code of a module, and the path that the engine keeps it under.
func (s *store) codeOf(ctx context.Context, bin []byte, config wazero.RuntimeConfig) (path string, code []byte, err error) {
	dir, err := s.cache.Temp()
	if err != nil {
		return "", nil, err
	}
	defer os.RemoveAll(dir)
	files, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return "", nil, err
	}
	defer files.Close(ctx)
	rt := wazero.NewRuntimeWithConfig(ctx, config.WithCompilationCache(files))
	defer rt.Close(ctx)
	if _, err := compileModule(ctx, rt, bin); err != nil {
		return "", nil, err
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if path != "" {
			return errors.New("the engine keeps a module in several files")
		}
		if path, err = filepath.Rel(dir, name); err != nil {
			return err
		}
		code, err = os.ReadFile(name)
		return err
	})
	if err == nil && path == "" {
		err = errors.New("the engine keeps a module in no file")
	}
	return path, code, err
}

// load gives the engine a skeleton, and the code to go with it.
func (s *store) load(ctx context.Context, rt wazero.Runtime, m *stored) (wazero.CompiledModule, error) {
	path := filepath.Join(s.dir, m.meta.CodePath)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	switch {
	case err != nil:
	case m.code != nil:
		err = os.WriteFile(path, m.code, 0o600)
	default:
		err = m.entry.Link(fileCode, path)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	defer os.Remove(path) // the engine has read it
	return compileModule(ctx, rt, m.skeleton)
}

// setData keeps the segments.
func (m *stored) setData(segments []rewrite.Data) {
	for _, d := range segments {
		m.meta.Segments = append(m.meta.Segments, segment{d.Offset, len(d.Bytes)})
		m.data = append(m.data, d.Bytes...)
	}
}

// segments returns what was kept.
func (m *stored) segments() ([]rewrite.Data, error) {
	var all []rewrite.Data
	rest := m.data
	for _, d := range m.meta.Segments {
		if d.Size < 0 || d.Size > len(rest) {
			return nil, errors.New("the segments are damaged")
		}
		all = append(all, rewrite.Data{Offset: d.Offset, Fixed: true, Bytes: rest[:d.Size:d.Size]})
		rest = rest[d.Size:]
	}
	return all, nil
}
