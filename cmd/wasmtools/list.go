package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// wireModule is a module as list --json prints it.
type wireModule struct {
	Module string     `json:"module"`
	Digest string     `json:"digest,omitempty"`
	Tools  []wireTool `json:"tools"`
	Error  *wireError `json:"error,omitempty"` // why the module cannot be loaded
}

type wireTool struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
}

func newList(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list MODULE...",
		Short: "List the tools in modules",
		Long:  "List the tools in modules, each by the name that the command run takes. No tool is run.",
		Example: `  wasmtools list examples/calculator/calculator.wasm
  wasmtools list --json examples/calculator/calculator.wasm examples/csv/csv.wasm`,
		Args:              wholeModules,
		ValidArgsFunction: modulesOnly,
		RunE: func(cmd *cobra.Command, args []string) error {
			listed := []wireModule{}
			err := eachModule(cmd, g, args, func(path string, m *runtime.Module, err error) error {
				listed = append(listed, newWireModule(path, m, err))
				return err
			})
			if asJSON {
				return errors.Join(err, printJSON(cmd, listed, true))
			}
			return errors.Join(err, printText(cmd, listTable(listed)))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// modules is the check of a command that takes one module or more.
func modules(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errors.New("no module given")
	}
	return nil
}

// wholeModules is the check of a command that takes modules and no tools in them.
func wholeModules(cmd *cobra.Command, args []string) error {
	for _, arg := range args {
		ref := parseReference(arg)
		if ref.tool == "" {
			continue
		}
		hint := "leave out #" + ref.tool
		if cmd.Name() == "inspect" {
			hint += ", or use wasmtools spec " + shellQuote(arg)
		}
		return &usageError{fmt.Errorf("%s takes a whole module, not a tool", cmd.Name()), hint}
	}
	return modules(cmd, args)
}

// eachModule loads one module after the other and hands it, or why it was refused, to use. It goes on after an error and
// returns all that use returned.
func eachModule(cmd *cobra.Command, g *globals, paths []string, use func(path string, m *runtime.Module, err error) error) error {
	rt, done, err := runtimeFor(cmd, g.options(cmd))
	if err != nil {
		return err
	}
	defer done()
	var failures []error
	for _, path := range paths {
		m, err := load(cmd.Context(), rt, path)
		failures = append(failures, use(path, m, err))
		if cmd.Context().Err() != nil {
			break
		}
	}
	return errors.Join(failures...)
}

// newWireModule returns what is printed of a module that was loaded, or could not be because of refusal.
func newWireModule(path string, m *runtime.Module, refusal error) wireModule {
	if refusal != nil {
		return wireModule{Module: path, Tools: []wireTool{}, Error: newWireError(refusal)}
	}
	w := wireModule{Module: path, Digest: m.Info().Digest}
	for _, spec := range specs(m) {
		w.Tools = append(w.Tools, wireTool{spec.Name, spec.Title, spec.Description})
	}
	return w
}

// specs returns the specs of all tools of a module.
func specs(m *runtime.Module) []tool.Spec {
	var specs []tool.Spec
	for _, t := range m.Tools() {
		specs = append(specs, t.Spec())
	}
	return specs
}

// listTable has a line for each tool: what the command run takes, and the first line of the description.
func listTable(modules []wireModule) string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, m := range modules {
		for _, t := range m.Tools {
			fmt.Fprintf(table, "%s#%s\t%s\n", line(m.Module), t.Name, summary(t.Description))
		}
	}
	table.Flush()
	return trimLines(b.String())
}

// summary is the first line of a description, cut to what fits a screen.
func summary(description string) string {
	const width = 80
	first, _, _ := strings.Cut(strings.TrimSpace(description), "\n")
	if runes := []rune(first); len(runes) > width {
		first = string(runes[:width]) + "..."
	}
	return line(first)
}

// trimLines removes the blanks that a table leaves where a cell is empty.
func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
