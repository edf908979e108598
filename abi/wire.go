package abi

import "encoding/json"

// Module is what spec writes, as JSON. The position of a tool in Tools is the argument of execute.
type Module struct {
	Tools []Tool `json:"tools"`
}

// Tool describes one tool.
type Tool struct {
	Name            string          `json:"name"`
	Title           string          `json:"title,omitempty"`
	Description     string          `json:"description,omitempty"`
	Version         string          `json:"version,omitempty"`
	Input           string          `json:"input,omitempty"` // "" or InputText
	InputSchema     json.RawMessage `json:"inputSchema,omitempty"`
	OutputSchema    json.RawMessage `json:"outputSchema,omitempty"`
	Annotations     *Annotations    `json:"annotations,omitempty"`
	Return          string          `json:"return,omitempty"` // "", ReturnImmediate or ReturnImmediateIfLast
	RequireApproval bool            `json:"requireApproval,omitempty"`
	Inject          []string        `json:"inject,omitempty"`   // InjectMemoryID, InjectParam + name
	Metadata        json.RawMessage `json:"metadata,omitempty"` // an object
	Limits          *Limits         `json:"limits,omitempty"`
}

// Values of fields of [Tool].
const (
	InputText             = "text"
	ReturnImmediate       = "immediate"
	ReturnImmediateIfLast = "immediate_if_last"
	InjectMemoryID        = "memoryId"
	InjectParam           = "params."
)

// Annotations are claims about effects. Nil means that the tool does not say.
type Annotations struct {
	ReadOnly    *bool `json:"readOnly,omitempty"`
	Destructive *bool `json:"destructive,omitempty"`
	Idempotent  *bool `json:"idempotent,omitempty"`
	OpenWorld   *bool `json:"openWorld,omitempty"`
}

// Limits are those that a tool asks for. Zero asks for nothing.
type Limits struct {
	TimeMS      int64 `json:"timeMs,omitempty"`
	Fuel        int64 `json:"fuel,omitempty"`
	MemoryBytes int64 `json:"memoryBytes,omitempty"`
	InputBytes  int64 `json:"inputBytes,omitempty"`
	OutputBytes int64 `json:"outputBytes,omitempty"`
	LogBytes    int64 `json:"logBytes,omitempty"`
	LogLines    int64 `json:"logLines,omitempty"`
	HostCalls   int64 `json:"hostCalls,omitempty"`
	Approvals   int64 `json:"approvals,omitempty"`
}

// Context is what the context function stages, as JSON.
type Context struct {
	CallID   string                     `json:"callId,omitempty"`
	MemoryID string                     `json:"memoryId,omitempty"`
	Params   map[string]json.RawMessage `json:"params,omitempty"`
}

// Result is the output of a call whose status is [KindResult].
type Result struct {
	Content    []Part                     `json:"content,omitempty"`
	Structured json.RawMessage            `json:"structured,omitempty"`
	Error      *Error                     `json:"error,omitempty"`
	Attributes map[string]json.RawMessage `json:"attributes,omitempty"`
}

// Part is one piece of content.
type Part struct {
	Type     string `json:"type"` // one of the Part constants
	Text     string `json:"text,omitempty"`
	Data     []byte `json:"data,omitempty"` // base64 in JSON
	MIMEType string `json:"mimeType,omitempty"`
	URI      string `json:"uri,omitempty"`
	Name     string `json:"name,omitempty"`
}

// Values of Part.Type.
const (
	PartText         = "text"
	PartImage        = "image"
	PartAudio        = "audio"
	PartResource     = "resource"
	PartResourceLink = "resource_link"
)

// Error is the error of a call.
type Error struct {
	Kind    string `json:"kind"` // one of the Error constants
	Code    *int32 `json:"code,omitempty"`
	Message string `json:"message"`
	Cause   string `json:"cause,omitempty"` // for the operator
}

// Values of Error.Kind.
const (
	ErrorExecution = "execution"
	ErrorArguments = "arguments"
	ErrorRejected  = "rejected"
)
