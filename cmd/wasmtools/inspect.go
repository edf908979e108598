package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/wasmtools/wasmtools/internal/printable"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// inspection is what inspect prints.
type inspection struct {
	Module string `json:"module"`
	runtime.Info
	Tools []wireTool `json:"tools"`
	Error *wireError `json:"error,omitempty"` // why the module cannot be loaded
}

func newInspect(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect MODULE",
		Short: "Show what a module is and could ask for",
		Long: `Show a module's digest, size, memory and toolchain, its tools, and its capabilities: what it could ever ask the host for.
Whether it gets it is up to who runs it. All but the tools is told without running anything, even of a module that
cannot be loaded.`,
		Example: `  wasmtools inspect examples/deploy/deploy.wasm
  wasmtools inspect --json examples/csv/csv.wasm`,
		Args:              cobra.MatchAll(oneModule, wholeModules),
		ValidArgsFunction: oneModuleOnly,
		RunE: func(cmd *cobra.Command, args []string) error {
			return eachModule(cmd, g, args, func(path string, m *runtime.Module, err error) error {
				return inspect(cmd, path, m, err, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON on one line")
	return cmd
}

// inspect prints what is known of a module that was loaded, or could not be because of refusal.
func inspect(cmd *cobra.Command, path string, m *runtime.Module, refusal error, asJSON bool) error {
	i := inspection{Module: path, Tools: []wireTool{}}
	if refusal == nil {
		i.Info, i.Tools = m.Info(), newWireModule(path, m, nil).Tools
	} else {
		err := refusal
		if !errors.Is(refusal, tool.LimitModule) { // or else it is too large to be read, too
			i.Info, err = runtime.InspectFile(path)
		}
		if err != nil {
			return refused(cmd, path, refusal, asJSON)
		}
		i.Error = newWireError(refusal)
	}
	if asJSON {
		return errors.Join(refusal, printJSON(cmd, i, true))
	}
	return errors.Join(refusal, printText(cmd, i.String()))
}

// String is the inspection as a person reads it.
func (i *inspection) String() string {
	var b strings.Builder
	facts := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(facts, "module\t%s\n", line(i.Module))
	fmt.Fprintf(facts, "digest\t%s\n", i.Digest)
	fmt.Fprintf(facts, "size\t%d bytes, %d functions\n", i.Size, i.Functions)
	fmt.Fprintf(facts, "memory\t%s\n", i.memory())
	if i.Toolchain != "" {
		fmt.Fprintf(facts, "toolchain\t%s\n", line(i.Toolchain))
	}
	if r := i.Rewriting; r != nil {
		fmt.Fprintf(facts, "fuel\t%d loops, %d charges, %d checks, %d bulk instructions\n", r.Loops, r.Charges, r.Checks, r.Bulk)
		fmt.Fprintf(facts, "state\t%s\n", line(i.state()))
		if len(r.Dropped) > 0 {
			fmt.Fprintf(facts, "left out\t%s\n", line(strings.Join(r.Dropped, ", ")))
		}
	}
	facts.Flush()

	b.WriteString("\ncapabilities\n")
	capabilities := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, c := range i.capabilities() {
		fmt.Fprintf(capabilities, "  %s\t%s\n", c.name, line(strings.Join(c.imports, ", ")))
	}
	capabilities.Flush()
	if i.Error != nil {
		return b.String()
	}

	b.WriteString("\ntools\n")
	tools := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, t := range i.Tools {
		fmt.Fprintf(tools, "  %s\t%s\n", t.Name, summary(t.Description))
	}
	tools.Flush()
	return trimLines(b.String())
}

// state says what there is to restore after a call.
func (i *inspection) state() string {
	text := fmt.Sprintf("memory and %d globals", i.Rewriting.Globals)
	if len(i.Rewriting.Obstacles) > 0 {
		text += "; not restorable: " + strings.Join(i.Rewriting.Obstacles, ", ")
	}
	return text
}

func (i *inspection) memory() string {
	most := "no maximum of its own"
	if i.MemoryMax > 0 {
		most = "at most " + printable.Size(i.MemoryMax)
	}
	return printable.Size(i.MemoryMin) + " at the start, " + most
}

// capability is what a module could ask for, and the imports that allow it.
type capability struct {
	name    string
	imports []string
}

// capabilities groups the imports. What is part of every call comes last.
func (i *inspection) capabilities() []capability {
	const ordinary = "take arguments, give a result"
	groups := []capability{}
	for _, imp := range i.Imports {
		name := imp.Capability
		if name == "" {
			name = ordinary
		}
		at := slices.IndexFunc(groups, func(c capability) bool { return c.name == name })
		if at < 0 {
			at = len(groups)
			groups = append(groups, capability{name: name})
		}
		groups[at].imports = append(groups[at].imports, imp.Module+"."+imp.Name)
	}
	slices.SortStableFunc(groups, func(a, b capability) int {
		switch {
		case (a.name == ordinary) == (b.name == ordinary):
			return strings.Compare(a.name, b.name)
		case a.name == ordinary:
			return 1
		}
		return -1
	})
	return groups
}
