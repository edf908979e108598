package guest

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/sdk-guest/internal/host"
)

// Context is what a tool knows about its call and may ask its host. It is of no use after the call.
//
// It is a context.Context too, for libraries that want one: one that never ends and holds nothing. A call that
// takes too long is cut off from outside, wherever it is.
//
// The zero value belongs to no call: it knows nothing, drops logs and denies approval.
type Context struct{ call *call }

// call is the state of one call.
type call struct {
	host   host.Host
	tool   string
	values *abi.Context // nil until it was asked for
}

func newContext(h host.Host, tool string) Context { return Context{&call{host: h, tool: tool}} }

// Tool returns the name that the tool is registered under.
func (c Context) Tool() string {
	if c.call == nil {
		return ""
	}
	return c.call.tool
}

// CallID returns the ID that correlates the call with its result; it may be empty.
func (c Context) CallID() string { return c.values().CallID }

// MemoryID returns the ID of the conversation, session or user on whose behalf the tool runs. It comes from the application:
// a model can neither see nor set it. It is not empty if the tool is registered with [NeedsMemoryID].
func (c Context) MemoryID() string { return c.values().MemoryID }

// Param puts the application's parameter of that name into v, a pointer, as json.Unmarshal does. It is there if the tool is
// registered with [NeedsParam]; otherwise the error may say that it is not.
func (c Context) Param(name string, v any) error {
	text, ok := c.values().Params[name]
	if !ok {
		return fmt.Errorf("param %q: the application has set none", name)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("param %q: %w", name, err)
	}
	return nil
}

// values asks the host once. What the host says of itself is JSON; were it not, there would be no values.
func (c Context) values() *abi.Context {
	if c.call == nil {
		return &abi.Context{}
	}
	if c.call.values == nil {
		var values abi.Context
		if json.Unmarshal(c.call.host.Context(), &values) != nil {
			values = abi.Context{}
		}
		c.call.values = &values
	}
	return c.call.values
}

func (c Context) host() host.Host {
	if c.call == nil {
		return host.Host{}
	}
	return c.call.host
}

// Deadline returns none.
func (Context) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Done returns nil: the context never ends.
func (Context) Done() <-chan struct{} { return nil }

// Err returns nil.
func (Context) Err() error { return nil }

// Value returns nil.
func (Context) Value(any) any { return nil }
