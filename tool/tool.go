package tool

import (
	"context"
	"encoding/json"
)

// Tool is something a model can call. Implementations are safe for concurrent use.
type Tool interface {
	// Spec describes the tool. It is the same on every call and must not be modified by the caller.
	Spec() Spec

	// Call runs the tool once. The error is non-nil only where the tool did not run to its end; a failure that the
	// tool itself reports is in Result.Error. With an error the Result holds the statistics, as far as the call got, and
	// nothing else. Call.Tool is not looked at: a Tool answers for its own name, and a resolver for that it is the right one.
	Call(ctx context.Context, call Call) (Result, error)
}

// Call is one request to run a tool.
type Call struct {
	// ID correlates the call with its result. It may be empty: some model APIs send none.
	ID string `json:"id,omitempty"`

	// Tool is the name of the tool that is asked for.
	Tool string `json:"name"`

	// Arguments is the JSON text that the model produced. It need not be valid: checking it is part of the call.
	// Empty means no arguments.
	Arguments json.RawMessage `json:"arguments,omitempty"`

	// Invocation is what the application adds. Nothing in it comes from the model.
	Invocation Invocation `json:"-"`
}

// Invocation is the part of a call that the host injects. A model can neither see nor set it.
type Invocation struct {
	// MemoryID names the conversation, session or user on whose behalf the tool runs. It keys all state that outlives
	// a call. Empty means that there is none; a tool that injects it is then refused before it runs.
	MemoryID string

	// Params are further values for the tool, by name. They must be representable as JSON.
	Params map[string]any
}
