package abi

// Status is what execute returns: a [Kind] in the lowest 8 bits and, for an error, its code in the upper 24, signed. Code 0
// means that there is none. The code of any other kind must be 0.
type Status int32

// Kind says what a guest's output is.
type Kind uint8

const (
	KindText         Kind = 0 // UTF-8 text
	KindJSON         Kind = 1 // one JSON value
	KindResult       Kind = 2 // a Result as JSON
	KindFailed       Kind = 3 // the message of a failed execution
	KindBadArguments Kind = 4 // the message about arguments that the tool refuses
	KindRejected     Kind = 5 // the message of an action that was denied or rejected, and not done
)

// Codes that a Status can hold.
const (
	MinCode = -1 << 23
	MaxCode = 1<<23 - 1
)

// NewStatus packs a status. Codes outside MinCode to MaxCode do not fit and are dropped: send a [Result] instead.
func NewStatus(kind Kind, code int32) Status {
	if code < MinCode || code > MaxCode {
		code = 0
	}
	return Status(code<<8 | int32(kind))
}

// Kind returns the lowest 8 bits.
func (s Status) Kind() Kind { return Kind(s & 0xff) }

// Code returns the upper 24 bits.
func (s Status) Code() int32 { return int32(s) >> 8 }

// Valid reports whether s is one that this version defines.
func (s Status) Valid() bool {
	k := s.Kind()
	return k <= KindRejected && (k >= KindFailed || s.Code() == 0)
}

// Decision is what approve returns where it is not negative: one of the constants in the lowest 8 bits and, for
// [DecisionEdit], the size of the staged text in the upper 24.
type Decision int32

const (
	DecisionContinue = 0 // do it
	DecisionEdit     = 1 // do it with the staged text instead
	DecisionReject   = 2 // do not do it
)

// MaxStaged is the largest number of bytes that a host function may stage.
const MaxStaged = 1<<23 - 1

// NewDecision packs a decision.
func NewDecision(verdict int32, size int) Decision { return Decision(int32(size)<<8 | verdict&0xff) }

// Verdict returns the lowest 8 bits.
func (d Decision) Verdict() int32 { return int32(d) & 0xff }

// Size returns the upper 24 bits.
func (d Decision) Size() int { return int(int32(d) >> 8) }

// Errors that a host function returns in place of a result.
const (
	ErrDenied      int32 = -1 // not granted, or nobody is there to decide
	ErrUnavailable int32 = -2 // not there at the moment
	ErrInvalid     int32 = -3 // the request is malformed
	ErrLimit       int32 = -4 // dropped because of a limit
)

// Log levels, those of log/slog. Others are rounded down.
const (
	LevelTrace int32 = -8
	LevelDebug int32 = -4
	LevelInfo  int32 = 0
	LevelWarn  int32 = 4
	LevelError int32 = 8
)
