package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wasmtools/wasmtools/tool"
)

func TestSizeLimit(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "65536": 65536, "7B": 7, "2K": 2048, "2KiB": 2048, "2KB": 2000, "3M": 3 << 20, "3MiB": 3 << 20, "3MB": 3e6,
		"1G": 1 << 30, "1GiB": 1 << 30, "1GB": 1e9, "unlimited": tool.Unlimited,
	} {
		var got int64
		require.NoError(t, sizeLimit{&got}.Set(text), text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{
		"", "0", "-1", "-5MiB", "1.5MiB", "MiB", "1TiB", "1 MiB", "1mib", "B1", "99999999999999999999", "9999999999GiB", "none",
	} {
		got := int64(7)
		require.Error(t, sizeLimit{&got}.Set(text), text)
		require.EqualValues(t, 7, got, text)
	}
}

func TestTimeLimit(t *testing.T) {
	for text, want := range map[string]time.Duration{"1ms": time.Millisecond, "2m30s": 150 * time.Second, "unlimited": tool.Unlimited} {
		var got time.Duration
		require.NoError(t, timeLimit{&got}.Set(text), text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "5", "0", "0s", "-1s", "soon"} {
		got := time.Duration(7)
		require.Error(t, timeLimit{&got}.Set(text), text)
		require.EqualValues(t, 7, got, text)
	}
}

func TestCountLimit(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "5000000": 5_000_000, "unlimited": tool.Unlimited} {
		var got int64
		require.NoError(t, countLimit{&got}.Set(text), text)
		require.Equal(t, want, got, text)
		require.Equal(t, text, countLimit{&got}.String())
	}
	for _, text := range []string{"", "0", "-1", "1.5", "many", "99999999999999999999"} {
		got := int64(7)
		require.Error(t, countLimit{&got}.Set(text), text)
		require.EqualValues(t, 7, got, text)
	}
}

func TestForTerminal(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"plain\ttext\nin lines\n": "plain\ttext\nin lines\n",
		"é ß 漢字 😀":                "é ß 漢字 😀",
		"\x1b[2J\n\x07":           "\\x1b[2J\n\\x07",
		"over\rwritten":           "over\\rwritten",
		"\u202eturned\u009b":      "\\u202eturned\\u009b",
		"\xff":                    "\\xff",
	} {
		require.Equal(t, want, forTerminal(text))
	}
}
