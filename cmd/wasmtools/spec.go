package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func newSpec(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "spec MODULE[#TOOL]",
		Short: "Print what a tool says of itself",
		Long: `Print the specs of a module's tools: names, descriptions, schemas of arguments and results, annotations. With #TOOL it is
the spec of that tool, without it the list of all. No tool is run.`,
		Example: `  wasmtools spec examples/calculator/calculator.wasm#divide
  wasmtools spec --json examples/csv/csv.wasm`,
		Args:              oneModule,
		ValidArgsFunction: oneModuleOnly,
		RunE: func(cmd *cobra.Command, args []string) error {
			spec, err := loadSpec(cmd, g, parseReference(args[0]))
			if err != nil {
				return refused(cmd, args[0], err, asJSON)
			}
			return printJSON(cmd, spec, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print compact JSON on one line")
	return cmd
}

// loadSpec returns the spec of the tool that ref names, or the specs of all tools.
func loadSpec(cmd *cobra.Command, g *globals, ref reference) (any, error) {
	rt, done, err := runtimeFor(cmd, g.options(cmd))
	if err != nil {
		return nil, err
	}
	defer done()
	m, err := load(cmd.Context(), rt, ref.path)
	if err != nil {
		return nil, err
	}
	if ref.tool == "" {
		return specs(m), nil
	}
	t, err := m.Tool(ref.tool)
	if err != nil {
		return nil, err
	}
	return t.Spec(), nil
}

// wireRefusal is what --json prints of a module about which nothing is known but why.
type wireRefusal struct {
	Module string     `json:"module"`
	Error  *wireError `json:"error"`
}

// refused returns the refusal, after it is printed if JSON is wanted.
func refused(cmd *cobra.Command, module string, refusal error, asJSON bool) error {
	if !asJSON {
		return refusal
	}
	return errors.Join(refusal, printJSON(cmd, wireRefusal{module, newWireError(refusal)}, true))
}

// oneModuleOnly makes a shell complete one module and nothing after it.
func oneModuleOnly(cmd *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return modulesOnly(cmd, args, text)
}

// oneModule is the check of a command that takes one module.
func oneModule(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return errors.New("one module only, please")
	}
	return modules(cmd, args)
}
