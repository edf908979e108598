package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/internal/strictjson"
	"github.com/wasmtools/wasmtools/tool"
)

// noMessage is what a failure without a message says.
const noMessage = "Tool execution failed with no message"

// result turns a guest's status and output into a Result. An error means that the guest broke the ABI.
func (c *compiledTool) result(status abi.Status, output []byte) (tool.Result, error) {
	if !status.Valid() {
		return tool.Result{}, abiViolation("status %#x is not known", uint32(status))
	}
	if !utf8.Valid(output) {
		return tool.Result{}, abiViolation("the output is not UTF-8")
	}
	switch status.Kind() {
	case abi.KindText:
		return tool.TextResult(string(output)), c.checkStructured(nil)
	case abi.KindJSON:
		return c.jsonResult(output)
	case abi.KindResult:
		return c.richResult(output)
	}
	e := abi.Error{Kind: errorKind(status.Kind()), Message: string(output)}
	if code := status.Code(); code != 0 {
		e.Code = &code
	}
	return tool.Result{Error: toolError(e)}, nil
}

func errorKind(k abi.Kind) string {
	switch k {
	case abi.KindBadArguments:
		return abi.ErrorArguments
	case abi.KindRejected:
		return abi.ErrorRejected
	}
	return abi.ErrorExecution
}

func (c *compiledTool) jsonResult(output []byte) (tool.Result, error) {
	limits := &strictjson.Options{MaxBytes: c.limits.Output}
	if c.output == nil {
		limits.MaxValues = tool.Unlimited // nothing is built of them
	}
	var bad *strictjson.Error
	if err := strictjson.Check(output, limits); errors.As(err, &bad) && bad.Limit {
		return tool.Result{}, abiViolation("the output is not JSON within the limits: %v", err)
	} else if err != nil {
		return tool.Result{}, abiViolation("the output is not JSON: %v", err)
	}
	if err := c.checkStructured(output); err != nil {
		return tool.Result{}, err
	}
	res := tool.TextResult(string(output))
	res.Structured = output
	return res, nil
}

func (c *compiledTool) richResult(output []byte) (tool.Result, error) {
	var wire abi.Result
	if err := strictjson.Decode(output, &strictjson.Options{MaxBytes: c.limits.Output}, &wire); err != nil {
		return tool.Result{}, abiViolation("the output is not a result: %v", err)
	}
	res := tool.Result{Structured: wire.Structured, Attributes: wire.Attributes}
	if wire.Error != nil {
		if len(wire.Content) > 0 || len(wire.Structured) > 0 {
			return tool.Result{}, abiViolation("the result has an error and content")
		}
		switch wire.Error.Kind {
		case abi.ErrorExecution, abi.ErrorArguments, abi.ErrorRejected:
			res.Error = toolError(*wire.Error)
			return res, nil
		}
		return tool.Result{}, abiViolation("the error has unknown kind %q", wire.Error.Kind)
	}
	for i, p := range wire.Content {
		part := tool.Part{Type: tool.PartType(p.Type), Text: p.Text, Data: p.Data, MIMEType: p.MIMEType, URI: p.URI, Name: p.Name}
		if err := checkPart(part); err != nil {
			return tool.Result{}, abiViolation("content part %d: %v", i, err)
		}
		res.Content = append(res.Content, part)
	}
	return res, c.checkStructured(res.Structured)
}

// checkStructured holds the tool to its output schema. A tool with a schema has to give a structured result.
func (c *compiledTool) checkStructured(value json.RawMessage) error {
	switch {
	case c.output == nil:
		return nil
	case len(value) == 0:
		return abiViolation("the tool has an outputSchema but gives no structured result")
	}
	if err := c.output.Validate(value); err != nil {
		return abiViolation("the structured result does not satisfy the tool's outputSchema: %v", err)
	}
	return nil
}

func checkPart(p tool.Part) error {
	switch p.Type {
	case tool.Text:
		return nil
	case tool.Image, tool.Audio:
		if len(p.Data) == 0 || p.MIMEType == "" {
			return fmt.Errorf("%s without data or mimeType", p.Type)
		}
		return nil
	case tool.Resource, tool.ResourceLink:
		if p.URI == "" || (p.Type == tool.ResourceLink && p.Name == "") {
			return fmt.Errorf("%s without uri or name", p.Type)
		}
		return nil
	}
	return fmt.Errorf("unknown type %q", p.Type)
}

func toolError(e abi.Error) *tool.Error {
	codes := map[string]tool.Code{
		abi.ErrorExecution: tool.ToolFailed, abi.ErrorArguments: tool.InvalidArguments, abi.ErrorRejected: tool.Denied,
	}
	err := &tool.Error{Code: codes[e.Kind], Status: e.Code, Message: e.Message}
	if strings.TrimSpace(e.Message) == "" {
		err.Message = noMessage
	}
	if e.Cause != "" {
		err.Cause = errors.New(e.Cause)
	}
	return err
}
