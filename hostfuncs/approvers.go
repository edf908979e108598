package hostfuncs

import (
	"context"

	"github.com/wasmtools/wasmtools/tool"
)

// Auto returns an approver that lets everything through. It has no role: where one is required it changes nothing.
func Auto() tool.Approver {
	return tool.ApproverFunc(func(context.Context, tool.ApprovalRequest) (tool.Decision, error) {
		return tool.Decision{Verdict: tool.Continue, Reason: "approved automatically"}, nil
	})
}

// Deny returns an approver that rejects everything. Unlike a missing approver it is an answer, not an error.
func Deny() tool.Approver {
	return tool.ApproverFunc(func(context.Context, tool.ApprovalRequest) (tool.Decision, error) {
		return rejected("denied automatically"), nil
	})
}
