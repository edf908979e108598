package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/tool"
)

// advice knows about a call what its error does not: how it was written on the command line.
type advice struct {
	path       string
	spec       tool.Spec
	texts      []string
	arguments  json.RawMessage // nil if they could not be read
	invocation tool.Invocation
	absent     *absence // nil if somebody decides about approvals
}

// hint says what to do about err, or nothing if the error says so itself.
func (a *advice) hint(err error) string {
	var limit *tool.LimitError
	switch code := tool.CodeOf(err); {
	case err == nil:
		return ""
	case errors.As(err, &limit) && asks(a.spec.Limits, limit):
		return "the tool itself asks for that limit: give it less to do"
	case code == tool.Misconfigured && a.missingFlag() != "":
		return "give it with " + a.missingFlag()
	case a.absent != nil && (code == tool.Denied || code == tool.Misconfigured && a.spec.RequireApproval):
		return "nobody was there to approve: " + a.absent.why + "; " + a.absent.remedy
	case silence(err):
		return "raise --approval-timeout, or choose --on-timeout"
	case hintFor(err) != "":
		return ""
	case code == tool.InvalidArguments:
		return a.jsonHint() + "wasmtools spec " + shellQuote(a.path+"#"+a.spec.Name) + " shows what the tool takes"
	}
	return ""
}

// missingFlag is the flag for what the tool is to be given by the host and was not.
func (a *advice) missingFlag() string {
	for _, name := range a.spec.Inject {
		param, isParam := strings.CutPrefix(name, tool.InjectParamPrefix)
		_, given := a.invocation.Params[param]
		switch {
		case name == tool.InjectMemoryID && a.invocation.MemoryID == "":
			return "--memory-id ID"
		case isParam && !given:
			return "--param " + shellQuote(param+"=VALUE")
		}
	}
	return ""
}

// silence tells whether a reviewer did not answer in time, whatever that was taken for.
func silence(err error) bool {
	text := strings.ToLower(tool.MessageOf(err))
	return strings.HasPrefix(text, strings.ToLower(hostfuncs.TimedOutMessage("")))
}

// jsonHint says where arguments come from that are no JSON. Shells take away quotes, and braces mean something to them.
func (a *advice) jsonHint() string {
	switch {
	case a.spec.Input == tool.InputText || len(a.texts) == 0 || a.arguments == nil || json.Valid(a.arguments):
		return ""
	case takesStdin(a.texts):
		return "the standard input is to hold one JSON object; "
	case strings.HasPrefix(a.texts[0], "@"):
		return fmt.Sprintf("file %q is to hold one JSON object; ", a.texts[0][1:])
	}
	return `in a shell: '{"a": 1}', or a=1; `
}

// whichTool is err, the error of a module that has no tool of the name, with a better hint if the first argument is one.
func whichTool(err error, ref reference, texts []string, has func(name string) bool) error {
	if ref.tool != "" || len(texts) == 0 || !has(texts[0]) {
		return err
	}
	return &advisedError{err, "did you mean " + shellQuote(ref.path+"#"+texts[0]) + "?"}
}

// asks tells whether the limit that was reached is the tool's own wish, which no flag can raise.
func asks(wish tool.Limits, reached *tool.LimitError) bool {
	wishes := map[tool.LimitName]int64{
		tool.LimitTime: int64(wish.Time), tool.LimitFuel: wish.Fuel, tool.LimitMemory: wish.Memory, tool.LimitInput: wish.Input, tool.LimitOutput: wish.Output,
	}
	return wishes[reached.Name] > 0 && wishes[reached.Name] == reached.Max
}

// shellQuote quotes a reference for a shell if it needs that.
func shellQuote(text string) string {
	if strings.ContainsAny(text, " '\"\\$`!*?&|;<>()[]{}~\n\t") {
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return text
}

// looksLikeName tells whether text could be the name of a tool or of an argument.
func looksLikeName(text string) bool {
	return regexp.MustCompile(`^[A-Za-z_][\w.-]*$`).MatchString(text)
}
