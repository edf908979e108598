package hostfuncs

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/wasmtools/wasmtools/tool"
)

// prompting is held by the one console that has a prompt open. It is the only package variable because the terminal behind
// all consoles is one too: prompts of two consoles, made by people who know nothing of each other, must not interleave.
// It is a channel and no mutex so that waiting for it ends with the context.
var prompting = make(chan struct{}, 1)

// maxTries is how often a question is put before what nobody understands counts as a rejection.
const maxTries = 3

// notUnderstood is the reason of that rejection.
const notUnderstood = "no answer at the console that could be understood"

// ConsoleOptions configure a [Console].
type ConsoleOptions struct {
	// Role is the role of whoever sits at the console. Empty means none.
	Role string

	// Discard, if not nil, throws away what was typed but not read yet. It is called right before a prompt can be answered.
	// On a Unix terminal it is tcflush with TCIFLUSH.
	Discard func()
}

// Console is an approver that asks a person at a terminal. It is safe for concurrent use; one prompt at a time is open in
// the whole process, and a request that waits for its turn uses up its own time.
//
// What the host knows stands apart from what the tool or the model says, which is quoted, cut and marked as untrusted.
// Nothing that is displayed can move the cursor or hide.
//
// The answers are c or Enter to continue, e and then a line that replaces the whole input, x to reject. Where something was
// cut, s shows all of it, and until then Enter is no answer: nobody consents in passing to what is not on the screen.
// Anything else is asked again, three times in all, and then rejected, as is the end of the input or an error of it. A
// question is answered by the first line that arrives after it. What arrived earlier is thrown away; what the terminal still
// holds back is seen only by [ConsoleOptions].Discard.
type Console struct {
	out     io.Writer
	role    string
	discard func()
	lines   *lineReader
}

// NewConsole returns a console. Both in and out are required, and without them everything is rejected. From the first
// prompt on the console reads all of in, in a goroutine that ends when in does: nobody else, and no other console, should
// read it.
func NewConsole(in io.Reader, out io.Writer, o *ConsoleOptions) *Console {
	if in == nil || out == nil {
		in, out = strings.NewReader(""), io.Discard
	}
	c := &Console{out: out, discard: func() {}, lines: newLineReader(in)}
	if o != nil {
		c.role = o.Role
		if o.Discard != nil {
			c.discard = o.Discard
		}
	}
	return c
}

// Approve prompts and waits for the decision. The error is that of ctx, or of writing the prompt.
func (c *Console) Approve(ctx context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
	select {
	case prompting <- struct{}{}:
		defer func() { <-prompting }()
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		return tool.Decision{}, err
	}

	decision, err := c.prompt(ctx, req)
	_, _ = io.WriteString(c.out, closing(ctx, decision, err)) // the decision stands whether or not it can be shown
	if errors.Is(err, errInputEnded) {
		return rejected(err.Error()), nil
	}
	return decision, err
}

// closing returns the last words of a prompt. Where the question has no answer they end its line first.
func closing(ctx context.Context, d tool.Decision, err error) string {
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "\napproval: no answer in time\n"
	case err != nil && ctx.Err() != nil:
		return "\n" // whoever interrupts knows what that does
	case err != nil:
		return "\napproval: rejected, no answer can be read\n"
	case d.Verdict == tool.Reject && d.Reason == notUnderstood:
		return "approval: rejected, no clear answer\n"
	case d.Verdict == tool.Reject:
		return "approval: rejected\n"
	}
	return ""
}

// prompt shows the request and asks until there is a decision.
func (c *Console) prompt(ctx context.Context, req tool.ApprovalRequest) (tool.Decision, error) {
	shown, cut := renderRequest(ctx, req, false)
	if _, err := io.WriteString(c.out, shown); err != nil {
		return tool.Decision{}, err
	}
	for tries := 0; tries < maxTries; {
		question, again := "continue [c, Enter], edit [e] or reject [x]? ", "please answer c, e or x\n"
		if cut {
			question, again = "continue [c], edit [e], reject [x] or show all [s]? ", "please answer c, e, x or s\n"
		}
		line, err := c.ask(ctx, question)
		if err != nil {
			return tool.Decision{}, err
		}
		switch answer := strings.ToLower(line.text); {
		case answer == "c", answer == "" && !line.tooLong && !cut:
			return tool.Decision{Verdict: tool.Continue, Role: c.role}, nil
		case answer == "e":
			return c.edit(ctx)
		case answer == "x":
			return tool.Decision{Verdict: tool.Reject, Role: c.role, Reason: "rejected at the console"}, nil
		case answer == "s" && cut:
			again, cut = renderRequest(ctx, req, true)
		default:
			tries++
		}
		if tries < maxTries {
			if _, err := io.WriteString(c.out, again); err != nil {
				return tool.Decision{}, err
			}
		}
	}
	return rejected(notUnderstood), nil
}

func (c *Console) edit(ctx context.Context) (tool.Decision, error) {
	line, err := c.ask(ctx, "one line that replaces the whole input: ")
	switch {
	case err != nil:
		return tool.Decision{}, err
	case line.tooLong:
		return rejected("the line typed at the console is too long"), nil
	}
	return tool.Decision{Verdict: tool.Edit, Text: line.text, Role: c.role}, nil
}

// ask shows a question and returns the first line that arrives after it.
func (c *Console) ask(ctx context.Context, question string) (line, error) {
	c.discard()
	// Listening begins before the question is written: whoever has seen it may answer at once.
	answer := c.lines.listen()
	defer c.lines.ignore()
	if _, err := io.WriteString(c.out, question); err != nil {
		return line{}, err
	}
	c.lines.start.Do(func() { go c.lines.read() }) // not before somebody listens, or a short input is lost
	select {
	case l, ok := <-answer:
		if !ok {
			return line{}, errInputEnded
		}
		return l, ctx.Err() // an answer that came in with the end of ctx is late
	case <-ctx.Done():
		return line{}, ctx.Err()
	}
}
