package hostfuncs

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wasmtools/wasmtools/internal/printable"
	"github.com/wasmtools/wasmtools/tool"
)

// How much of a request a prompt shows, in characters.
const (
	shownFact        = 100
	shownDigest      = 16 // of the hexadecimal digits
	shownDescription = 200
	shownInput       = 500
	shownColumns     = 72 // of a quoted line
)

// page is what a prompt says before its question.
type page struct {
	strings.Builder
	whole bool // nothing is cut
	cut   bool // something was
}

// renderRequest returns what a prompt says before its question, and whether some of it was cut, which it is not if the
// whole is wanted. The host's facts come first, one a line; guests' and models' words follow, quoted and broken by us, so
// that no line of theirs looks like one of ours.
func renderRequest(ctx context.Context, req tool.ApprovalRequest, whole bool) (text string, cut bool) {
	p := &page{whole: whole}
	module := req.Module
	if !whole {
		module = shortDigest(module)
	}
	p.WriteString("\n--- approval needed ---\n")
	for _, fact := range []struct{ name, value string }{
		{"tool", req.Tool},
		{"module", module},
		{"call", req.CallID},
		{"memory", req.MemoryID},
		{"asked", timing(req.Timing)},
		{"answer", deadline(ctx, req)},
		{"role", req.RequiredRole},
	} {
		if fact.value != "" {
			fmt.Fprintf(p, "%-7s %s\n", fact.name+":", p.clip(fact.value, shownFact))
		}
	}

	arguments, description := string(req.Arguments), req.Description
	if arguments == req.Input {
		arguments = ""
	}
	if description == req.Input {
		description = ""
	}
	p.quote("description, by the tool (untrusted):", description, shownDescription)
	p.quote("arguments of the call (untrusted):", arguments, shownInput)
	p.quote(inputTitle(req), req.Input, shownInput)
	return p.String(), p.cut
}

// clip returns what is shown of text.
func (p *page) clip(text string, limit int) string {
	text = printable.Escape(text)
	if p.whole {
		return text
	}
	short := printable.Truncate(text, limit)
	p.cut = p.cut || short != text
	return short
}

// quote writes text under a title, on lines that begin with a bar.
func (p *page) quote(title, text string, limit int) {
	if text == "" {
		return
	}
	p.WriteString(title + "\n")
	text = p.clip(text, limit)
	for text != "" {
		end := lineEnd(text)
		p.WriteString("  | " + text[:end] + "\n")
		text = text[end:]
	}
}

// shortDigest returns a digest such as sha256:0123... with fewer digits.
func shortDigest(digest string) string {
	algorithm, digits, ok := strings.Cut(digest, ":")
	if !ok || len(digits) <= shownDigest {
		return digest
	}
	return algorithm + ":" + digits[:shownDigest]
}

func timing(t tool.ApprovalTiming) string {
	switch t {
	case tool.BeforeExecution:
		return "before the tool runs"
	case tool.DuringExecution:
		return "by the tool while it runs"
	}
	return string(t)
}

func deadline(ctx context.Context, req tool.ApprovalRequest) string {
	left := req.Timeout
	if end, ok := ctx.Deadline(); ok {
		left = max(time.Until(end), time.Second) // some of the time went by in the queue
	}
	if left == 0 {
		return "no time limit"
	}
	after := "it is rejected"
	switch req.OnTimeout {
	case tool.OnTimeoutContinue:
		after = "it goes ahead"
	case tool.OnTimeoutFail:
		after = "the call fails"
	}
	return fmt.Sprintf("within %s, or %s", left.Round(time.Second), after)
}

func inputTitle(req tool.ApprovalRequest) string {
	if req.Timing == tool.BeforeExecution {
		return "input of the call (untrusted):"
	}
	return "input, by the tool (untrusted):"
}

// lineEnd returns how many bytes of text go on a line: up to the last space that fits, or else as much as fits. A character
// that is not ASCII counts as two columns, the most that one takes up, so that a terminal of 80 columns never breaks a line
// itself.
func lineEnd(text string) int {
	columns, space := 0, 0
	for i, r := range text {
		if columns++; r >= utf8.RuneSelf {
			columns++
		}
		switch {
		case columns > shownColumns && space > 0:
			return space
		case columns > shownColumns:
			return i
		case r == ' ':
			space = i + 1
		}
	}
	return len(text)
}
