package tool

import (
	"encoding/json"
	"strings"
	"time"
)

// Result is what a tool answered.
type Result struct {
	// Content is what the model gets, in order. It may be empty.
	Content []Part

	// Structured is the result as JSON for the application and for models that take structured results. Empty means none.
	Structured json.RawMessage

	// Error is set where the tool ran and reports a failure. Content is then empty.
	Error *Error

	// Return is the tool's return behaviour, copied from its spec.
	Return ReturnBehavior

	// Attributes are for the application and never reach a model.
	Attributes map[string]json.RawMessage

	// Stats is what the call took.
	Stats Stats
}

// Stats is what a call took.
type Stats struct {
	// Duration is the time the tool ran, without the time spent waiting for an approver.
	Duration time.Duration

	// Waited is the time spent waiting for an approver.
	Waited time.Duration

	// Fuel is the work that the guest did, in the runtime's units; 0 where it is not counted. Initialisation does not count.
	Fuel int64

	// Memory is the size of the guest's linear memory at the end, in bytes.
	Memory int64

	// HostCalls is the number of host functions that the guest called.
	HostCalls int64

	// LogDropped is the number of log records that went over a log limit and were dropped.
	LogDropped int64
}

// PartType is the kind of a [Part].
type PartType string

const (
	Text         PartType = "text"
	Image        PartType = "image"
	Audio        PartType = "audio"
	Resource     PartType = "resource"      // embedded: Text or Data holds it
	ResourceLink PartType = "resource_link" // URI says where it is
)

// Part is one piece of content.
type Part struct {
	Type PartType `json:"type"`

	// Text holds text content, or an embedded resource that is text.
	Text string `json:"text,omitempty"`

	// Data holds an image, audio, or an embedded resource that is not text.
	Data []byte `json:"data,omitempty"`

	// MIMEType says what Data or the resource is.
	MIMEType string `json:"mimeType,omitempty"`

	// URI and Name identify a resource.
	URI  string `json:"uri,omitempty"`
	Name string `json:"name,omitempty"`
}

// TextResult returns a successful Result of one text part.
func TextResult(text string) Result {
	return Result{Content: []Part{{Type: Text, Text: text}}}
}

// Text returns what a model that takes only text gets: the text parts, joined by newlines, or the structured value if there
// is no content. For a failed result it is the error's message.
func (r Result) Text() string {
	switch {
	case r.Error != nil:
		return r.Error.Message
	case len(r.Content) == 0:
		return string(r.Structured)
	}
	var texts []string
	for _, p := range r.Content {
		if p.Type == Text {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}
