package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wasmtools/wasmtools/tool"
)

// outcome is what came of a call: a result, which may hold the tool's error, or the error that kept it from ending.
type outcome struct {
	ID, Name string
	result   tool.Result
	err      error
	hint     string // if more can be said about the error than it tells itself
}

// failure returns what went wrong, whoever says so, or nil.
func (o *outcome) failure() error {
	err := o.failureOf(o.err)
	if err != nil && o.hint != "" {
		return &advisedError{err, o.hint}
	}
	return err
}

func (o *outcome) failureOf(err error) error {
	if err == nil && o.result.Error != nil {
		return o.result.Error
	}
	return err
}

// wireOutcome is what --json prints.
type wireOutcome struct {
	ID          string                     `json:"id"`
	Name        string                     `json:"name"`
	IsError     bool                       `json:"isError"`
	Content     []tool.Part                `json:"content"`
	Structured  json.RawMessage            `json:"structured,omitempty"`
	Attributes  map[string]json.RawMessage `json:"attributes,omitempty"` // for the application; a model does not get them
	Return      string                     `json:"return,omitempty"`     // who gets the result, if not the model
	DurationMS  float64                    `json:"durationMs"`
	WaitedMS    float64                    `json:"waitedMs"`
	Fuel        int64                      `json:"fuel"`
	MemoryBytes int64                      `json:"memoryBytes"`
	HostCalls   int64                      `json:"hostCalls"`
	LogDropped  int64                      `json:"logDropped,omitempty"`
	Error       *wireError                 `json:"error,omitempty"`
}

// wireError is an error as --json prints it. Message is what a model gets; cause and hint are for the operator.
type wireError struct {
	Code    tool.Code `json:"code"`
	Status  *int32    `json:"status,omitempty"`
	Message string    `json:"message"`
	Cause   string    `json:"cause,omitempty"`
	Hint    string    `json:"hint,omitempty"`
	ID      string    `json:"id,omitempty"` // of a crash, as the model was told
}

func (o *outcome) wire() wireOutcome {
	stats := o.result.Stats
	w := wireOutcome{
		ID: o.ID, Name: o.Name, Content: o.result.Content, Structured: o.result.Structured,
		Attributes: o.result.Attributes, Return: string(o.result.Return), LogDropped: stats.LogDropped,
		DurationMS: milliseconds(stats.Duration), WaitedMS: milliseconds(stats.Waited),
		Fuel: stats.Fuel, MemoryBytes: stats.Memory, HostCalls: stats.HostCalls,
	}
	if w.Content == nil {
		w.Content = []tool.Part{}
	}
	if err := o.failure(); err != nil {
		w.IsError, w.Error = true, newWireError(err)
	}
	return w
}

func newWireError(err error) *wireError {
	w := &wireError{Code: tool.CodeOf(err), Message: err.Error(), Hint: hintFor(err)}
	var e *tool.Error
	if errors.As(err, &e) {
		w.Message, w.Status = e.Message, e.Status
		if e.Cause != nil {
			w.Cause = e.Cause.Error()
		}
	}
	var trap *tool.TrapError
	if errors.As(err, &trap) {
		w.ID = trap.ID
	}
	return w
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// printResult prints what a model gets. Content that is not text is named on the standard error, or printed byte for byte
// if it is asked for raw and stands alone.
func printResult(cmd *cobra.Command, res tool.Result, raw bool) error {
	if raw && len(res.Content) == 1 && len(res.Content[0].Data) > 0 {
		return printBytes(cmd, res.Content[0].Data)
	}
	texts := 0
	for _, part := range res.Content {
		if part.Type == tool.Text {
			texts++
		} else {
			fmt.Fprintf(cmd.ErrOrStderr(), "wasmtools: not shown: %s\n", line(describePart(part)))
		}
	}
	if texts == 0 && len(res.Content) > 0 {
		return nil
	}
	if raw {
		return printBytes(cmd, []byte(res.Text()))
	}
	return printText(cmd, res.Text()+"\n")
}

func describePart(p tool.Part) string {
	facts := []string{string(p.Type)}
	for _, fact := range []string{p.MIMEType, p.Name, p.URI} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	if len(p.Data) > 0 {
		facts = append(facts, fmt.Sprintf("%d bytes", len(p.Data)))
	}
	return strings.Join(facts, ", ") + " (see --json)"
}
