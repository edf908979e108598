package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Spec says what a tool is. What a spec says of itself is a hint and a request, never a grant.
//
// A Spec is a finished value: treat it and the slices in it as read-only.
type Spec struct {
	// Name is what the model calls the tool by; see [CheckName] for what is legal.
	Name string `json:"name"`

	// Title is a name for people. Empty means that there is none.
	Title string `json:"title,omitempty"`

	// Description tells the model what the tool does and when to use it. It reaches the model unchanged.
	Description string `json:"description,omitempty"`

	// Version is the author's version of the tool, free text.
	Version string `json:"version,omitempty"`

	// Input says how arguments reach the tool. The zero value is [InputObject].
	Input InputKind `json:"input,omitempty"`

	// InputSchema is the JSON Schema of the arguments. It is always an object schema.
	InputSchema json.RawMessage `json:"inputSchema"`

	// OutputSchema is the JSON Schema of Result.Structured. Empty means that the tool promises nothing.
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`

	// Annotations are the tool's claims about its effects.
	Annotations Annotations `json:"annotations,omitzero"`

	// Return says who gets the result. The zero value is [ToModel].
	Return ReturnBehavior `json:"return,omitempty"`

	// RequireApproval asks for a human decision before every call. Without an approver the tool does not run.
	RequireApproval bool `json:"requireApproval,omitempty"`

	// Inject names the values of the [Invocation] that the tool cannot do without: [InjectMemoryID] or
	// [InjectParamPrefix] followed by a parameter's name.
	Inject []string `json:"inject,omitempty"`

	// Metadata is a JSON object for applications. It is not sent to a model unless an adapter is told to. Empty means {}.
	Metadata json.RawMessage `json:"metadata,omitempty"`

	// Limits are what the tool asks for. They can only lower what the host allows.
	Limits Limits `json:"limits,omitzero"`
}

// MaxDescription is the largest size of a description, in bytes. A person may have to read it.
const MaxDescription = 32 << 10

// Names that [Spec].Inject may hold.
const (
	InjectMemoryID    = "memoryId"
	InjectParamPrefix = "params."
)

// InputKind says how a call's arguments reach the tool.
type InputKind string

const (
	// InputObject hands over the arguments as a JSON object.
	InputObject InputKind = ""

	// InputText hands over the text of the single argument "input"; see [TextInputSchema]. Arguments of any other shape
	// are handed over as they came.
	InputText InputKind = "text"
)

// TextInputSchema is the input schema of every tool whose Input is [InputText].
const TextInputSchema = `{"type":"object","properties":{"input":{"type":"string","description":"The input to pass to the tool"}},"required":["input"]}`

// ReturnBehavior says who gets a tool's result.
type ReturnBehavior string

const (
	// ToModel sends the result back to the model.
	ToModel ReturnBehavior = ""

	// Immediate returns the result to the caller without another model round, if all calls of the round do.
	Immediate ReturnBehavior = "immediate"

	// ImmediateIfLast returns the round's results to the caller if this call is the last of the round.
	ImmediateIfLast ReturnBehavior = "immediate_if_last"
)

// Annotations are claims about what a tool does. Nil means that the tool does not say.
type Annotations struct {
	ReadOnly    *bool `json:"readOnly,omitempty"`    // does not change anything
	Destructive *bool `json:"destructive,omitempty"` // may destroy what was there
	Idempotent  *bool `json:"idempotent,omitempty"`  // doing it twice is like doing it once
	OpenWorld   *bool `json:"openWorld,omitempty"`   // reaches things outside the host
}

// Check reports the first thing about s that is not legal under the name profile p. It looks at the spec's own fields;
// that the schemas are good JSON Schema is for the package that compiles them to find.
func (s Spec) Check(p NameProfile) error {
	if err := CheckName(s.Name, p); err != nil {
		return err
	}
	if len(s.Description) > MaxDescription {
		return fmt.Errorf("spec %q: description has %d bytes, at most %d are allowed", s.Name, len(s.Description), MaxDescription)
	}
	if s.Input != InputObject && s.Input != InputText {
		return fmt.Errorf("spec %q: input %q is not known; want %q or nothing", s.Name, s.Input, InputText)
	}
	switch s.Return {
	case ToModel, Immediate, ImmediateIfLast:
	default:
		return fmt.Errorf("spec %q: return %q is not known; want %q, %q or nothing", s.Name, s.Return, Immediate, ImmediateIfLast)
	}
	if !isObject(s.InputSchema) {
		return fmt.Errorf("spec %q: inputSchema is not a JSON object", s.Name)
	}
	if len(s.OutputSchema) > 0 && !isObject(s.OutputSchema) {
		return fmt.Errorf("spec %q: outputSchema is not a JSON object", s.Name)
	}
	if len(s.Metadata) > 0 && !isObject(s.Metadata) {
		return fmt.Errorf("spec %q: metadata is not a JSON object", s.Name)
	}
	return s.checkInject()
}

func (s Spec) checkInject() error {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if len(s.Inject) > 0 {
		if err := json.Unmarshal(s.InputSchema, &schema); err != nil {
			return fmt.Errorf("spec %q: inputSchema: %w", s.Name, err)
		}
	}
	for i, name := range s.Inject {
		param, isParam := strings.CutPrefix(name, InjectParamPrefix)
		if name != InjectMemoryID && (!isParam || param == "") {
			return fmt.Errorf("spec %q: inject %q is not known; want %q or %qNAME", s.Name, name, InjectMemoryID, InjectParamPrefix)
		}
		if slices.Contains(s.Inject[:i], name) {
			return fmt.Errorf("spec %q: inject %q is listed twice", s.Name, name)
		}
		for _, arg := range injectedArguments(name) {
			if _, ok := schema.Properties[arg]; ok {
				return fmt.Errorf("spec %q: argument %q has the name of a value that the host injects", s.Name, arg)
			}
		}
	}
	return nil
}

// InjectedArguments returns the argument names that a model must not use because the host injects the value. An argument
// of that name is dropped before the tool sees it.
func (s Spec) InjectedArguments() []string {
	var names []string
	for _, name := range s.Inject {
		names = append(names, injectedArguments(name)...)
	}
	return names
}

func injectedArguments(inject string) []string {
	if inject == InjectMemoryID {
		return []string{"memoryId", "memory_id"}
	}
	return []string{strings.TrimPrefix(inject, InjectParamPrefix)}
}

// Equal reports whether s and t are the same in all fields. Schemas and metadata are compared as JSON values: white space
// and the order of members do not count.
func (s Spec) Equal(t Spec) bool {
	a, errA := s.canonical()
	b, errB := t.canonical()
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

func (s Spec) canonical() ([]byte, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

func isObject(text json.RawMessage) bool {
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	return len(trimmed) > 0 && trimmed[0] == '{' && json.Valid(text)
}
