package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wasmtools/wasmtools/tool"
)

// runCommand is the command run with its flags.
type runCommand struct {
	globals  *globals
	args     []string
	json     bool
	raw      bool
	memoryID string
	params   []string
	approval approvalFlags
}

func newRun(g *globals) *cobra.Command {
	r := &runCommand{globals: g}
	cmd := &cobra.Command{
		Use:   "run MODULE[#TOOL] ['{...}' | KEY=VALUE ... | @FILE | -]",
		Short: "Call a tool",
		Long: `Call a tool and print its result as a model would get it. #TOOL may be left out where the module has one tool.

The arguments are a JSON object, or pairs of a key and a value, or come from a file (@FILE) or the standard input (-).
The value of a pair is JSON where the tool's schema wants a number, a boolean, null, a list or an object, and text
otherwise; KEY=@FILE takes it from a file, KEY=@@TEXT begins with one @. A key that is repeated makes a list. A tool
that takes one text gets the argument as it is; a text that looks like a pair is written input=TEXT.

Limits are sizes such as 512KiB or 16MiB, durations such as 500ms or 2m, numbers, or "unlimited". A tool may ask for less.

` + limitsHelp() + "\n" + exitCodes,
		Example: `  wasmtools run examples/calculator/calculator.wasm#add '{"a": 1, "b": 2}'
  wasmtools run examples/calculator/calculator.wasm#sqrt x=2 --json
  wasmtools run examples/csv/csv.wasm data=@examples/csv/orders.csv limit=3
  wasmtools run examples/deploy/deploy.wasm#deploy service=shop version=2.4.1 environment=staging --approve=auto
  echo '{"a": 6, "b": 7}' | wasmtools run examples/calculator/calculator.wasm#multiply -`,
		Args:              modules,
		ValidArgsFunction: moduleThenFiles,
		RunE:              r.run,
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&r.args, "args", nil, "the `ARGUMENTS`, in any of the forms above")
	flags.BoolVar(&r.json, "json", false, "print the result, or the error, with all that is known about the call")
	flags.BoolVar(&r.raw, "raw", false,
		"print the result byte for byte: no line end added, nothing escaped, binary content as it is")
	flags.Var(timeLimit{&g.limits.Time}, "timeout", "limit of the time that the tool runs")
	flags.Var(countLimit{&g.limits.Fuel}, "fuel", "limit of the tool's work, about one for each instruction")
	flags.Var(sizeLimit{&g.limits.Memory}, "memory", "limit of the tool's memory")
	flags.StringVar(&r.memoryID, "memory-id", "", "ID of the conversation or user on whose behalf the tool runs")
	flags.StringArrayVar(&r.params, "param", nil,
		"`KEY=VALUE` for the tool that a model does not see; a value that is JSON is taken as JSON")
	r.approval.register(flags)
	completeChoices(cmd, flags)
	return cmd
}

// run makes the call and prints what came of it.
func (r *runCommand) run(cmd *cobra.Command, args []string) error {
	ref := parseReference(args[0])
	texts, err := checkForms(ref, args[1:], r.args)
	if err != nil {
		return usageAs(cmd, err)
	}
	if r.json && r.raw {
		return usageAs(cmd, errors.New("--json and --raw exclude each other"))
	}
	invocation := tool.Invocation{MemoryID: r.memoryID}
	if invocation.Params, err = parseParams(r.params); err != nil {
		return usageAs(cmd, err)
	}
	out := outcome{ID: callID(), Name: ref.tool}
	out.err = r.call(cmd, ref, texts, invocation, &out)
	var usage *usageError
	if errors.As(out.err, &usage) {
		return out.err
	}
	if r.json {
		return errors.Join(out.failure(), printJSON(cmd, out.wire(), true))
	}
	if out.failure() != nil {
		return out.failure()
	}
	return printResult(cmd, out.result, r.raw)
}

// call fills out, and returns the error that kept the tool from running to its end.
func (r *runCommand) call(
	cmd *cobra.Command, ref reference, texts []string, invocation tool.Invocation, out *outcome,
) (err error) {
	ctx := cmd.Context()
	o := r.globals.options(cmd)
	absent := findAbsence(cmd, takesStdin(texts))
	if o.Approval, err = r.approval.options(cmd, absent, &r.globals.turn); err != nil {
		return err
	}
	if o.Approval.Approver != nil {
		absent = nil
	}
	rt, done, err := runtimeFor(cmd, o)
	if err != nil {
		return err
	}
	defer done()
	module, err := load(ctx, rt, ref.path)
	if err != nil {
		return err
	}
	t, err := module.Tool(ref.tool)
	if err != nil {
		return whichTool(err, ref, texts, func(name string) bool { _, err := module.Tool(name); return err == nil })
	}
	spec := t.Spec()
	out.Name = spec.Name
	advice := advice{path: ref.path, spec: spec, texts: texts, invocation: invocation, absent: absent}
	defer func() { out.hint = advice.hint(out.failureOf(err)) }()
	advice.arguments, err = readArguments(ctx, spec, texts, cmd.InOrStdin(), r.globals.limits.Tighten(spec.Limits).Input)
	if err != nil {
		return err
	}
	out.result, err = t.Call(ctx, tool.Call{ID: out.ID, Arguments: advice.arguments, Invocation: invocation})
	r.globals.turn.Lock() // a prompt has had its last words
	defer r.globals.turn.Unlock()
	return err
}

// parseParams reads KEY=VALUE pairs. A value is JSON if it can be.
func parseParams(pairs []string) (map[string]any, error) {
	params := map[string]any{}
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		_, twice := params[key]
		switch {
		case !ok || key == "":
			return nil, fmt.Errorf("parameter %q is not key=value", pair)
		case twice:
			return nil, fmt.Errorf("parameter %q is given twice", key)
		case json.Valid([]byte(value)):
			params[key] = json.RawMessage(value)
		default:
			params[key] = value
		}
	}
	return params, nil
}

// callID returns an ID that ties the result to what was logged.
func callID() string { return "call_" + strings.ToLower(rand.Text()[:10]) }
