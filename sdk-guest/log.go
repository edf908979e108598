package guest

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"reflect"

	"github.com/wasmtools/wasmtools/sdk-guest/internal/host"
)

// Log returns a logger whose records go to the host, which adds the tool's name and the call's ID, and decides
// what it keeps: a tool cannot tell.
func (c Context) Log() *slog.Logger { return slog.New(newHandler(c.host())) }

// LogText logs a message without attributes. It is what small guests use instead of [Context.Log].
func (c Context) LogText(level slog.Level, message string) {
	c.host().Log(int32(level), message, "")
}

// handler hands records to the host. Their attributes are written by slog's own handler for JSON, within one group, so that
// what that handler adds by itself is outside and cannot be mistaken for an attribute of the same name.
type handler struct {
	host host.Host
	json slog.Handler
	buf  *bytes.Buffer
}

func newHandler(h host.Host) handler {
	buf := &bytes.Buffer{}
	options := &slog.HandlerOptions{Level: slog.Level(-8), ReplaceAttr: replaceAttr}
	return handler{h, slog.NewJSONHandler(buf, options).WithGroup("a"), buf}
}

// replaceAttr removes what is outside of our group, and makes text of what would be a panic.
func replaceAttr(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 {
		return slog.Attr{}
	}
	if a.Value.Kind() == slog.KindFloat64 || a.Value.Kind() == slog.KindAny {
		value := a.Value.Any()
		if encodable(reflect.ValueOf(value), 0) != nil {
			return slog.String(a.Key, fmt.Sprint(value))
		}
	}
	return a
}

// Enabled returns true: the level is the host's to decide.
func (handler) Enabled(context.Context, slog.Level) bool { return true }

// Handle never fails: a record that the host drops is no concern of the tool's.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	h.buf.Reset()
	if err := h.json.Handle(ctx, r); err != nil {
		return err
	}
	attrs := bytes.TrimSpace(h.buf.Bytes()) // {"a":{...}} or {}
	attrs, ok := bytes.CutPrefix(attrs, []byte(`{"a":`))
	if ok {
		attrs = attrs[:len(attrs)-1]
	} else {
		attrs = nil
	}
	h.host.Log(int32(r.Level), r.Message, string(attrs))
	return nil
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.host, h.json.WithAttrs(attrs), h.buf}
}

func (h handler) WithGroup(name string) slog.Handler {
	return handler{h.host, h.json.WithGroup(name), h.buf}
}
