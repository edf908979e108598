package main

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/examples/internal/exampletest"
	"github.com/wasmtools/wasmtools/internal/readmetest"
	"github.com/wasmtools/wasmtools/runtime"
	"github.com/wasmtools/wasmtools/tool"
)

func TestREADME(t *testing.T) { readmetest.Run(t, "examples/deploy/README.md") }

const (
	shop       = `{"service":"shop","version":"2.4.1","environment":"production"}`
	deployed   = `{"service":"shop","version":"2.4.1","environment":"production","steps":["pull shop:2.4.1","switch 10% of the instances","check the error rate","switch all instances","check health"],"edited":false}`
	smallSteps = `"steps":["pull shop:2.4.0","switch all instances","check health"]`
)

// reviewer decides the same at every time, and remembers what was asked.
type reviewer struct {
	decision tool.Decision
	asked    []tool.ApprovalRequest
}

func (r *reviewer) Approve(_ context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
	r.asked = append(r.asked, req)
	return r.decision, nil
}

// load loads the module with someone who decides; nil is nobody.
func load(t *testing.T, approver tool.Approver, logger *slog.Logger) exampletest.Module {
	return exampletest.Load(t, "deploy.wasm", &runtime.Options{Logger: logger, Approval: runtime.Approval{Approver: approver}})
}

func TestNobodyToAsk(t *testing.T) {
	module := load(t, nil, nil)
	result, err := module.Call("deploy", shop)
	require.NoError(t, err)
	require.Equal(t, tool.Denied, result.Error.Code)
	require.Equal(t, "Approval denied (no approver is configured, or none may be asked): deploy shop 2.4.1 to production", result.Text())

	_, err = module.Call("rollback", shop)
	require.Error(t, err)

	require.JSONEq(t, `{"service":"shop","version":"2.4.0","environment":"development",`+smallSteps+`,"edited":false}`,
		module.Text("deploy", `{"service":"shop","version":"2.4.0","environment":"development"}`), "nobody has to be asked")
}

func TestReject(t *testing.T) {
	person := &reviewer{}
	module := load(t, person, nil)
	for _, name := range []string{"deploy", "rollback"} {
		result, err := module.Call(name, shop)
		if err == nil {
			err = result.Error
		}
		require.ErrorIs(t, err, tool.Denied, name)
		require.ErrorContains(t, err, "Rejected by reviewer", name)
	}
	require.Len(t, person.asked, 2)
	require.Equal(t, tool.DuringExecution, person.asked[0].Timing)
	require.Equal(t, "deploy shop 2.4.1 to production", person.asked[0].Input)
	require.Equal(t, tool.BeforeExecution, person.asked[1].Timing)
	require.JSONEq(t, shop, person.asked[1].Input)
}

func TestContinue(t *testing.T) {
	var logged bytes.Buffer
	module := load(t, &reviewer{decision: tool.Decision{Verdict: tool.Continue}}, slog.New(slog.NewTextHandler(&logged, nil)))
	result, err := module.Call("deploy", shop)
	require.NoError(t, err)
	require.JSONEq(t, deployed, result.Text())
	require.JSONEq(t, deployed, string(result.Structured))
	require.Contains(t, logged.String(), `msg="switch 10% of the instances"`)
	require.Regexp(t, `service=shop .*environment=production .*step=5`, logged.String())

	require.JSONEq(t, deployed, module.Text("rollback", shop))
}

func TestEdit(t *testing.T) {
	edit := func(text string) exampletest.Module {
		return load(t, &reviewer{decision: tool.Decision{Verdict: tool.Edit, Text: text}}, nil)
	}

	for _, text := range []string{"", "yes", "deploy shop 2.4.1 to the moon"} {
		result, err := edit(text).Call("deploy", shop)
		require.NoError(t, err)
		require.Equal(t, tool.ToolFailed, result.Error.Code)
		require.Contains(t, result.Text(), "nothing was deployed: the reviewer's text", text)
	}
	require.JSONEq(t, `{"service":"shop","version":"2.4.0","environment":"staging",`+smallSteps+`,"edited":true}`,
		edit("deploy shop 2.4.0 to staging").Text("deploy", shop))

	// Before execution it is the arguments that are edited, and the host checks them again.
	_, err := edit(`{"service":"shop","version":"2","environment":"staging"}`).Call("rollback", shop)
	require.ErrorIs(t, err, tool.Denied)
	require.ErrorContains(t, err, "nothing was done: the reviewer's edit is not acceptable")
	require.JSONEq(t, `{"service":"shop","version":"2.4.0","environment":"staging",`+smallSteps+`,"edited":false}`,
		edit(`{"service":"shop","version":"2.4.0","environment":"staging"}`).Text("rollback", shop))
}

func TestRefused(t *testing.T) {
	module := load(t, &reviewer{}, nil)
	for _, args := range []string{
		`{"service":"Shop","version":"2.4.1","environment":"production"}`,
		`{"service":"shop","version":"latest","environment":"production"}`,
		`{"service":"shop","version":"2.4.1","environment":"moon"}`,
		`{"service":"shop","version":"2.4.1"}`,
	} {
		module.Refused("deploy", args)
	}
}
