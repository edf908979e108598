package guest

import (
	"encoding/json"
	"fmt"

	"github.com/wasmtools/wasmtools/abi"
)

// Option says more about a tool than its name, description and function do.
type Option func(*definition)

// Limits are limits that a tool asks for; zero asks for nothing. They can only lower what the host allows.
type Limits = abi.Limits

// Title is a name for people.
func Title(title string) Option { return func(d *definition) { d.spec.Title = title } }

// Version is the author's version of the tool, free text.
func Version(version string) Option { return func(d *definition) { d.spec.Version = version } }

// ReadOnly claims that the tool does not change anything.
func ReadOnly() Option { return annotate(func(a *abi.Annotations) { a.ReadOnly = pointer(true) }) }

// Destructive claims that the tool may, or never does, destroy what was there.
func Destructive(destructive bool) Option {
	return annotate(func(a *abi.Annotations) { a.Destructive = pointer(destructive) })
}

// Idempotent claims that doing it twice is like doing it once.
func Idempotent() Option {
	return annotate(func(a *abi.Annotations) { a.Idempotent = pointer(true) })
}

// OpenWorld claims that the tool reaches things outside the host.
func OpenWorld() Option {
	return annotate(func(a *abi.Annotations) { a.OpenWorld = pointer(true) })
}

// ClosedWorld claims that it does not.
func ClosedWorld() Option {
	return annotate(func(a *abi.Annotations) { a.OpenWorld = pointer(false) })
}

// pointer stands in for new(value), which TinyGo 0.41 compiles to a pointer to zero.
func pointer(value bool) *bool { return &value }

func annotate(set func(*abi.Annotations)) Option {
	return func(d *definition) {
		if d.spec.Annotations == nil {
			d.spec.Annotations = &abi.Annotations{}
		}
		set(d.spec.Annotations)
	}
}

// ReturnImmediate hands the result to the caller and not to the model, if all calls of the round do.
func ReturnImmediate() Option { return func(d *definition) { d.spec.Return = abi.ReturnImmediate } }

// ReturnImmediateIfLast hands the round's results to the caller if the call is the last of its round.
func ReturnImmediateIfLast() Option {
	return func(d *definition) { d.spec.Return = abi.ReturnImmediateIfLast }
}

// Metadata is a JSON object for applications. Text that is not one is an error of the registration.
func Metadata(text string) Option {
	return func(d *definition) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &members); err != nil || members == nil {
			d.fail(fmt.Errorf("metadata %q: not a JSON object", text))
			return
		}
		d.spec.Metadata = json.RawMessage(text)
	}
}

// RequestLimits asks for lower limits.
func RequestLimits(limits Limits) Option { return func(d *definition) { d.spec.Limits = &limits } }

// RequireApproval asks for a person's consent before every call.
func RequireApproval() Option { return func(d *definition) { d.spec.RequireApproval = true } }

// NeedsMemoryID says that the tool cannot run without [Context.MemoryID].
func NeedsMemoryID() Option { return inject(abi.InjectMemoryID) }

// NeedsParam says that the tool cannot run without the parameter of that name; see [Context.Param].
func NeedsParam(name string) Option { return inject(abi.InjectParam + name) }

func inject(name string) Option {
	return func(d *definition) { d.spec.Inject = append(d.spec.Inject, name) }
}

// AllowUnknown lets the model send arguments that the tool does not have. They are ignored. Without it they are refused.
// Within nested structs they always are.
func AllowUnknown() Option { return func(d *definition) { d.open = true } }
