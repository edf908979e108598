package hostfuncs

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"unicode/utf8"
)

// maxTail is how many bytes of a stream's end are remembered.
const maxTail = 2 << 10

// stream turns what is written to it into records. The log's mutex guards its fields.
type stream struct {
	ctx  context.Context // of the call
	log  *Log
	name string
	line []byte // the beginning of the unfinished line
	full int    // the length of that line
	tail []byte // the end of all that was written, whatever was dropped
}

// Stream returns the writer of that name, "stdout" or "stderr", for a call with that context. Every whole line that is not empty becomes a record of level
// DEBUG with the field stream; Close flushes the last one. A line over a limit is dropped and counted. Of a line of any
// length no more than 4 KiB are held.
//
// The writer never returns an error. Lines stay whole if one goroutine at a time writes.
func (l *Log) Stream(ctx context.Context, name string) io.Writer {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.stream(name); s != nil {
		return s
	}
	s := &stream{ctx: ctx, log: l, name: name}
	l.streams = append(l.streams, s)
	return s
}

func (l *Log) stream(name string) *stream {
	for _, s := range l.streams {
		if s.name == name {
			return s
		}
	}
	return nil
}

// Tail returns the guest's last words: the end, 2 KiB at most, of what it wrote to standard error or, if that is blank,
// to standard output. It is trimmed and valid UTF-8, and the guest's text otherwise: escape it before printing it. No
// limit and no logger changes it.
func (l *Log) Tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range []string{"stderr", "stdout"} {
		if s := l.stream(name); s != nil {
			if text := s.lastWords(); text != "" {
				return text
			}
		}
	}
	return ""
}

// Write implements [io.Writer].
func (s *stream) Write(p []byte) (int, error) {
	s.remember(p)
	for rest := p; len(rest) > 0; {
		var line []byte
		var whole bool
		line, rest, whole = bytes.Cut(rest, []byte("\n"))
		s.extend(line)
		if whole {
			s.flush(s.ctx)
		}
	}
	return len(p), nil
}

func (s *stream) remember(p []byte) {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	p = p[max(0, len(p)-maxTail):]
	s.tail = append(s.tail, p...)
	if over := len(s.tail) - maxTail; over > 0 {
		s.tail = s.tail[:copy(s.tail, s.tail[over:])]
	}
}

func (s *stream) extend(p []byte) {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	s.full += len(p)
	room := maxMessage + 1 - len(s.line) // one more, so that cut sees whether a character ends there
	s.line = append(s.line, p[:min(room, len(p))]...)
}

// flush logs the line as far as it goes and begins the next.
func (s *stream) flush(ctx context.Context) {
	text, full := s.take()
	if full == 0 {
		return
	}
	kept := cut(text, maxMessage)
	if s.log.reserve(len(kept)) == 0 {
		s.log.emit(ctx, slog.LevelDebug, kept, full, slog.String("stream", s.name))
	}
}

// take returns the line without a carriage return at its end, and its full length.
func (s *stream) take() (text []byte, full int) {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	text, full = s.line, s.full
	s.line, s.full = nil, 0
	if full == len(text) && bytes.HasSuffix(text, []byte("\r")) {
		return text[:full-1], full - 1
	}
	return text, full
}

func (s *stream) lastWords() string {
	text := s.tail
	for i := 0; i < utf8.UTFMax-1 && len(text) > 0 && !utf8.RuneStart(text[0]); i++ {
		text = text[1:] // the rest of a character that was pushed out
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(text), "\ufffd"))
}
