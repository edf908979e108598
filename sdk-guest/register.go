package guest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/host"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/module"
	"github.com/wasmtools/wasmtools/sdk-guest/schema"
)

// None is the type of no arguments, and of no result: the model then reads "Success".
type None = struct{}

// Register adds a tool. Call it in init, since main does not run in a guest. The order of registration is the order of the
// tools.
//
// The function may be a function, a method value or a closure. In is a struct, whose fields are the parameters, or a map;
// the package documentation says how its type becomes the input schema and Out becomes the result. A blank name stands
// for the function's own, which standard Go knows and TinyGo does not.
//
// What is wrong with a registration, such as a type without a schema or a default that does not fit, makes the module
// fail to load with a text that names the tool and the parameter. Nothing panics.
func Register[In, Out any](name, description string, fn func(Context, In) (Out, error), options ...Option) {
	in, out := reflect.TypeFor[In](), reflect.TypeFor[Out]()
	d := newDefinition(name, description, fn, fn == nil, options)
	d.schemas = func() (err error) {
		if d.spec.InputSchema, err = schema.Input(in, d.open); err != nil {
			return err
		}
		d.spec.OutputSchema, err = outputSchema(out)
		return err
	}
	defaults := schema.NewDefaults(in, d.open)
	d.call = func(c Context, text []byte) (any, error) {
		var args In
		text, err := defaults.Apply(text)
		if err == nil {
			err = json.Unmarshal(text, &args)
		}
		if err != nil {
			return nil, badArguments(err)
		}
		return fn(c, args)
	}
	d.warmUp = func() { // codecs look at a type when they first meet it
		var args In
		var result Out
		if text, err := defaults.Apply([]byte("{}")); err == nil {
			_ = json.Unmarshal(text, &args) // arguments may be missing
		}
		encode(result, nil)
	}
	d.register()
}

// WarmUp adds a function that is called while the module is loaded, before there are any calls, and perhaps several times. Every
// call then begins with what it left in memory: it is the place for tables and caches that take time to fill. It cannot use
// the host. If it panics, the module is used as if no warm-up were there.
func WarmUp(fn func()) {
	if fn != nil {
		module.Registered().AddWarmUp(fn)
	}
}

// badArguments says why arguments did not decode. The host has compared them with the schema, so it is mostly about what a
// schema cannot say, such as which dates there are.
func badArguments(err error) error {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) && mismatch.Field != "" {
		return BadArguments(fmt.Sprintf("%q: must be of type %s, not %s", mismatch.Field, mismatch.Type, mismatch.Value))
	}
	return BadArguments(err.Error())
}

// RegisterText adds a tool of a single text: its schema has one string, "input", and the function gets that string, or
// whatever else the model sent instead, as it came. Everything else is as for [Register].
func RegisterText(name, description string, fn func(Context, string) (string, error), options ...Option) {
	d := newDefinition(name, description, fn, fn == nil, options)
	d.spec.Input = abi.InputText
	d.schemas = func() error {
		d.spec.InputSchema = json.RawMessage(textSchema)
		return nil
	}
	d.call = func(c Context, text []byte) (any, error) { return fn(c, string(text)) }
	d.register()
}

// textSchema is the one schema that all tools of a single text have. The host puts it in place of any other.
const textSchema = `{"type":"object","properties":{"input":{"type":"string","description":"The input to pass to the tool"}},"required":["input"]}`

// definition is a tool on its way into the module.
type definition struct {
	spec    abi.Tool
	open    bool // arguments that the tool does not have are ignored
	err     error
	schemas func() error
	call    func(Context, []byte) (any, error)
	warmUp  func()
}

func newDefinition(name, description string, fn any, isNil bool, options []Option) *definition {
	d := &definition{spec: abi.Tool{Name: name, Description: description}}
	switch {
	case isNil:
		d.fail(errors.New("the function is nil"))
	case strings.TrimSpace(name) == "":
		d.spec.Name = functionName(fn)
		if d.spec.Name == "" {
			d.fail(errors.New("the name is blank, and the function's own is not known here"))
		}
	}
	for _, option := range options {
		if option != nil {
			option(d)
		}
	}
	return d
}

// fail keeps the first error.
func (d *definition) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

func (d *definition) register() {
	module.Registered().Add(module.Tool{Spec: d.describe, Run: d.run, WarmUp: d.warmUp})
}

// describe returns the spec. Schemas are made here and not at registration because a call does not need them.
func (d *definition) describe() (string, error) {
	err := d.err
	if err == nil {
		err = d.schemas()
	}
	if err != nil {
		return "", fmt.Errorf("register tool %q: %w", d.spec.Name, err)
	}
	text, err := marshal(d.spec)
	return string(text), err
}

// run does one call.
func (d *definition) run(h host.Host) abi.Status {
	c := newContext(h, d.spec.Name)
	value, err := any(nil), d.ready(c)
	if err == nil {
		value, err = d.call(c, h.Input())
	}
	output, status := encode(value, err)
	h.Write(output)
	return status
}

// ready makes sure of what the host has promised: a tool whose data hangs on an ID must not run without one.
func (d *definition) ready(c Context) error {
	if d.err != nil {
		return Failed(d.err.Error())
	}
	for _, name := range d.spec.Inject {
		param, isParam := strings.CutPrefix(name, abi.InjectParam)
		if _, ok := c.values().Params[param]; isParam && !ok || !isParam && c.MemoryID() == "" {
			return Failed(fmt.Sprintf("the host has not provided %q", name))
		}
	}
	return nil
}

// functionName returns the name of a function or a method, "" for a function literal and where the compiler keeps none.
func functionName(fn any) string {
	f := runtime.FuncForPC(reflect.ValueOf(fn).Pointer())
	if f == nil {
		return ""
	}
	// path/to/pkg.name, with [...] if it is generic; pkg.Type.name-fm; pkg.outer.func1, and pkg.outer.func1.2 within that
	full := strings.TrimSuffix(strings.TrimSuffix(f.Name(), "-fm"), "[...]")
	name := full[strings.LastIndexByte(full, '.')+1:]
	if strings.Trim(strings.TrimPrefix(name, "func"), "0123456789") == "" {
		return ""
	}
	return name
}

// marshal is json.Marshal without HTML escapes: models read this.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
