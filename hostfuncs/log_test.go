package hostfuncs_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/hostfuncs"
	"github.com/wasmtools/wasmtools/tool"
)

// logTo returns the options of a log without limits that writes JSON, one record a line.
func logTo(w io.Writer) hostfuncs.LogOptions {
	handler := slog.NewJSONHandler(w, &slog.HandlerOptions{
		Level: slog.Level(abi.LevelTrace),
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	})
	return hostfuncs.LogOptions{Logger: slog.New(handler), Tool: "shout", CallID: "c1", Module: "sha256:ab",
		Bytes: tool.Unlimited, Lines: tool.Unlimited}
}

const host = `"tool":"shout","call":"c1","module":"sha256:ab"`

// A19-146: whatever a guest sends, it is attributed and cannot pass for anything else.
func TestLogCannotBeForged(t *testing.T) {
	for _, tt := range []struct{ name, msg, attrs, want string }{
		{"host fields", "m", `{"tool":"evil","call":"c9","module":"x","from":"host","level":"ERROR","msg":"y","time":1}`,
			`"msg":"m",` + host + `,"from":"guest","guest":{"tool":"evil","call":"c9","module":"x","from":"host","level":"ERROR","msg":"y","time":1}`},
		{"group of its own name", "m", `{"guest":{"guest":1}}`, `"msg":"m",` + host + `,"from":"guest","guest":{"guest":{"guest":1}}`},
		{"lines in the message", "a\n{\"level\":\"ERROR\"}\r\u2028", ``, `"msg":"a\\n{\"level\":\"ERROR\"}\\r\\u2028",` + host + `,"from":"guest"`},
		{"ANSI and bidi in the message", "\x1b[31m\u202e", ``, `"msg":"\\x1b[31m\\u202e",` + host + `,"from":"guest"`},
		{"in names and text", "m", `{"a\n\u001b":"b\u202e\n","o":{"\u0000":["\u0007"]}}`,
			`"msg":"m",` + host + `,"from":"guest","guest":{"a\\n\\x1b":"b\\u202e\\n","o":{"\\x00":["\\x07"]}}`},
		{"empty name", "m", `{"":{"tool":"evil"}}`, `"msg":"m",` + host + `,"from":"guest","guest":{"\"\"":{"tool":"evil"}}`},
		{"exact numbers", "m", `{"a":12345678901234567890123,"b":1.50,"c":1e400,"d":-0}`,
			`"msg":"m",` + host + `,"from":"guest","guest":{"a":12345678901234567890123,"b":1.50,"c":1e400,"d":-0}`},
		{"other values", "m", `{"t":true,"n":null,"l":[1,[],{}]}`, `"msg":"m",` + host + `,"from":"guest","guest":{"t":true,"n":null,"l":[1,[],{}]}`},
		{"no attributes", "", `{}`, `"msg":"",` + host + `,"from":"guest"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			log := hostfuncs.NewLog(logTo(&out))
			require.Zero(t, log.Write(t.Context(), abi.LevelInfo, []byte(tt.msg), []byte(tt.attrs)))
			log.Close(t.Context())
			require.Equal(t, `{"level":"INFO",`+tt.want+"}\n", out.String())
		})
	}

	t.Run("identity", func(t *testing.T) {
		var out bytes.Buffer
		o := logTo(&out)
		o.Tool, o.Module, o.CallID = "t", "", "c\n"+strings.Repeat("7", 300)
		hostfuncs.NewLog(o).Write(t.Context(), 0, nil, nil)
		require.Equal(t, `{"level":"INFO","msg":"","tool":"t","call":"c\\n`+strings.Repeat("7", 254)+
			`... [truncated, full length: 302 chars]","from":"guest"}`+"\n", out.String())
	})
}

func TestLogRefusesMalformedRecords(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	for _, tt := range []struct {
		name, msg, attrs string
		want             int32
	}{
		{"message is not UTF-8", "a\xff", ``, abi.ErrInvalid},
		{"attributes are not UTF-8", "m", "{\"a\":\"\xff\"}", abi.ErrInvalid},
		{"not JSON", "m", `{"a":1,}`, abi.ErrInvalid},
		{"not closed", "m", `{"a":1`, abi.ErrInvalid},
		{"text behind", "m", `{"a":1} {}`, abi.ErrInvalid},
		{"not an object", "m", `[1]`, abi.ErrInvalid},
		{"null", "m", `null`, abi.ErrInvalid},
		{"blank", "m", ` `, abi.ErrInvalid},
		{"duplicate names", "m", `{"a":1,"a":2}`, abi.ErrInvalid},
		{"duplicate names inside", "m", `{"o":[{"a":1,"a":2}]}`, abi.ErrInvalid},
		{"names that look alike in the log", "m", `{"\u0000":1,"\\x00":2}`, abi.ErrInvalid},
		{"too deep", "m", deep(9), abi.ErrInvalid},
		{"arrays too deep", "m", `{"a":` + strings.Repeat("[", 8) + strings.Repeat("]", 8) + `}`, abi.ErrInvalid},
		{"far too deep", "m", `{"a":` + strings.Repeat("[", 8000), abi.ErrInvalid},
		{"deepest", "m", deep(8), 0},
		{"too large", "m", `{"a":"` + strings.Repeat("x", 16<<10) + `"}`, abi.ErrLimit},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			log := hostfuncs.NewLog(logTo(&out))
			require.Equal(t, tt.want, log.Write(t.Context(), 0, []byte(tt.msg), []byte(tt.attrs)))
			require.Equal(t, tt.want == 0, out.Len() > 0)
			require.Equal(t, tt.want == abi.ErrLimit, log.Dropped() == 1)
		})
	}
}

func TestLogLevels(t *testing.T) {
	for level, want := range map[int32]string{
		math.MinInt32: "DEBUG-4", -9: "DEBUG-4", -8: "DEBUG-4", -5: "DEBUG-4", -4: "DEBUG", -1: "DEBUG", 0: "INFO",
		3: "INFO", 4: "WARN", 7: "WARN", 8: "ERROR", 9: "ERROR", math.MaxInt32: "ERROR",
	} {
		var out bytes.Buffer
		hostfuncs.NewLog(logTo(&out)).Write(t.Context(), level, nil, nil)
		require.Contains(t, out.String(), `{"level":"`+want+`",`, "level %d", level)
	}
}

func TestLogLimits(t *testing.T) {
	for _, tt := range []struct {
		name         string
		bytes, lines int64
		want         []int32 // for messages of 4 bytes
	}{
		{"zero denies", 0, 0, []int32{abi.ErrLimit}},
		{"no lines", tool.Unlimited, 0, []int32{abi.ErrLimit}},
		{"no bytes", 0, tool.Unlimited, []int32{abi.ErrLimit}},
		{"two lines", tool.Unlimited, 2, []int32{0, 0, abi.ErrLimit, abi.ErrLimit}},
		{"eleven bytes", 11, tool.Unlimited, []int32{0, 0, abi.ErrLimit}},
		{"unlimited", tool.Unlimited, tool.Unlimited, []int32{0, 0, 0, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			o := logTo(&out)
			o.Bytes, o.Lines = tt.bytes, tt.lines
			log := hostfuncs.NewLog(o)
			dropped := 0
			for _, want := range tt.want {
				require.Equal(t, want, log.Write(t.Context(), 0, []byte("abcd"), nil))
				if want != 0 {
					dropped++
				}
			}
			require.EqualValues(t, dropped, log.Dropped())

			out.Reset()
			log.Close(t.Context())
			log.Close(t.Context())
			if dropped == 0 {
				require.Empty(t, out.String())
			} else { // once, by the host
				require.Equal(t, fmt.Sprintf(`{"level":"WARN","msg":"log limit reached",%s,"dropped":%d}`+"\n", host, dropped), out.String())
			}
			require.Equal(t, abi.ErrUnavailable, log.Write(t.Context(), 0, nil, nil), "after Close")
		})
	}

	t.Run("attributes count", func(t *testing.T) {
		o := logTo(io.Discard)
		o.Bytes = 10
		log := hostfuncs.NewLog(o)
		require.Equal(t, abi.ErrLimit, log.Write(t.Context(), 0, []byte("abcd"), []byte(`{"a":1}`)))
		require.Zero(t, log.Write(t.Context(), 0, []byte("abc"), []byte(`{"a":1}`)))
	})
	t.Run("without a logger too", func(t *testing.T) {
		log := hostfuncs.NewLog(hostfuncs.LogOptions{Bytes: 100, Lines: 1})
		require.Zero(t, log.Write(t.Context(), 0, []byte("a"), nil))
		require.Equal(t, abi.ErrLimit, log.Write(t.Context(), 0, []byte("a"), nil))
	})
}

func TestLogCutsLongMessages(t *testing.T) {
	for _, tt := range []struct{ name, msg, want string }{
		{"longest", strings.Repeat("x", 4096), strings.Repeat("x", 4096)},
		{"longer", strings.Repeat("x", 4097), strings.Repeat("x", 4096) + "... [truncated, full length: 4097 bytes]"},
		{"never splits a character", strings.Repeat("x", 4094) + "€€", strings.Repeat("x", 4094) + "... [truncated, full length: 4100 bytes]"},
		{"a character that just fits", strings.Repeat("x", 4093) + "€€", strings.Repeat("x", 4093) + "€... [truncated, full length: 4099 bytes]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			o := logTo(&out)
			o.Bytes = 3 * 4096
			log := hostfuncs.NewLog(o)
			require.Zero(t, log.Write(t.Context(), 0, []byte(tt.msg), nil))
			for _, name := range []string{"stdout", "stderr"} {
				_, err := io.WriteString(log.Stream(context.Background(), name), tt.msg+"\n")
				require.NoError(t, err)
			}
			require.Equal(t, 3, strings.Count(out.String(), `"msg":"`+tt.want+`"`))
		})
	}
	require.Equal(t, abi.ErrInvalid, hostfuncs.NewLog(logTo(io.Discard)).Write(t.Context(), 0, bytes.Repeat([]byte{0x80}, 5000), nil))
}

func TestStreams(t *testing.T) {
	line := func(stream, msg string) string {
		return `{"level":"DEBUG","msg":"` + msg + `",` + host + `,"from":"guest","stream":"` + stream + `"}` + "\n"
	}
	for _, tt := range []struct {
		name    string
		written []string // to stderr
		want    string
	}{
		{"broken UTF-8 and ANSI", []string{"\xff\x1b[2J\rx\n"}, line("stderr", `\\xff\\x1b[2J\\rx`)},
		{"many lines at once", []string{"a\n\r\n\nb\r\nc"}, line("stderr", "a") + line("stderr", "b") + line("stderr", "c")},
		{"a line in pieces", []string{"a", "", "\xe2\x82", "\xac", "\nb\n"}, line("stderr", "a€") + line("stderr", "b")},
		{"nothing", []string{"", "\n"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			log := hostfuncs.NewLog(logTo(&out))
			for _, text := range tt.written {
				n, err := io.WriteString(log.Stream(context.Background(), "stderr"), text)
				require.NoError(t, err)
				require.Equal(t, len(text), n)
			}
			log.Close(t.Context())
			require.Equal(t, tt.want, out.String())
		})
	}

	t.Run("limits", func(t *testing.T) {
		var out bytes.Buffer
		o := logTo(&out)
		o.Lines = 3
		log := hostfuncs.NewLog(o)
		require.Zero(t, log.Write(t.Context(), 0, []byte("a"), nil))
		_, err := io.WriteString(log.Stream(context.Background(), "stdout"), "b\nc\nd\ne")
		require.NoError(t, err)
		log.Close(t.Context())
		require.EqualValues(t, 2, log.Dropped())
		require.Equal(t, 4, strings.Count(out.String(), "\n"), "three records and the host's warning")
		require.Contains(t, out.String(), `"dropped":2`)
	})
}

func TestEndlessLineTakesNoMemory(t *testing.T) {
	var out bytes.Buffer
	log := hostfuncs.NewLog(logTo(&out))
	w := log.Stream(context.Background(), "stdout")
	chunk := bytes.Repeat([]byte("x"), 64<<10)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 1 << 14 {
		_, err := w.Write(chunk)
		require.NoError(t, err)
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
	require.Empty(t, out.String())
	log.Close(t.Context())
	require.Contains(t, out.String(), "full length: 1073741824 bytes")
	require.Less(t, out.Len(), 5000)
}

func TestTail(t *testing.T) {
	for _, tt := range []struct{ name, stdout, stderr, want string }{
		{"stderr first", "out", "err", "err"},
		{"blank stderr", "out", " \n", "out"},
		{"nothing", "", "", ""},
		{"trimmed", "", "\n panic: boom\n\n", "panic: boom"},
		{"the guest's text as it is", "", "a\x1b[2J\nb", "a\x1b[2J\nb"},
		{"valid UTF-8", "", "a\xff\xfeb", "a\ufffdb"},
		{"the last 2 KiB", "", strings.Repeat("x", 5000) + "end", strings.Repeat("x", 2045) + "end"},
		{"a character cut by it", "", strings.Repeat("€", 1000), strings.Repeat("€", 682)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int{1, 7, 4096} { // written in pieces of this size
				log := hostfuncs.NewLog(hostfuncs.LogOptions{}) // drops everything
				for name, text := range map[string]string{"stdout": tt.stdout, "stderr": tt.stderr} {
					for text != "" {
						n := min(size, len(text))
						_, err := io.WriteString(log.Stream(context.Background(), name), text[:n])
						require.NoError(t, err)
						text = text[n:]
					}
				}
				log.Close(t.Context())
				require.Equal(t, tt.want, log.Tail(), "in pieces of %d", size)
			}
		})
	}
}

// reentrant is a handler that uses the log that it is called by.
type reentrant struct {
	slog.Handler
	log *hostfuncs.Log
}

func (h *reentrant) Enabled(context.Context, slog.Level) bool { return true }

func (h *reentrant) Handle(context.Context, slog.Record) error {
	_ = h.log.Dropped()
	_ = h.log.Tail()
	return nil
}

func TestNoLockIsHeldWhileTheLoggerRuns(t *testing.T) {
	h := &reentrant{Handler: slog.DiscardHandler}
	h.log = hostfuncs.NewLog(hostfuncs.LogOptions{Logger: slog.New(h), Bytes: 10, Lines: 2})
	require.Zero(t, h.log.Write(t.Context(), 0, []byte("a"), nil))
	_, err := io.WriteString(h.log.Stream(context.Background(), "stdout"), "b\nc\nd")
	require.NoError(t, err)
	h.log.Close(t.Context())
	require.EqualValues(t, 2, h.log.Dropped())
}

func TestLogFromManyGoroutines(t *testing.T) {
	o := logTo(io.Discard)
	o.Lines = 100
	log := hostfuncs.NewLog(o)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 100 {
				log.Write(t.Context(), 0, []byte("m"), []byte(`{"a":1}`))
				_, _ = io.WriteString(log.Stream(context.Background(), []string{"stdout", "stderr"}[i%2]), "half")
				_ = log.Tail()
			}
		})
	}
	wg.Wait()
	log.Close(t.Context())
	require.EqualValues(t, 8*100+2-100, log.Dropped())
}

func FuzzLog(f *testing.F) {
	f.Add(int32(0), []byte("message"), []byte(`{"a":[1,{"b":"\u001b"}]}`))
	f.Add(int32(-7), []byte("\x1b[2J\n\xff"), []byte(`{"a":1,"a":2}`))
	f.Add(int32(99), []byte(strings.Repeat("€", 2000)), []byte(`[`))
	f.Fuzz(func(t *testing.T, level int32, msg, attrs []byte) {
		var out bytes.Buffer
		log := hostfuncs.NewLog(logTo(&out))
		code := log.Write(t.Context(), level, msg, attrs)
		require.Equal(t, code == 0, out.Len() > 0)
		_, err := log.Stream(context.Background(), "stderr").Write(msg)
		require.NoError(t, err)
		log.Close(t.Context())
		require.True(t, utf8.ValidString(log.Tail()))
		require.True(t, utf8.Valid(out.Bytes()))
		for line := range strings.Lines(out.String()) {
			require.Contains(t, line, host+`,"from":"guest"`)
			require.NotContains(t, line, `\u001b`, "the handler had to escape")
		}
	})
}

func BenchmarkLogWrite(b *testing.B) {
	msg, attrs := []byte("fetched the page"), []byte(`{"url":"https://example.com","bytes":1234}`)
	for name, logger := range map[string]*slog.Logger{"discard": nil, "json": slog.New(slog.NewJSONHandler(io.Discard, nil))} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			log := hostfuncs.NewLog(hostfuncs.LogOptions{Logger: logger, Tool: "t", Bytes: tool.Unlimited, Lines: tool.Unlimited})
			for b.Loop() {
				log.Write(b.Context(), 0, msg, attrs)
			}
		})
	}
}
