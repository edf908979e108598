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
		ValidArgsFunction: modulesOnly,
		RunE: func(cmd *cobra.Command, args []string) error {
			ref := parseReference(args[0])
			rt, done, err := runtimeFor(cmd, g.options(cmd))
			if err != nil {
				return err
			}
			defer done()
			m, err := load(cmd.Context(), rt, ref.path)
			if err != nil {
				return err
			}
			if ref.tool == "" {
				return printJSON(cmd, specs(m), asJSON)
			}
			t, err := m.Tool(ref.tool)
			if err != nil {
				return err
			}
			return printJSON(cmd, t.Spec(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print compact JSON on one line")
	return cmd
}

// oneModule is the check of a command that takes one module.
func oneModule(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return errors.New("one module only, please")
	}
	return modules(cmd, args)
}
