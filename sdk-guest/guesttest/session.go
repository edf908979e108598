//go:build !wasm

package guesttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/wasmtools/wasmtools/abi"
	guest "github.com/wasmtools/wasmtools/sdk-guest"
)

// session is the host of one call. It implements the imports.
type session struct {
	input   string
	values  []byte // the context
	approve func(string) (guest.Decision, error)
	staged  []byte
	output  strings.Builder
	logs    []Record
	asked   []string
}

func newSession(input string, o *Options) (*session, error) {
	c := abi.Context{CallID: o.CallID, MemoryID: o.MemoryID, Params: map[string]json.RawMessage{}}
	for name, value := range o.Params {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("param %q: %w", name, err)
		}
		c.Params[name] = text
	}
	values, err := json.Marshal(c)
	return &session{input: input, values: values, approve: o.Approve}, err
}

func (s *session) stage(p []byte) int32 {
	s.staged = p
	return int32(len(p))
}

// Input, Read, Write, Context, Log and Approve are the imports of the ABI.
func (s *session) Input() int32 { return s.stage([]byte(s.input)) }

func (s *session) Context() int32 { return s.stage(s.values) }

func (s *session) Read(p []byte) int32 {
	n := copy(p, s.staged)
	s.staged = s.staged[n:]
	return int32(n)
}

func (s *session) Write(text string) { s.output.WriteString(text) }

func (s *session) Log(level int32, message, attrs string) int32 {
	s.logs = append(s.logs, Record{slog.Level(level), message, attrs})
	return 0
}

func (s *session) Approve(description string) int32 {
	s.asked = append(s.asked, description)
	if s.approve == nil {
		return abi.ErrDenied
	}
	d, err := s.approve(description)
	switch {
	case errors.Is(err, guest.ErrRejected):
		return abi.DecisionReject
	case err != nil:
		return abi.ErrDenied
	case d.Edited:
		return int32(abi.NewDecision(abi.DecisionEdit, int(s.stage([]byte(d.Text)))))
	}
	return abi.DecisionContinue
}

// result takes the output apart.
func (s *session) result(status abi.Status) (*Result, error) {
	res := &Result{Text: s.output.String(), Logs: s.logs, Asked: s.asked}
	failed := func(kind string) {
		res.Error = &abi.Error{Kind: kind, Message: res.Text}
		if code := status.Code(); code != 0 {
			res.Error.Code = &code
		}
	}
	switch status.Kind() {
	case abi.KindText:
		res.Content = []abi.Part{{Type: abi.PartText, Text: res.Text}}
	case abi.KindJSON:
		res.Structured = json.RawMessage(res.Text)
		res.Content = []abi.Part{{Type: abi.PartText, Text: res.Text}}
	case abi.KindFailed:
		failed(abi.ErrorExecution)
	case abi.KindBadArguments:
		failed(abi.ErrorArguments)
	case abi.KindRejected:
		failed(abi.ErrorRejected)
	case abi.KindResult:
		return res, res.decode()
	default:
		return nil, fmt.Errorf("status %#x is not known", int32(status))
	}
	return res, nil
}

// decode reads a result object in place of plain output.
func (r *Result) decode() error {
	var out abi.Result
	if err := json.Unmarshal([]byte(r.Text), &out); err != nil {
		return fmt.Errorf("result object: %w", err)
	}
	r.Content, r.Structured, r.Attributes, r.Error = out.Content, out.Structured, out.Attributes, out.Error
	if r.Error != nil {
		r.Text = r.Error.Message
		return nil
	}
	var texts []string
	for _, part := range r.Content {
		if part.Type == abi.PartText {
			texts = append(texts, part.Text)
		}
	}
	r.Text = strings.Join(texts, "\n")
	return nil
}
