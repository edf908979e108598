package schema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/wasmtools/wasmtools/internal/strictjson"
)

// Options bound a schema. Nil is the same as the zero value. Zero and negative numbers mean the default: there is always a
// limit.
type Options struct {
	// MaxBytes is the size of the text. The default is 64 KiB.
	MaxBytes int

	// MaxDepth is how deep subschemas nest, with two levels of JSON to each. The default is 32.
	MaxDepth int

	// MaxSubschemas is how many objects and booleans the text holds. The default is 2000.
	MaxSubschemas int

	// MaxCost is how many subschemas there are when every $ref is replaced by what it refers to, a recursive one by
	// nothing. The default is 10 000.
	MaxCost int

	// MaxWork is what checking one value may cost, the report of what is wrong with it included, in units of roughly a
	// microsecond and half a kilobyte. The default is 50 000, which is an array of some 40 000 numbers.
	MaxWork int

	// load, in tests alone, gives other documents to refer to and turns off the guards that no number moves.
	load func(url string) (any, error)
}

func (o *Options) maxBytes() int {
	return o.or(64<<10, func(o *Options) int { return o.MaxBytes })
}

func (o *Options) maxDepth() int {
	return o.or(32, func(o *Options) int { return o.MaxDepth })
}

func (o *Options) maxSubschemas() int {
	return o.or(2000, func(o *Options) int { return o.MaxSubschemas })
}

func (o *Options) maxCost() int {
	return o.or(10_000, func(o *Options) int { return o.MaxCost })
}

func (o *Options) maxWork() int {
	return o.or(50_000, func(o *Options) int { return o.MaxWork })
}

// or returns the field that is asked for, or def where it is not set.
func (o *Options) or(def int, field func(*Options) int) int {
	if o == nil || field(o) <= 0 {
		return def
	}
	return field(o)
}

func (o *Options) relaxed() bool { return o != nil && o.load != nil }

// Schema is a compiled JSON Schema.
type Schema struct {
	compiled *jsonschema.Schema
	open     bool   // the schema is {} or true
	graph    *graph // nil if validation is not metered
	maxWork  int64
	size     int64
}

// location is the URL of the schema's own document. No loader knows it.
const (
	scheme   = "tool://"
	location = scheme + "/schema"
)

// CompileInput compiles the input schema of a tool, which has to be of "type":"object". See [Compile].
func CompileInput(text []byte, o *Options) (*Schema, error) {
	s, err := Compile(text, o)
	if err != nil {
		return nil, err
	}
	if types := s.compiled.Types; types == nil || len(types.ToStrings()) != 1 || types.ToStrings()[0] != "object" {
		return nil, NotForObject
	}
	return s, nil
}

// Compile compiles a schema. The error wraps a [Refusal]; its text is for the tool's author. It cannot be cut off, and takes
// up to some tenths of a second and 120 MB for one schema: who compiles many looks at the clock in between, and at
// [Schema.Size].
func Compile(text []byte, o *Options) (*Schema, error) {
	doc, err := guard(text, o)
	if err != nil {
		return nil, err
	}
	compiled, err := compile(doc, o)
	if err != nil {
		return nil, err
	}
	s := &Schema{compiled: compiled, open: isOpen(doc), maxWork: int64(o.maxWork())}
	if o.relaxed() {
		return s, nil
	}
	if s.graph, err = newGraph(compiled, o); err != nil {
		return nil, err
	}
	s.size = s.graph.size() + 20*int64(len(text))
	return s, nil
}

// Size is roughly how many bytes of memory the schema keeps. It may be a thousand times the size of its text.
func (s *Schema) Size() int64 { return s.size }

func isOpen(doc *strictjson.Value) bool {
	return (doc.Kind == strictjson.Object && len(doc.Items) == 0) || (doc.Kind == strictjson.Bool && doc.Text == "true")
}

func compile(doc *strictjson.Value, o *Options) (s *jsonschema.Schema, err error) {
	c := jsonschema.NewCompiler()
	c.UseLoader(loader{o})
	re := newPatterns()
	defer func() { re.closed = true }()
	c.UseRegexpEngine(re.compile)
	if !o.relaxed() {
		c.AssertFormat()
	}
	err = contain(func() error {
		if err := c.AddResource(location, doc.Any()); err != nil {
			return err
		}
		s, err = c.Compile(location)
		return err
	})
	if err == nil {
		return s, nil
	}
	var (
		load    *jsonschema.LoadURLError
		invalid *jsonschema.SchemaValidationError
	)
	switch {
	case re.err != nil:
		return nil, re.err
	case errors.As(err, &load):
		return nil, fmt.Errorf("%w: %q", RefOutside, clip(strings.TrimPrefix(load.URL, scheme), 100))
	case errors.As(err, &invalid):
		if verr, ok := errors.AsType[*jsonschema.ValidationError](invalid.Err); ok {
			return nil, fmt.Errorf("%w: %s", NotSchema, describe(verr, doc, nil, member))
		}
	}
	return nil, fmt.Errorf("%w: %s", NotSchema, strings.ReplaceAll(clip(err.Error(), 300), location, ""))
}

// loader keeps the compiler from the file system and the network.
type loader struct{ o *Options }

func (l loader) Load(url string) (any, error) {
	if l.o.relaxed() {
		return l.o.load(url)
	}
	return nil, RefOutside
}

// contain turns a panic of the library, which would be a defect of it, into an error: it sees untrusted input.
func contain(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("defect in the schema library: %v", r)
		}
	}()
	return f()
}

// clip shortens s, which may be of any length, to about n bytes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
