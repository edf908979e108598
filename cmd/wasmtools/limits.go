package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// limitNames are the names that --limit knows the fields of the limits by.
func limitNames(call *tool.Limits, load *runtime.LoadLimits) map[string]pflag.Value {
	return map[string]pflag.Value{
		"time":       timeLimit{&call.Time},
		"fuel":       countLimit{&call.Fuel},
		"memory":     sizeLimit{&call.Memory},
		"stack":      sizeLimit{&call.Stack},
		"input":      sizeLimit{&call.Input},
		"output":     sizeLimit{&call.Output},
		"log-bytes":  sizeLimit{&call.LogBytes},
		"log-lines":  countLimit{&call.LogLines},
		"host-calls": countLimit{&call.HostCalls},
		"approvals":  countLimit{&call.Approvals},

		"module-size":    sizeLimit{&load.Module},
		"functions":      countLimit{&load.Functions},
		"code-size":      sizeLimit{&load.Code},
		"table-elements": countLimit{&load.Table},
		"compile-time":   timeLimit{&load.Compile},
		"spec-size":      sizeLimit{&load.Spec},
		"tools":          countLimit{&load.Tools},
		"load-time":      timeLimit{&load.Time},
	}
}

// limitFlag is a flag that sets any limit by its name, as in stack=8MiB. It implements pflag.Value.
type limitFlag struct{ limits map[string]pflag.Value }

func (limitFlag) String() string { return "" }

func (limitFlag) Type() string { return "NAME=VALUE" }

func (l limitFlag) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	limit, known := l.limits[name]
	if !ok || !known {
		return fmt.Errorf("want NAME=VALUE with one of the names %s", strings.Join(l.names(), ", "))
	}
	return limit.Set(value)
}

func (l limitFlag) names() []string { return slices.Sorted(maps.Keys(l.limits)) }

// registerLimits adds the flag to a command and all below it.
func registerLimits(cmd *cobra.Command, call *tool.Limits, load *runtime.LoadLimits) {
	flag := limitFlag{limitNames(call, load)}
	cmd.PersistentFlags().Var(flag, "limit", "set one limit, as in stack=8MiB or host-calls=unlimited; wasmtools help run lists the names")
	var completions []string
	for _, name := range flag.names() {
		completions = append(completions, name+"=")
	}
	values := cobra.FixedCompletions(completions, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
	_ = cmd.RegisterFlagCompletionFunc("limit", values) // fails only if done twice
}

// limitsHelp lists the names and the defaults.
func limitsHelp() string {
	call := tool.DefaultLimits()
	load := runtime.DefaultLoadLimits()
	limits := limitNames(&call, &load)
	var b strings.Builder
	b.WriteString("Limits, their defaults (--limit NAME=VALUE):\n")
	for _, name := range (limitFlag{limits}).names() {
		fmt.Fprintf(&b, "  %-16s%s\n", name, limits[name])
	}
	return b.String()
}

// flagFor returns how a limit is set, or "".
func flagFor(limit *tool.LimitError, loading bool) string {
	name := strings.ReplaceAll(string(limit.Name), " ", "-")
	value, named := limitNames(&tool.Limits{}, &runtime.LoadLimits{})[name]
	switch {
	case limit.Name == tool.LimitTime && loading:
		return "--limit load-time=DURATION"
	case limit.Name == tool.LimitTime:
		return "--timeout"
	case limit.Name == tool.LimitFuel, limit.Name == tool.LimitMemory:
		return "--" + name
	case named:
		return "--limit " + name + "=" + value.Type()
	}
	return ""
}
