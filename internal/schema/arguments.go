package schema

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/wasmtools/wasmtools/internal/strictjson"
	"github.com/wasmtools/wasmtools/tool"
)

// ArgumentsOptions are those of [Schema.Arguments]. Nil is the same as the zero value. The number of values is limited too,
// as [strictjson.Options] do by default.
type ArgumentsOptions struct {
	// MaxBytes is the size of the text. Zero means 1 MiB, a negative number no limit.
	MaxBytes int64

	// Drop are names of parameters that the host injects. A model's value for one is removed.
	Drop []string
}

// Statuses of the errors of [Schema.Arguments].
const (
	statusBadRequest    int32 = 400
	statusUnprocessable int32 = 422 // a required parameter is missing
)

// maxRounds is how often arguments are mended and checked again. One round is enough for all but nested repairs.
const maxRounds = 4

// Arguments checks the arguments of a call and returns them in canonical form: compact JSON, members in their order,
// strings with no needless escapes, and read as the package's documentation says. Only the canonical form was checked;
// text is not to be used any more. The warnings say what was changed and are for the log; there may be some beside an error.
//
// The error's code is [tool.InvalidArguments], its status 422 if a required parameter is missing and 400 otherwise. Its
// message is for the model and lists what is wrong, in the same order every time.
func (s *Schema) Arguments(text []byte, o *ArgumentsOptions) (canonical []byte, warnings []string, err *tool.Error) {
	if o == nil {
		o = &ArgumentsOptions{}
	}
	v, warnings, err := readArguments(text, o)
	if err != nil {
		return nil, warnings, err
	}
	if where, ok := numbers(v); !ok {
		return nil, warnings, invalid("%s: %s", pointer(where), outOfRange(v.At(where).Text))
	}
	if !s.affordable(v, len(text)) {
		return nil, warnings, invalid("%s: send less", s.tooLarge())
	}
	for round := 0; ; round++ {
		verr, fault := s.validate(v)
		if fault != nil {
			return nil, warnings, invalid("cannot be checked").WithCause(fault)
		}
		if verr == nil {
			return v.Append(make([]byte, 0, len(text))), warnings, nil
		}
		m := mender{schema: s, root: v}
		if round == maxRounds || !m.mend(verr) {
			return nil, warnings, s.argumentsError(verr, v)
		}
		warnings = append(warnings, m.warnings...)
	}
}

func (s *Schema) argumentsError(verr *jsonschema.ValidationError, v *strictjson.Value) *tool.Error {
	d := describe(verr, v, s.graph, parameter)
	err := invalid("%s", d)
	if len(d.missing.kept) > 0 {
		*err.Status = statusUnprocessable
	}
	return err
}

func invalid(format string, args ...any) *tool.Error {
	status := statusBadRequest
	err := tool.Errorf(tool.InvalidArguments, "invalid arguments: "+format, args...)
	err.Status = &status
	return err
}

// readArguments parses text, which has to be an object, and drops what the host injects.
func readArguments(text []byte, o *ArgumentsOptions) (v *strictjson.Value, warnings []string, bad *tool.Error) {
	bare := bytes.TrimPrefix(text, []byte(strictjson.BOM))
	if len(bare) < len(text) {
		warnings = append(warnings, "arguments: byte order mark removed")
	}
	if len(bytes.TrimLeft(bare, " \t\r\n")) == 0 {
		return &strictjson.Value{Kind: strictjson.Object}, warnings, nil
	}
	v, err := strictjson.Parse(text, &strictjson.Options{MaxBytes: o.MaxBytes})
	var syntax *strictjson.Error
	switch {
	case errors.As(err, &syntax) && syntax.Limit:
		return nil, warnings, invalid("%s", syntax.Reason)
	case errors.As(err, &syntax):
		return nil, warnings, invalid("not valid JSON at byte %d: %s", syntax.Offset, clip(syntax.Reason, 200))
	case v.Kind == strictjson.Null:
		return &strictjson.Value{Kind: strictjson.Object}, append(warnings, "arguments: null taken as {}"), nil
	case v.Kind != strictjson.Object:
		return nil, warnings, invalid("must be a JSON object, got %s", v.Kind)
	}
	for _, name := range o.Drop {
		if v.Delete(name) {
			warnings = append(warnings, fmt.Sprintf("arguments: %q dropped: the host injects it", name))
		}
	}
	return v, warnings, nil
}

// Validate checks a JSON text of any kind, such as a tool's structured result. It is not changed, so that it is held to the
// schema to the letter: nothing is mended. Text that is not strict JSON is a [*strictjson.Error], and so is one with more
// values than [strictjson.Options] allow by default. The size of the text is not limited here. The schemas {} and true take
// any JSON, at the cost of parsing it.
func (s *Schema) Validate(text []byte) error {
	if bytes.HasPrefix(text, []byte(strictjson.BOM)) {
		return errors.New("validate: starts with a byte order mark")
	}
	v, err := strictjson.Parse(text, &strictjson.Options{MaxBytes: -1})
	if err != nil {
		return err
	}
	if where, ok := numbers(v); !ok {
		return fmt.Errorf("validate %q: %s", pointer(where), outOfRange(v.At(where).Text))
	}
	if s.open {
		return nil
	}
	if !s.affordable(v, len(text)) {
		return fmt.Errorf("validate: %s", s.tooLarge())
	}
	verr, fault := s.validate(v)
	switch {
	case fault != nil:
		return fault
	case verr != nil:
		return fmt.Errorf("validate: %s", describe(verr, v, s.graph, member))
	}
	return nil
}

// tooLarge says why a value is not checked.
func (s *Schema) tooLarge() string {
	return fmt.Sprintf("too large to be checked against the schema: it takes more than the limit of %d steps", s.maxWork)
}

// validate hands v to the library. The fault is a defect of it.
func (s *Schema) validate(v *strictjson.Value) (verr *jsonschema.ValidationError, fault error) {
	err := contain(func() error { return s.compiled.Validate(v.Any()) })
	if err == nil || errors.As(err, &verr) {
		return verr, nil
	}
	return nil, err
}
