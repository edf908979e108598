// Package lint warns about tools that are legal and will not serve a model well.
package lint

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wasmtools/wasmtools/internal/printable"
	"github.com/wasmtools/wasmtools/internal/schemaview"
	"github.com/wasmtools/wasmtools/tool"
)

// Warning is something about a tool that is legal and will not serve a model well.
type Warning struct {
	Tool    string `json:"tool"`
	Message string `json:"message"`
}

// Lengths of descriptions, in characters, that every model API takes.
const (
	maxDescription          = 1024
	maxParameterDescription = 512
)

// Specs returns the warnings about the tools of a module.
func Specs(specs []tool.Spec) []Warning {
	warnings := []Warning{}
	for i, spec := range specs {
		var messages []string
		messages = append(messages, tool.LintName(spec.Name)...)
		messages = append(messages, lintConfusable(spec.Name, specs[:i])...)
		messages = append(messages, lintDescription("description", "when to use the tool and how", spec.Description, maxDescription)...)
		if spec.Input == tool.InputObject {
			messages = append(messages, lintParameters(spec)...)
		}
		messages = append(messages, lintInjected(spec)...)
		messages = append(messages, lintLimits(spec.Limits)...)
		for _, message := range messages {
			warnings = append(warnings, Warning{spec.Name, message})
		}
	}
	return warnings
}

// lintConfusable finds a name that differs from an earlier one only in case.
func lintConfusable(name string, earlier []tool.Spec) []string {
	for _, other := range earlier {
		if strings.EqualFold(name, other.Name) {
			return []string{fmt.Sprintf("name is easily taken for %q: they differ only in case", other.Name)}
		}
	}
	return nil
}

// lintDescription warns about a text that tells a model what it has to know of something.
func lintDescription(what, teaches, text string, limit int) []string {
	switch n := utf8.RuneCountInString(text); {
	case strings.TrimSpace(text) == "":
		return []string{what + " is missing: a model learns from it " + teaches}
	case n > limit:
		return []string{fmt.Sprintf("%s has %d characters; more than %d cost tokens, and some model APIs refuse them", what, n, limit)}
	}
	return nil
}

func lintParameters(spec tool.Spec) []string {
	var messages []string
	schema := schemaview.Parse(spec.InputSchema)
	for _, name := range schema.Names() {
		what := fmt.Sprintf("description of parameter %q", name)
		text := schema.Property(name).Description()
		messages = append(messages, lintDescription(what, "what to give", text, maxParameterDescription)...)
	}
	return messages
}

// lintInjected finds a description that speaks of a value which the model neither sees nor sets.
func lintInjected(spec tool.Spec) []string {
	var messages []string
	for _, name := range spec.InjectedArguments() {
		if regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(spec.Description) {
			messages = append(messages, fmt.Sprintf("description mentions %q, which the host injects: a model cannot set it", name))
		}
	}
	return messages
}

// lintLimits finds what a tool asks for in vain: a request can only lower a limit.
func lintLimits(asked tool.Limits) []string {
	var messages []string
	over := func(what string, asked, allowed int64, format func(int64) string) {
		if asked > allowed && allowed >= 0 {
			messages = append(messages, fmt.Sprintf("asks for %s of %s; the default is %s, and a tool can only lower it",
				format(asked), what, format(allowed)))
		}
	}
	count := func(n int64) string { return fmt.Sprint(n) }
	d := tool.DefaultLimits()
	over("time", int64(asked.Time), int64(d.Time), func(n int64) string { return time.Duration(n).String() })
	over("memory", asked.Memory, d.Memory, printable.Size)
	over("input", asked.Input, d.Input, printable.Size)
	over("output", asked.Output, d.Output, printable.Size)
	over("log", asked.LogBytes, d.LogBytes, printable.Size)
	over("log lines", asked.LogLines, d.LogLines, count)
	over("host calls", asked.HostCalls, d.HostCalls, count)
	over("approvals", asked.Approvals, d.Approvals, count)
	return messages
}
