package hostfuncs_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/tool"
)

// An approver is one function; the gate turns all that it may do wrong into a no.
func ExampleGate() {
	gate := hostfuncs.NewGate(&hostfuncs.ApprovalOptions{
		Approver: tool.ApproverFunc(func(_ context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
			fmt.Println("asked:", req.Description)
			return tool.Decision{Verdict: tool.Edit, Text: "staging"}, nil
		}),
		Timeout: time.Minute,
	})
	decision, err := gate.Ask(context.Background(), tool.ApprovalRequest{Tool: "deploy", Description: "Deploy to\x1b[2J production"})
	fmt.Println(decision.Verdict, decision.Text, err)

	_, err = hostfuncs.NewGate(nil).Ask(context.Background(), tool.ApprovalRequest{Tool: "deploy"})
	fmt.Println(err)
	// Output:
	// asked: Deploy to\x1b[2J production
	// edit staging <nil>
	// approval denied: no approver is configured
}

// What a guest logs is attributed by the host and cannot pass for anything else.
func ExampleLog() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	log := hostfuncs.NewLog(hostfuncs.LogOptions{Logger: logger, Tool: "shout", CallID: "call_7", Bytes: 1000, Lines: 1})
	log.Write(context.Background(), abi.LevelInfo, []byte("done\nlevel=ERROR"), []byte(`{"tool":"other","n":1}`))
	log.Write(context.Background(), abi.LevelInfo, []byte("one line too many"), nil)
	log.Close(context.Background())
	// Output:
	// level=INFO msg="done\\nlevel=ERROR" tool=shout call=call_7 from=guest guest.tool=other guest.n=1
	// level=WARN msg="log limit reached" tool=shout call=call_7 dropped=1
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
