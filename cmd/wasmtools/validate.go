package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wasmtools/wasmtools/internal/lint"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

// verdict is what validate says of one module.
type verdict struct {
	Module   string         `json:"module"`
	OK       bool           `json:"ok"` // it can be loaded
	Digest   string         `json:"digest,omitempty"`
	Tools    int            `json:"tools"`
	Warnings []lint.Warning `json:"warnings"`
	Error    *wireError     `json:"error,omitempty"`
}

func newValidate(g *globals) *cobra.Command {
	var asJSON, strict bool
	cmd := &cobra.Command{
		Use:   "validate MODULE...",
		Short: "Check modules, and warn about what may not serve a model well",
		Long: `Check that modules can be loaded, and warn about names that some model APIs refuse, missing or overlong descriptions, and
limits that are asked for in vain. No tool is run.

The exit code is 5 if a module is refused, and 0 with warnings unless --strict makes it 1.`,
		Example: `  wasmtools validate examples/calculator/calculator.wasm examples/csv/csv.wasm
  wasmtools validate --strict --json examples/text/text.wasm`,
		Args:              wholeModules,
		ValidArgsFunction: modulesOnly,
		RunE: func(cmd *cobra.Command, args []string) error {
			verdicts := []verdict{}
			warned := 0
			err := eachModule(cmd, g, args, func(path string, m *runtime.Module, err error) error {
				v := newVerdict(path, m, err)
				verdicts = append(verdicts, v)
				warned += len(v.Warnings)
				return err
			})
			if strict && warned > 0 {
				err = errors.Join(err, tool.Errorf(tool.ToolFailed, "%s, and --strict allows none", warnings(warned)))
			}
			if asJSON {
				return errors.Join(err, printJSON(cmd, verdicts, true))
			}
			return errors.Join(err, printText(cmd, verdictLines(verdicts)))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON on one line")
	cmd.Flags().BoolVar(&strict, "strict", false, "take warnings for errors")
	return cmd
}

func newVerdict(path string, m *runtime.Module, err error) verdict {
	if err != nil {
		return verdict{Module: path, Warnings: []lint.Warning{}, Error: newWireError(err)}
	}
	specs := specs(m)
	return verdict{Module: path, OK: true, Digest: m.Info().Digest, Tools: len(specs), Warnings: lint.Specs(specs)}
}

func warnings(n int) string {
	if n == 1 {
		return "1 warning"
	}
	return fmt.Sprintf("%d warnings", n)
}

func verdictLines(verdicts []verdict) string {
	var b strings.Builder
	for _, v := range verdicts {
		for _, w := range v.Warnings {
			fmt.Fprintf(&b, "%s#%s: warning: %s\n", line(v.Module), w.Tool, line(w.Message))
		}
		if v.OK {
			fmt.Fprintf(&b, "%s: ok: tools: %d, warnings: %d\n", line(v.Module), v.Tools, len(v.Warnings))
		} else {
			fmt.Fprintf(&b, "%s: refused\n", line(v.Module))
		}
	}
	return b.String()
}
