// Deploy is a module of two tools that do something nobody wants done by mistake. Both stand for a real deployment system:
// they go through the motions, log every step, and change nothing.
package main

import (
	"fmt"

	guest "github.com/wasmtools/wasmtools/sdk-guest"
)

// deployment is what was done.
type deployment struct {
	Service     string   `json:"service"`
	Version     string   `json:"version"`
	Environment string   `json:"environment"`
	Steps       []string `json:"steps"`
	Edited      bool     `json:"edited" jsonschema:"description=The reviewer changed the request: this is not what was asked for"`
}

func init() {
	guest.Register("deploy", "Deploys a version of a service. Asks a person first unless it is for development.", deploy,
		guest.Destructive(true), guest.Idempotent())

	// The host asks before this one runs: what a person then edits are the arguments, which the host checks again.
	guest.Register("rollback", "Puts back an earlier version of a service. A person has to agree to every call.", rollback,
		guest.Destructive(true), guest.Idempotent(), guest.RequireApproval())
}

func deploy(ctx guest.Context, wanted request) (deployment, error) {
	if !wanted.needsApproval() {
		return carryOut(ctx, wanted, false), nil
	}
	decision, err := ctx.RequestApproval(wanted.String())
	switch {
	case err != nil:
		ctx.Log().Warn("nothing was deployed", "service", wanted.Service, "reason", err)
		return deployment{}, err
	case !decision.Edited:
		return carryOut(ctx, wanted, false), nil
	}
	edited, err := parseRequest(decision.Text)
	if err != nil {
		return deployment{}, fmt.Errorf("nothing was deployed: the reviewer's text %w", err)
	}
	ctx.Log().Warn("the reviewer changed the request", "from", wanted.String(), "to", edited.String())
	return carryOut(ctx, edited, true), nil
}

func rollback(ctx guest.Context, wanted request) (deployment, error) {
	return carryOut(ctx, wanted, false), nil
}

// carryOut does what has been agreed to. A real tool would call its deployment system here.
func carryOut(ctx guest.Context, r request, edited bool) deployment {
	log := ctx.Log().With("service", r.Service, "version", r.Version, "environment", r.Environment)
	for i, step := range r.steps() {
		log.Info(step, "step", i+1)
	}
	return deployment{r.Service, r.Version, r.Environment, r.steps(), edited}
}

func main() {}
