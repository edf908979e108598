package hostfuncs

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"unicode/utf8"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/internal/printable"
	"github.com/wasmtools/wasmtools/tool"
)

const (
	maxMessage   = 4 << 10 // bytes of a message or line that are kept
	maxHostField = 256     // characters of a host field: a model API chooses the call's ID
)

// LogOptions configure a [Log].
type LogOptions struct {
	// Logger gets the records. Nil discards them; the limits hold all the same.
	Logger *slog.Logger

	// Tool, CallID and Module go with every record. An empty one is left out.
	Tool, CallID, Module string

	// Bytes and Lines bound what the guest may log in all. Zero denies everything; [tool.Unlimited] is no limit.
	Bytes, Lines int64

	// Leash counts the loggers that were left behind. Nil means one of the log's own.
	Leash *Leash
}

// Log is the log of one call. It is safe for concurrent use; no lock is held while the logger runs.
//
// A logger that does not come back before the context of a record ends is left behind: what it was to log is logged late or
// never, and whatever comes afterwards is dropped and counted.
//
// Every record that a guest causes carries the host's fields tool, call and module and the field from=guest, which no
// other record has. What the guest provides is the message, escaped by [printable.Escape] and cut at 4 KiB, and attributes,
// escaped likewise and inside the group guest.
type Log struct {
	logger       *slog.Logger
	leash        *Leash
	host         []slog.Attr
	bytes, lines int64 // limits

	mu        sync.Mutex
	usedBytes int64
	usedLines int64
	dropped   int64
	closed    bool
	stuck     bool // the logger was left behind
	streams   []*stream
}

// NewLog returns an empty log. Close flushes it.
func NewLog(o LogOptions) *Log {
	l := &Log{logger: o.Logger, leash: o.Leash, bytes: o.Bytes, lines: o.Lines}
	if l.logger == nil {
		l.logger = slog.New(slog.DiscardHandler)
	}
	if l.leash == nil {
		l.leash = &Leash{}
	}
	for _, field := range []struct{ key, value string }{{"tool", o.Tool}, {"call", o.CallID}, {"module", o.Module}} {
		if field.value != "" {
			l.host = append(l.host, slog.String(field.key, printable.Escape(printable.Truncate(field.value, maxHostField))))
		}
	}
	return l
}

// Write logs a message with attributes, a JSON object or nothing. Levels are those of the package abi; others are rounded
// down, and lie between [abi.LevelTrace] and [abi.LevelError] in the end.
//
// It returns 0, [abi.ErrInvalid] where the message is not UTF-8 or the attributes are not a JSON object, have duplicate
// names, or nest deeper than 8, [abi.ErrLimit] where the record was dropped because of a limit or because its attributes
// are over 16 KiB, or [abi.ErrUnavailable] after Close.
func (l *Log) Write(ctx context.Context, level int32, msg, attrs []byte) int32 {
	if len(attrs) > maxAttrs {
		return l.Drop()
	}
	kept := cut(msg, maxMessage)
	guest, ok := parseAttrs(attrs)
	if !ok || !utf8.Valid(kept) {
		return abi.ErrInvalid
	}
	if code := l.reserve(len(kept) + len(attrs)); code != 0 {
		return code
	}
	l.emit(ctx, slogLevel(level), kept, len(msg), guest...)
	return 0
}

// Dropped returns how many records and lines were dropped because of a limit.
func (l *Log) Dropped() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dropped
}

// Stuck tells whether the logger was left behind.
func (l *Log) Stuck() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stuck
}

// Close flushes lines without an end and, if anything was dropped, logs one warning of the host with the number. What
// comes afterwards is not logged. Closing twice is fine.
func (l *Log) Close(ctx context.Context) {
	l.mu.Lock()
	streams := l.streams
	l.mu.Unlock()
	for _, s := range streams {
		s.flush(ctx)
	}

	l.mu.Lock()
	first, dropped := !l.closed, l.dropped
	l.closed = true
	l.mu.Unlock()
	if first && dropped > 0 {
		l.Host(ctx, slog.LevelWarn, "log limit reached", slog.Int64("dropped", dropped))
	}
}

// reserve takes one record of size bytes off what is left. It returns 0 or the error for the guest.
func (l *Log) reserve(size int) int32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return abi.ErrUnavailable
	case tool.Exceeded(l.lines, l.usedLines+1), tool.Exceeded(l.bytes, l.usedBytes+int64(size)):
		l.dropped++
		return abi.ErrLimit
	}
	l.usedLines++
	l.usedBytes += int64(size)
	return 0
}

// Drop counts a record that the guest wrote and that is too large to be looked at. It returns [abi.ErrLimit].
func (l *Log) Drop() int32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dropped++
	return abi.ErrLimit
}

// Host logs a record of the host about this call. It does not count against the limits; the attributes are to be escaped
// where they hold anybody else's text.
func (l *Log) Host(ctx context.Context, level slog.Level, msg string, attrs ...slog.Attr) {
	l.log(ctx, level, msg, append(l.host[:len(l.host):len(l.host)], attrs...))
}

// log passes a record on, and waits for the logger as long as ctx says.
func (l *Log) log(ctx context.Context, level slog.Level, msg string, attrs []slog.Attr) {
	if l.logger.Handler() == slog.DiscardHandler {
		return
	}
	l.mu.Lock()
	stuck := l.stuck
	if stuck {
		l.dropped++
	}
	l.mu.Unlock()
	if stuck {
		return
	}
	err := l.leash.Do(ctx, func(ctx context.Context) error {
		l.logger.LogAttrs(ctx, level, msg, attrs...)
		return nil
	})
	if err != nil {
		l.mu.Lock()
		l.stuck = true
		l.mu.Unlock()
	}
}

// emit logs a record of the guest: what was kept of a message of full bytes. The attributes are the host's or in the
// guest's group already.
func (l *Log) emit(ctx context.Context, level slog.Level, kept []byte, full int, attrs ...slog.Attr) {
	text := printable.Escape(string(kept))
	if len(kept) < full {
		text += fmt.Sprintf("... [truncated, full length: %d bytes]", full)
	}
	all := make([]slog.Attr, 0, len(l.host)+1+len(attrs))
	all = append(all, l.host...)
	all = append(all, slog.String("from", "guest"))
	l.log(ctx, level, text, append(all, attrs...))
}

func slogLevel(level int32) slog.Level {
	level = min(max(level, abi.LevelTrace), abi.LevelError)
	return slog.Level(level &^ 3) // levels are 4 apart; in two's complement this rounds down, below zero too
}

// cut returns at most the first limit bytes of p and does not split a character.
func cut(p []byte, limit int) []byte {
	if len(p) <= limit {
		return p
	}
	for i := limit; i > limit-utf8.UTFMax; i-- {
		if utf8.RuneStart(p[i]) {
			return p[:i]
		}
	}
	return p[:limit] // not UTF-8
}
