package main

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// globals are the flags that all commands have.
type globals struct {
	level   choice
	format  choice
	profile choice
	noCache bool
	limits  tool.Limits
	load    runtime.LoadLimits

	turn sync.Mutex // held by whoever writes to the standard error while a tool is called
}

func newRoot() *cobra.Command {
	g := &globals{
		level:   oneOf("warn", "trace", "debug", "info", "warn", "error"),
		format:  oneOf("text", "text", "json"),
		profile: oneOf("native", "native", "mcp"),
		limits:  tool.DefaultLimits(),
		load:    runtime.DefaultLoadLimits(),
	}
	root := &cobra.Command{
		Use:   "wasmtools",
		Short: "Run the tools in WebAssembly modules",
		Long: `Wasmtools runs tools for language models. A tool lives in a WebAssembly module that need not be trusted: every call
has a fresh state, limits of time and memory, and no files, network or environment.

` + exitCodes,
		Example: `  wasmtools list examples/calculator/calculator.wasm
  wasmtools run examples/calculator/calculator.wasm#add a=1 b=2
  wasmtools inspect examples/csv/csv.wasm`,
		Args:          cobra.ArbitraryArgs,
		RunE:          unknownCommand,
		Version:       versionLine(buildInfo()),
		SilenceErrors: true, SilenceUsage: true,
		SuggestionsMinimumDistance: 2,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(newHelp())
	flags := root.PersistentFlags()
	flags.Var(&g.level, "log-level", "log what is at least of this level")
	flags.Var(&g.format, "log-format", "format of the log")
	flags.Var(&g.profile, "name-profile", "characters that names of tools may have: letters, digits and '_', or '-' and '.' besides")
	flags.BoolVar(&g.noCache, "no-cache", false, "neither look for compiled modules in the cache nor keep them there")
	registerLimits(root, &g.limits, &g.load)
	completeChoices(root, flags)
	root.SetFlagErrorFunc(unknownFlag)
	root.AddCommand(newRun(g), newList(g), newSpec(g), newInspect(g), newValidate(g), newCache(), newVersion())
	addCompletion(root)
	return root
}

// newHelp differs from cobra's own command in that a topic that is not known is an error.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Help about any command",
		Example: "  wasmtools help run",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			switch {
			case err != nil, about == cmd.Root() && len(rest) > 0:
				return unknownCommand(cmd.Root(), args)
			case len(rest) > 0:
				return usageAs(about, fmt.Errorf("unexpected argument %q", rest[0]))
			}
			return about.Help()
		},
	}
}

// addCompletion adds cobra's own command, and makes a shell that it does not know an error.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// unknownCommand is what runs if no command was named. It knows the most likely slip.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return root.Help()
	}
	err := fmt.Errorf("unknown command %q", args[0])
	switch suggestions := root.SuggestionsFor(args[0]); {
	case filepath.Ext(parseReference(args[0]).path) == ".wasm":
		return &usageError{err, "did you mean wasmtools run " + args[0] + "?"}
	case len(suggestions) > 0:
		return &usageError{err, "did you mean " + strings.Join(suggestions, " or ") + "?"}
	}
	return usageAs(root, err)
}

// unknownFlag knows the flag that people expect and that there is none of.
func unknownFlag(_ *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedName() == "tool" {
		return &usageError{err, "a tool is named with #: MODULE#TOOL"}
	}
	return err
}

// options are the runtime's options as far as the global flags say.
func (g *globals) options(cmd *cobra.Command) *runtime.Options {
	o := &runtime.Options{Logger: slog.New(g.handler(cmd)), Limits: g.limits, Load: g.load}
	if g.profile.value == "mcp" {
		o.Names = tool.MCPNames
	}
	if g.noCache {
		return o
	}
	dir, err := usableCache()
	if err != nil {
		o.Logger.Info("modules are compiled anew", slog.String("reason", err.Error()))
		return o
	}
	o.CacheDir, o.CacheSize = dir, maxCache
	return o
}

func (g *globals) handler(cmd *cobra.Command) slog.Handler {
	levels := map[string]slog.Level{
		"trace": levelTrace, "debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
	}
	o := &slog.HandlerOptions{Level: levels[g.level.value], ReplaceAttr: nameTrace}
	w := turnWriter{&g.turn, cmd.ErrOrStderr()}
	if g.format.value == "json" {
		return slog.NewJSONHandler(w, o)
	}
	return slog.NewTextHandler(w, o)
}

// levelTrace is one step below slog's lowest level.
const levelTrace = slog.LevelDebug - 4

// nameTrace gives that level a name.
func nameTrace(groups []string, a slog.Attr) slog.Attr {
	if level, ok := a.Value.Any().(slog.Level); ok && len(groups) == 0 && a.Key == slog.LevelKey && level == levelTrace {
		return slog.String(slog.LevelKey, "TRACE")
	}
	return a
}

// runtimeFor starts a runtime. The caller closes it by calling done.
func runtimeFor(cmd *cobra.Command, o *runtime.Options) (rt *runtime.Runtime, done func(), err error) {
	rt, err = runtime.New(cmd.Context(), o)
	if err != nil {
		return nil, nil, err
	}
	return rt, func() { _ = rt.Close(cmd.Context()) }, nil // the process ends: nothing hangs on the error
}
