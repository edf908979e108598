package runtime

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/tetratelabs/wazero/api"

	"github.com/wasmtools/wasmtools/tool"
)

// engineStack is about how much stack the engine lets a guest use, in bytes. It doubles a stack that is full, up to this.
const engineStack = 80 << 20

// stackGauge tells how much stack a guest's function uses. The engine keeps stacks in the host's memory and doubles one that
// is full, which takes tens of milliseconds for the largest: the deadline is not held where a guest may go that far.
//
// The engine does not say where a stack is. The gauge reads it, by reflection, from the fields of the engine's function in which
// it is kept. If an upgrade of the engine changes that, newStackGauge fails, and so does every call.
type stackGauge struct {
	known bool
	top   reflect.Value // an uintptr, which changes when the stack moves; not valid for the interpreter
	stack reflect.Value // a slice; likewise
}

// newStackGauge returns the gauge for calls of fn. One for the interpreter always reads 0: its own limit is a low one.
func newStackGauge(fn api.Function) (stackGauge, error) {
	v := reflect.Indirect(reflect.ValueOf(fn))
	if strings.HasSuffix(v.Type().PkgPath(), "/interpreter") {
		return stackGauge{known: true}, nil
	}
	if v.Kind() == reflect.Struct {
		top, stack := v.FieldByName("stackTop"), v.FieldByName("stack")
		if top.Kind() == reflect.Uintptr && stack.Kind() == reflect.Slice {
			return stackGauge{true, top, stack}, nil
		}
	}
	return stackGauge{}, fmt.Errorf("this version of the engine is not known: no stack in %s", v.Type())
}

// used returns how many bytes of stack are in use. The operands are those that a host function was called with: they are at
// the end of the stack.
func (g stackGauge) used(operands []uint64) int64 {
	if !g.top.IsValid() {
		return 0
	}
	return int64(uintptr(g.top.Uint()) - reflect.ValueOf(&operands[0]).Pointer())
}

// size returns how many bytes the stack has.
func (g stackGauge) size() int {
	if !g.stack.IsValid() {
		return 0
	}
	return g.stack.Len()
}

// stackOverflow is the error of a guest that used more stack than it may, or than the engine has.
func stackOverflow(limit, actual int64) *tool.Error {
	if limit < 0 {
		limit = engineStack
	}
	return tool.Errorf(tool.LimitExceeded, "the tool calls itself too deeply").
		WithCause(&tool.LimitError{Name: tool.LimitStack, Max: limit, Actual: actual}).
		WithHint("send the tool less deeply nested data; if it can be trusted with more, raise the stack limit")
}
