package tool

import (
	"encoding/json"
	"fmt"
	"time"
)

// Unlimited, as the value of any field of [Limits], takes the limit away. It has to be spelled: zero never means it.
const Unlimited = -1

// Limits bound one call. A zero field means the default that [DefaultLimits] holds; [Unlimited] means no limit.
type Limits struct {
	// Time is how long the tool may run. Time spent waiting for an approver does not count.
	Time time.Duration `json:"-"`

	// Fuel is how much work the guest may do, in the runtime's units: about one for each instruction.
	Fuel int64 `json:"fuel,omitempty"`

	// Memory is the size that the guest's linear memory may reach, in bytes. It is rounded down to whole pages of 64 KiB.
	Memory int64 `json:"memoryBytes,omitempty"`

	// Stack is how much of the host's memory the guest's calls of functions within functions may take up, in bytes. It is
	// looked at now and then, so a little more may be used. The engine has a limit of its own, of some 80 MB.
	Stack int64 `json:"stackBytes,omitempty"`

	// Input is the size of the arguments, in bytes.
	Input int64 `json:"inputBytes,omitempty"`

	// Output is the size of the result, in bytes.
	Output int64 `json:"outputBytes,omitempty"`

	// LogBytes and LogLines bound what the guest may log, its standard output and error included. What is over is
	// dropped and counted; the call goes on.
	LogBytes int64 `json:"logBytes,omitempty"`
	LogLines int64 `json:"logLines,omitempty"`

	// HostCalls is how many host functions the guest may call.
	HostCalls int64 `json:"hostCalls,omitempty"`

	// Approvals is how many approvals the guest may ask for.
	Approvals int64 `json:"approvals,omitempty"`
}

// MarshalJSON writes the fields that are not zero, Time as timeMs.
func (l Limits) MarshalJSON() ([]byte, error) {
	type plain Limits
	return json.Marshal(struct {
		TimeMS int64 `json:"timeMs,omitempty"`
		plain
	}{l.Time.Milliseconds(), plain(l)})
}

// DefaultLimits returns what a zero field of [Limits] means.
func DefaultLimits() Limits {
	return Limits{
		Time:      10 * time.Second,
		Fuel:      Unlimited,
		Memory:    128 << 20,
		Stack:     2 << 20,
		Input:     1 << 20,
		Output:    4 << 20,
		LogBytes:  256 << 10,
		LogLines:  1000,
		HostCalls: 100_000,
		Approvals: 8,
	}
}

// WithDefaults returns l with every zero field replaced by the default.
func (l Limits) WithDefaults() Limits {
	d := DefaultLimits()
	return Limits{
		Time:      orDefault(l.Time, d.Time),
		Fuel:      orDefault(l.Fuel, d.Fuel),
		Memory:    orDefault(l.Memory, d.Memory),
		Stack:     orDefault(l.Stack, d.Stack),
		Input:     orDefault(l.Input, d.Input),
		Output:    orDefault(l.Output, d.Output),
		LogBytes:  orDefault(l.LogBytes, d.LogBytes),
		LogLines:  orDefault(l.LogLines, d.LogLines),
		HostCalls: orDefault(l.HostCalls, d.HostCalls),
		Approvals: orDefault(l.Approvals, d.Approvals),
	}
}

// Tighten returns, field by field, the lower of l and what is asked for. A field of asked that is zero or [Unlimited]
// asks for nothing, so that a request can never raise a limit. Call it on limits that have their defaults.
func (l Limits) Tighten(asked Limits) Limits {
	return Limits{
		Time:      lower(l.Time, asked.Time),
		Fuel:      lower(l.Fuel, asked.Fuel),
		Memory:    lower(l.Memory, asked.Memory),
		Stack:     lower(l.Stack, asked.Stack),
		Input:     lower(l.Input, asked.Input),
		Output:    lower(l.Output, asked.Output),
		LogBytes:  lower(l.LogBytes, asked.LogBytes),
		LogLines:  lower(l.LogLines, asked.LogLines),
		HostCalls: lower(l.HostCalls, asked.HostCalls),
		Approvals: lower(l.Approvals, asked.Approvals),
	}
}

// Check reports the first field that is neither positive, nor zero, nor [Unlimited], and a memory limit of less than a page.
func (l Limits) Check() error {
	for _, f := range []struct {
		name  LimitName
		value int64
	}{
		{LimitTime, int64(l.Time)}, {LimitFuel, l.Fuel}, {LimitMemory, l.Memory}, {LimitStack, l.Stack},
		{LimitInput, l.Input}, {LimitOutput, l.Output}, {LimitLog, l.LogBytes}, {LimitLog, l.LogLines}, {LimitHostCalls, l.HostCalls}, {LimitApprovals, l.Approvals},
	} {
		if err := CheckLimit(f.name, f.value); err != nil {
			return err
		}
	}
	if l.Memory > 0 && l.Memory < 64<<10 {
		return fmt.Errorf("%s of %d bytes: less than a page of 64 KiB", LimitMemory.Error(), l.Memory)
	}
	return nil
}

// CheckLimit reports a value that no limit can have.
func CheckLimit(name LimitName, value int64) error {
	if value < Unlimited {
		return fmt.Errorf("%s of %d: want a positive value, 0 for the default, or Unlimited", name.Error(), value)
	}
	return nil
}

func orDefault[T ~int64](v, d T) T {
	if v == 0 {
		return d
	}
	return v
}

func lower[T ~int64](have, asked T) T {
	if asked > 0 && (have < 0 || asked < have) {
		return asked
	}
	return have
}

// Exceeded reports whether actual is over limit. A negative limit is none.
func Exceeded(limit, actual int64) bool { return limit >= 0 && actual > limit }

// LimitName names one of the limits. It is an error, so that errors.Is(err, tool.LimitMemory) works.
type LimitName string

// Limits of a call.
const (
	LimitTime      LimitName = "time"
	LimitFuel      LimitName = "fuel"
	LimitMemory    LimitName = "memory"
	LimitStack     LimitName = "stack"
	LimitInput     LimitName = "input"
	LimitOutput    LimitName = "output"
	LimitLog       LimitName = "log"
	LimitHostCalls LimitName = "host calls"
	LimitApprovals LimitName = "approvals"
)

// Limits of a module.
const (
	LimitModule     LimitName = "module size"
	LimitFunctions  LimitName = "functions"
	LimitCode       LimitName = "code size"
	LimitComplexity LimitName = "complexity" // of one function, in whatever makes compilers slow
	LimitCompile    LimitName = "compile time"
	LimitTable      LimitName = "table elements"
	LimitSpec       LimitName = "spec size"
	LimitTools      LimitName = "tools"
)

// Limits over all of a runtime.
const (
	LimitModules     LimitName = "modules"
	LimitInstances   LimitName = "instances"
	LimitTotalMemory LimitName = "total memory"
	LimitAbandoned   LimitName = "abandoned host calls"
)

// Error returns the name of the limit.
func (n LimitName) Error() string { return string(n) + " limit" }

// LimitError is the cause of an [Error] that a limit led to, whatever its code: [LimitExceeded], [Timeout], [InvalidArguments]
// for arguments that are too large, [BadModule] while a module is loaded.
type LimitError struct {
	Name LimitName

	// Max is the limit and Actual what was wanted, in the limit's unit: bytes, a count, or nanoseconds for time. Actual
	// is 0 where it is not known.
	Max, Actual int64
}

// Error gives the limit and the actual value.
func (e *LimitError) Error() string {
	if e.Name == LimitTime || e.Name == LimitCompile {
		return fmt.Sprintf("%s of %s reached", e.Name.Error(), time.Duration(e.Max))
	}
	text := fmt.Sprintf("%s of %d%s reached", e.Name.Error(), e.Max, e.Name.unit())
	if e.Actual != 0 {
		text += fmt.Sprintf(": %d", e.Actual)
	}
	return text
}

func (n LimitName) unit() string {
	switch n {
	case LimitMemory, LimitStack, LimitInput, LimitOutput, LimitModule, LimitCode, LimitSpec, LimitTotalMemory:
		return " bytes"
	}
	return ""
}

// Is makes a LimitError match its name.
func (e *LimitError) Is(target error) bool {
	name, ok := target.(LimitName)
	return ok && name == e.Name
}
