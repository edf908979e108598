package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wasmtools/wasmtools/internal/printable"
	"github.com/wasmtools/wasmtools/tool"
)

// choice is a flag with a few possible values. It implements pflag.Value.
type choice struct {
	value   string
	allowed []string
}

func oneOf(value string, allowed ...string) choice { return choice{value, allowed} }

func (c *choice) String() string { return c.value }

func (c *choice) Type() string { return strings.Join(c.allowed, "|") }

func (c *choice) Set(text string) error {
	if !slices.Contains(c.allowed, text) {
		return fmt.Errorf("want %s", strings.Join(c.allowed, ", "))
	}
	c.value = text
	return nil
}

// completeChoices makes a shell complete the values of all flags that are choices.
func completeChoices(cmd *cobra.Command, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if c, ok := f.Value.(*choice); ok {
			values := cobra.FixedCompletions(c.allowed, cobra.ShellCompDirectiveNoFileComp)
			_ = cmd.RegisterFlagCompletionFunc(f.Name, values) // fails only if done twice
		}
	})
}

// unlimited is how the absence of a limit is spelled.
const unlimited = "unlimited"

var (
	errNotPositive = errors.New("a limit is above zero; for none say " + unlimited)
	errNoDuration  = errors.New("want a number with a unit, such as 500ms, 30s or 2m")
)

// timeLimit is a flag that holds a limit of time. It implements pflag.Value.
type timeLimit struct{ limit *time.Duration }

func (l timeLimit) String() string {
	if l.limit == nil {
		return "" // pflag asks the zero value
	}
	return l.limit.String()
}

func (timeLimit) Type() string { return "DURATION" }

func (l timeLimit) Set(text string) error {
	if text == unlimited {
		*l.limit = tool.Unlimited
		return nil
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return errNoDuration
	case d <= 0:
		return errNotPositive
	}
	*l.limit = d
	return nil
}

// patience is a flag that holds how long to wait; zero is for ever. It implements pflag.Value.
type patience struct{ wait *time.Duration }

func (p patience) String() string {
	if p.wait == nil {
		return ""
	}
	return p.wait.String()
}

func (patience) Type() string { return "DURATION" }

func (p patience) Set(text string) error {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return errNoDuration
	case d < 0:
		return errors.New("want a time that is not negative; 0 is for ever")
	}
	*p.wait = d
	return nil
}

// countLimit is a flag that holds a limit as a plain number. It implements pflag.Value.
type countLimit struct{ limit *int64 }

func (l countLimit) String() string {
	switch {
	case l.limit == nil:
		return ""
	case *l.limit < 0:
		return unlimited
	}
	return strconv.FormatInt(*l.limit, 10)
}

func (countLimit) Type() string { return "N" }

func (l countLimit) Set(text string) error {
	if text == unlimited {
		*l.limit = tool.Unlimited
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil:
		return errors.New("want a whole number")
	case n <= 0:
		return errNotPositive
	}
	*l.limit = n
	return nil
}

// sizeLimit is a flag that holds a limit in bytes. It implements pflag.Value.
type sizeLimit struct{ limit *int64 }

func (l sizeLimit) String() string {
	if l.limit == nil {
		return ""
	}
	if *l.limit < 0 {
		return unlimited
	}
	return printable.Size(*l.limit)
}

func (sizeLimit) Type() string { return "SIZE" }

func (l sizeLimit) Set(text string) error {
	if text == unlimited {
		*l.limit = tool.Unlimited
		return nil
	}
	size, err := parseSize(text)
	if err == nil {
		*l.limit = size
	}
	return err
}

// parseSize reads a number of bytes with a unit.
func parseSize(text string) (int64, error) {
	digits := strings.TrimRight(text, "KMGiB")
	n, err := strconv.ParseInt(digits, 10, 64)
	unit, known := map[string]int64{
		"": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
		"KB": 1e3, "MB": 1e6, "GB": 1e9,
	}[text[len(digits):]]
	switch {
	case errors.Is(err, strconv.ErrRange), err == nil && known && n > (1<<62)/unit:
		return 0, errors.New("too large; for no limit say " + unlimited)
	case err != nil || !known:
		return 0, errors.New("want a number of bytes, such as 65536, 512KiB or 16MiB; the largest unit is GiB")
	case n <= 0:
		return 0, errNotPositive
	}
	return n * unit, nil
}
