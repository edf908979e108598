package runtime

import (
	"log/slog"
	"time"

	"github.com/wasmtools/wasmtools/tool"
)

// Options configure a [Runtime]. Nil is valid: default limits, silent, nobody to ask.
type Options struct {
	// Limits bound every call; see [tool.DefaultLimits] for what zero fields mean. A tool's spec can ask for less.
	Limits tool.Limits

	// Load bounds the loading of modules.
	Load LoadLimits

	// Logger gets what guests log. Nil discards it.
	Logger *slog.Logger

	// Approval says who is asked, and how long. Its zero value denies whatever needs approval.
	Approval Approval

	// Names says which characters names of tools may have. The zero value is tool.NativeNames.
	Names tool.NameProfile
}

// Approval says how decisions are obtained.
type Approval struct {
	// Approver decides. Nil means that nobody is there: what needs approval is not done.
	Approver tool.Approver

	// Timeout is how long an answer may take. Zero means 5 minutes, negative means for ever.
	Timeout time.Duration

	// OnTimeout is what happens then. The zero value rejects.
	OnTimeout tool.TimeoutAction

	// RequiredRole, if not empty, is the role in which the decision must have been made.
	RequiredRole string
}

// LoadLimits bound what a module may cost before any of its tools is called. A zero field means the default named here,
// tool.Unlimited no limit.
type LoadLimits struct {
	Module int64         // size of the module in bytes; 64 MiB
	Spec   int64         // size of the description that the module writes, in bytes; 1 MiB
	Tools  int64         // number of tools; 1000
	Time   time.Duration // for initialising the module and asking it for its description; 5 s
}

func (o *Options) check() error {
	if o == nil {
		return nil
	}
	if err := o.Limits.Check(); err != nil {
		return err
	}
	for _, l := range []struct {
		name  tool.LimitName
		value int64
	}{
		{tool.LimitModule, o.Load.Module}, {tool.LimitSpec, o.Load.Spec}, {tool.LimitTools, o.Load.Tools}, {tool.LimitTime, int64(o.Load.Time)},
	} {
		if err := tool.CheckLimit(l.name, l.value); err != nil {
			return err
		}
	}
	return nil
}

func (o *Options) orDefault() Options {
	var opts Options
	if o != nil {
		opts = *o
	}
	opts.Limits = opts.Limits.WithDefaults()
	opts.Load = opts.Load.withDefaults()
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	return opts
}

func (l LoadLimits) withDefaults() LoadLimits {
	if l.Module == 0 {
		l.Module = 64 << 20
	}
	if l.Spec == 0 {
		l.Spec = 1 << 20
	}
	if l.Tools == 0 {
		l.Tools = 1000
	}
	if l.Time == 0 {
		l.Time = 5 * time.Second
	}
	return l
}
