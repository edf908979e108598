package printable_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/internal/printable"
)

func TestEscape(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"ANSI", "\x1b[2Jok", `\x1b[2Jok`},
		{"C1 control", "a\u009bb", `a\u009bb`},
		{"C1 control as a byte", "a\x9bb", `a\x9bb`},
		{"line breaks", "a\nb\r\tc\u2028d\u2029e\u0085f", `a\nb\r\tc\u2028d\u2029e\u0085f`},
		{"NUL and DEL", "a\x00b\x7f", `a\x00b\x7f`},
		{"direction override", "a\u202eb\u2066c\u200f", `a\u202eb\u2066c\u200f`},
		{"zero width", "a\u200bb\u200dc\ufeffd\u2060e\u00adf", `a\u200bb\u200dc\ufeffd\u2060e\u00adf`},
		{"tags", "a\U000e0041", `a\U000e0041`},
		{"fillers", "a\u3164b\u115fc\uffa0d\u034fe\u2800f", `a\u3164b\u115fc\uffa0d\u034fe\u2800f`},
		{"variation selectors", "a\ufe0fb\U000e0100", `a\ufe0fb\U000e0100`},
		{"private use", "a\ue000", `a\ue000`},
		{"truncated UTF-8", "a\xe2\x82", `a\xe2\x82`},
		{"encoded surrogate", "\xed\xa0\x80", `\xed\xa0\x80`},
		{"piled up marks", "e" + strings.Repeat("\u0301", 6), "e" + strings.Repeat("\u0301", 4) + `\u0301\u0301`},
		{"mark without a letter", "\u0301a", `\u0301a`},
		{"nothing", "", ""},
		{"plain", `{"a": "b\c"} ~`, `{"a": "b\c"} ~`},
		{"other scripts", "Zürich 東京　שלום नमस्ते 🚀\u00a0x", "Zürich 東京　שלום नमस्ते 🚀\u00a0x"},
		{"replacement character", "\ufffd", "\ufffd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, printable.Escape(tt.in))
			require.Equal(t, tt.want, printable.Escape(tt.want), "not stable")
		})
	}
}

func TestTruncate(t *testing.T) {
	for _, tt := range []struct {
		name  string
		in    string
		limit int
		want  string
	}{
		{"short", "abc", 3, "abc"},
		{"long", "abcd", 3, "abc... [truncated, full length: 4 chars]"},
		{"counts characters", "éé€", 3, "éé€"},
		{"never splits one", "éé€🚀", 3, "éé€... [truncated, full length: 4 chars]"},
		{"nothing", "", 3, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, printable.Truncate(tt.in, tt.limit))
		})
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "plain", "\x1b[31m\u202e\xff\n", "e\u0301\u0301\u0301\u0301\u0301\u0301", "\U000e0041\u3164"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := printable.Escape(s)
		require.True(t, utf8.ValidString(out))
		for _, r := range out {
			require.False(t, unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, unicode.Bidi_Control), "%q holds %q", out, r)
		}
		require.Equal(t, out, printable.Escape(out), "clean text was changed")
		require.True(t, utf8.ValidString(printable.Truncate(out, 5)))
	})
}

func BenchmarkEscape(b *testing.B) {
	plain := strings.Repeat("a line of an ordinary log ", 8)
	for b.Loop() {
		printable.Escape(plain)
	}
}
