package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/wasmtools/wasmtools/internal/schemaview"
	"github.com/wasmtools/wasmtools/internal/strictjson"
	"github.com/wasmtools/wasmtools/tool"
)

// checkForms makes sure that the texts are one form of arguments: nothing, one text, or pairs.
func checkForms(ref reference, positional, flags []string) ([]string, error) {
	if len(positional) > 0 && len(flags) > 0 {
		return nil, errors.New("the arguments are given twice: with --args and without")
	}
	texts := append(positional, flags...)
	for _, text := range texts {
		if len(texts) > 1 && !isPair(text) {
			return nil, &usageError{fmt.Errorf("%q is not KEY=VALUE", text), formsHint(ref, texts[0])}
		}
	}
	return texts, nil
}

// formsHint says how arguments are given, and what else the first one may have been meant for.
func formsHint(ref reference, first string) string {
	hint := "give KEY=VALUE pairs or one JSON object"
	if ref.tool == "" && looksLikeName(first) {
		hint += "; a tool is named with #: " + shellQuote(ref.path+"#"+first)
	}
	return hint
}

// isPair tells key=value from JSON, files and standard input.
func isPair(text string) bool {
	key, _, ok := strings.Cut(text, "=")
	return ok && key != "" && !strings.ContainsAny(key[:1], "{[\"@")
}

// takesStdin tells whether the arguments come from the standard input.
func takesStdin(texts []string) bool { return len(texts) == 1 && texts[0] == "-" }

// readArguments returns the arguments of a call to a tool of that spec. They are only put together here: checking them is part
// of the call. Nothing larger than limit is read.
func readArguments(ctx context.Context, spec tool.Spec, texts []string, stdin io.Reader, limit int64) (json.RawMessage, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	first := texts[0]
	isText := spec.Input == tool.InputText
	key, _, pair := strings.Cut(first, "=")
	switch {
	case takesStdin(texts):
		return readLimited(ctx, "the standard input", limit, func() (io.ReadCloser, error) { return io.NopCloser(stdin), nil })
	case strings.HasPrefix(first, "@@") && isText:
		return json.RawMessage(first[1:]), nil
	case strings.HasPrefix(first, "@"):
		return readFile(ctx, first[1:], limit)
	case isText && len(texts) > 1:
		return nil, &usageError{fmt.Errorf("tool %q takes one text, not %d", spec.Name, len(texts)), "put the text in quotes"}
	case isText && pair && key != "input" && looksLikeName(key):
		return nil, &usageError{fmt.Errorf("tool %q takes one text and has no argument %q", spec.Name, key),
			"if all of it is the text: " + shellQuote("input="+first)}
	case isText && !strings.HasPrefix(first, "input="), !isPair(first):
		return json.RawMessage(first), nil
	}
	return readPairs(ctx, spec, texts, limit)
}

// readPairs makes an object of key=value pairs. A key that comes again adds to a list.
func readPairs(ctx context.Context, spec tool.Spec, pairs []string, limit int64) (json.RawMessage, error) {
	root := schemaview.Parse(spec.InputSchema)
	values := map[string][]string{}
	var keys []string
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		value, err := readValue(ctx, value, limit)
		if err != nil {
			return nil, err
		}
		if !utf8.ValidString(key + value) {
			return nil, tool.Errorf(tool.InvalidArguments, "argument %q is not UTF-8", key)
		}
		if values[key] == nil {
			keys = append(keys, key)
		}
		values[key] = append(values[key], value)
	}
	members := make([][]byte, len(keys))
	for i, key := range keys {
		value, err := root.Property(key).CoerceAll(values[key])
		if err != nil {
			return nil, &usageError{fmt.Errorf("argument %q is %w", key, err), "give it once"}
		}
		members[i] = append(append(strictjson.AppendString(nil, key), ':'), value...)
	}
	return append(append([]byte("{"), bytes.Join(members, []byte(","))...), '}'), nil
}

// readValue returns the value of a pair: @file stands for the file's text, @@ for the character.
func readValue(ctx context.Context, value string, limit int64) (string, error) {
	name, isFile := strings.CutPrefix(value, "@")
	if !isFile || strings.HasPrefix(name, "@") {
		return name, nil
	}
	text, err := readFile(ctx, name, limit)
	return string(text), err
}

func readFile(ctx context.Context, name string, limit int64) ([]byte, error) {
	return readLimited(ctx, fmt.Sprintf("file %q", name), limit, func() (io.ReadCloser, error) {
		f, err := os.Open(name)
		var pathErr *os.PathError
		if errors.As(err, &pathErr) {
			return nil, pathErr.Err
		}
		return f, err
	})
}

// readLimited reads all there is. It returns as soon as ctx ends, even if reading blocks: a pipe or a terminal may never
// answer.
func readLimited(ctx context.Context, name string, limit int64, open func() (io.ReadCloser, error)) ([]byte, error) {
	type outcome struct {
		text []byte
		err  error
	}
	done := make(chan outcome, 1)
	go func() { // ends with the input, or with the process
		in, err := open()
		if err != nil {
			done <- outcome{err: err}
			return
		}
		defer in.Close()
		bounded := io.Reader(in)
		if limit >= 0 {
			bounded = io.LimitReader(in, limit+1)
		}
		text, err := io.ReadAll(bounded)
		done <- outcome{text, err}
	}()
	var got outcome
	select {
	case got = <-done:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	switch {
	case got.err != nil:
		return nil, tool.Errorf(tool.InvalidArguments, "read %s", name).WithCause(got.err).
			WithHint("@ stands for a file; a text that begins with it is written with two")
	case tool.Exceeded(limit, int64(len(got.text))):
		return nil, tool.Errorf(tool.InvalidArguments, "%s is too large", name).
			WithCause(&tool.LimitError{Name: tool.LimitInput, Max: limit})
	}
	return got.text, nil
}
