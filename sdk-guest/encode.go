package guest

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/sdk-guest/schema"
)

// outputSchema returns the schema of what a tool with results of type t sends as JSON, nil if it sends none.
func outputSchema(t reflect.Type) (json.RawMessage, error) {
	switch t {
	case reflect.TypeFor[None](), reflect.TypeFor[string](), reflect.TypeFor[*string](),
		reflect.TypeFor[Result](), reflect.TypeFor[*Result](), reflect.TypeFor[Part](), reflect.TypeFor[[]Part]():
		return nil, nil
	}
	return schema.Output(t)
}

// encode turns what a tool returned into output and status.
func encode(value any, err error) (string, abi.Status) {
	if err != nil {
		return encodeError(err)
	}
	switch v := value.(type) {
	case None:
		return "Success", abi.NewStatus(abi.KindText, 0)
	case string:
		return v, abi.NewStatus(abi.KindText, 0)
	case *string:
		if v != nil {
			return *v, abi.NewStatus(abi.KindText, 0)
		}
	case Result:
		return encodeResult(v)
	case *Result:
		if v == nil {
			return "", abi.NewStatus(abi.KindText, 0)
		}
		return encodeResult(*v)
	case Part:
		return encodeResult(Result{Content: []Part{v}})
	case []Part:
		return encodeResult(Result{Content: v})
	}
	return encodeAs(abi.KindJSON, value)
}

func encodeResult(r Result) (string, abi.Status) {
	if r.Error != nil {
		return encodeError(r.Error)
	}
	if len(r.Content) == 1 && r.Content[0].Type == abi.PartText && r.Structured == nil && r.Attributes == nil {
		return r.Content[0].Text, abi.NewStatus(abi.KindText, 0)
	}
	out := abi.Result{Content: r.Content}
	var err error
	if r.Structured != nil {
		if out.Structured, err = toJSON(r.Structured); err != nil {
			return encodeError(err)
		}
	}
	for name, value := range r.Attributes {
		if out.Attributes == nil {
			out.Attributes = map[string]json.RawMessage{}
		}
		if out.Attributes[name], err = toJSON(value); err != nil {
			return encodeError(err)
		}
	}
	return encodeAs(abi.KindResult, out)
}

// encodeError uses the plain form where it says everything.
func encodeError(err error) (string, abi.Status) {
	kind, e := classify(err)
	var code int32
	if e.Code != nil {
		code = *e.Code
	}
	plain := e.Cause == "" && code >= abi.MinCode && code <= abi.MaxCode && (e.Code == nil || code != 0)
	if plain {
		return e.Message, abi.NewStatus(kind, code)
	}
	return encodeAs(abi.KindResult, abi.Result{Error: &e})
}

func encodeAs(kind abi.Kind, value any) (string, abi.Status) {
	text, err := toJSON(value)
	if err != nil {
		return encodeError(err)
	}
	return string(text), abi.NewStatus(kind, 0)
}

// toJSON refuses what encoding/json would refuse. It has to look first: the package panics inside and recovers, which
// under TinyGo is a trap.
func toJSON(value any) (json.RawMessage, error) {
	if err := encodable(reflect.ValueOf(value), 0); err != nil {
		return nil, fmt.Errorf("result of type %T: %w", value, err)
	}
	return marshal(value)
}

// maxDepth is how deep a value may go. Deeper ones are cycles or would not be read anyway.
const maxDepth = 100

func encodable(v reflect.Value, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("%v is not a number in JSON", f)
		}
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return fmt.Errorf("a %s has no JSON form", v.Type())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return encodable(v.Elem(), depth+1)
		}
	case reflect.Struct:
		return encodableFields(v, depth)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		for i := range v.Len() {
			if err := encodable(v.Index(i), depth+1); err != nil {
				return err
			}
		}
	case reflect.Map:
		for i := v.MapRange(); i.Next(); {
			if err := encodable(i.Value(), depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func encodableFields(v reflect.Value, depth int) error {
	t := v.Type()
	_, isOptional := reflect.Zero(t).Interface().(schema.Aliased) // its value is in a field of its own
	for i := range t.NumField() {
		if f := t.Field(i); !f.IsExported() && !f.Anonymous && !isOptional || f.Tag.Get("json") == "-" {
			continue
		}
		if err := encodable(v.Field(i), depth+1); err != nil {
			return fmt.Errorf("%s: %w", t.Field(i).Name, err)
		}
	}
	return nil
}
