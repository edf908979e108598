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

	// Totals bound all calls and modules together.
	Totals TotalLimits

	// Logger gets what guests log. Nil discards it.
	Logger *slog.Logger

	// Approval says who is asked, and how long. Its zero value denies whatever needs approval.
	Approval Approval

	// CacheDir is a folder for what takes long to find out about modules, above all their machine code, so that it need not
	// be found out again. It is made if it is not there, and must be accessible to nobody else: who can write to it can make
	// this process run anything. Empty means none.
	CacheDir string

	// CacheSize is how large the files in CacheDir may be together, in bytes. Zero means 1 GiB, tool.Unlimited no limit.
	CacheSize int64

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
	Module    int64         // size of the module in bytes; 64 MiB
	Functions int64         // functions, imported ones included; 100,000
	Code      int64         // size of its code in bytes; 32 MiB
	Table     int64         // elements of its tables together, however they grow; 200,000
	Compile   time.Duration // for compiling it, given up between two functions; 30 s
	Spec      int64         // size of the description that the module writes, in bytes; 1 MiB
	Tools     int64         // number of tools; 1000
	Time      time.Duration // for each of: initialising and describing it, done twice, and its schemas; 5 s
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
		{tool.LimitModule, o.Load.Module}, {tool.LimitFunctions, o.Load.Functions}, {tool.LimitCode, o.Load.Code},
		{tool.LimitTable, o.Load.Table}, {tool.LimitCompile, int64(o.Load.Compile)},
		{tool.LimitSpec, o.Load.Spec}, {tool.LimitTools, o.Load.Tools}, {tool.LimitTime, int64(o.Load.Time)},
		{tool.LimitModules, o.Totals.Modules}, {tool.LimitInstances, o.Totals.Instances},
		{tool.LimitTotalMemory, o.Totals.Memory}, {tool.LimitAbandoned, o.Totals.Abandoned},
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
	opts.Totals = opts.Totals.withDefaults()
	opts.CacheSize = or(opts.CacheSize, 1<<30)
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	return opts
}

// DefaultLoadLimits returns what a zero field of [LoadLimits] means.
func DefaultLoadLimits() LoadLimits { return LoadLimits{}.withDefaults() }

func (l LoadLimits) withDefaults() LoadLimits {
	return LoadLimits{
		Module: or(l.Module, 64<<20), Functions: or(l.Functions, 100_000), Code: or(l.Code, 32<<20),
		Table: or(l.Table, 200_000), Compile: or(l.Compile, 30*time.Second),
		Spec: or(l.Spec, 1<<20), Tools: or(l.Tools, 1000), Time: or(l.Time, 5*time.Second),
	}
}
