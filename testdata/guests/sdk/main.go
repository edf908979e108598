// Sdk is a guest that uses everything that package guest offers: one tool for each thing.
package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/big"
	"strings"
	"time"

	guest "github.com/wasmtools/wasmtools/sdk-guest"
)

func init() {
	guest.Register("order", "Describes an order.\nSecond line with <b> & \"quotes\".", order,
		guest.Title("Order"), guest.Version("1.2.0"), guest.ReadOnly(), guest.Destructive(false), guest.Idempotent(),
		guest.ClosedWorld(), guest.Metadata(`{"team": "sales"}`), guest.RequestLimits(guest.Limits{TimeMS: 2000}))
	guest.Register("tree", "Adds up a tree.", tree)
	guest.Register("numbers", "Returns its numbers.", numbers)
	guest.Register("optional", "Says how n was given.", optional)
	guest.Register("loose", "Ignores arguments that it does not know.", loose, guest.AllowUnknown())
	guest.Register("log", "Logs at every level.", logAll)
	guest.Register("delete", "Deletes a file after asking.", remove)
	guest.Register("guarded", "Runs after a person agreed.", void, guest.RequireApproval(), guest.Destructive(true))
	guest.Register("whoami", "Returns who is asking.", whoami, guest.NeedsMemoryID(), guest.NeedsParam("tenant"))
	guest.Register("fail", "Fails in the way that is asked for.", fail)
	guest.Register("image", "Returns a picture.", image, guest.ReturnImmediate())
	guest.Register("rich", "Returns a result of several parts.", rich, guest.ReturnImmediateIfLast())
	guest.Register("void", "Returns nothing.", void)
	guest.Register("nothing", "Returns a nil pointer.", nothing)
	guest.Register("nan", "Returns what JSON cannot carry.", nan)
	guest.Register("panic", "Panics.", crash)
	guest.Register("count", "Counts its calls, in vain: every call starts anew.", count)
	guest.RegisterText("upper", "Returns the text in capitals.", upper)
}

// Color is an enum.
type Color string

func (Color) Enum() []string { return []string{"RED", "GREEN"} }

type item struct {
	_     struct{} `jsonschema_description:"One line of an order."`
	Name  string   `json:"name" jsonschema:"minLength=1,maxLength=40"`
	Count uint8    `json:"count" jsonschema:"default=1,minimum=1"`
}

type orderArgs struct {
	Customer string            `json:"customer" jsonschema:"description=Who orders\\, by name"`
	Items    []item            `json:"items" jsonschema:"minItems=1"`
	Colors   guest.Set[Color]  `json:"colors,omitempty"`
	Notes    map[string]string `json:"notes,omitempty"`
	Size     string            `json:"size" jsonschema:"enum=small,enum=large,default=small"`
	Due      *time.Time        `json:"due,omitempty"`
	Blob     []byte            `json:"blob,omitempty"`
}

type orderResult struct {
	Summary string           `json:"summary"`
	Total   int64            `json:"total"`
	Colors  guest.Set[Color] `json:"colors"`
	Due     *time.Time       `json:"due"`
	Notes   int              `json:"notes"`
	Blob    string           `json:"blob,omitempty"`
}

func order(_ guest.Context, in orderArgs) (orderResult, error) {
	out := orderResult{Colors: in.Colors, Due: in.Due, Notes: len(in.Notes), Blob: base64.StdEncoding.EncodeToString(in.Blob)}
	for _, item := range in.Items {
		out.Total += int64(item.Count)
	}
	out.Summary = fmt.Sprintf("%s <%s>: %d kinds", in.Customer, in.Size, len(in.Items))
	return out, nil
}

type node struct {
	Value    int64  `json:"value"`
	Children []node `json:"children,omitempty"`
}

func tree(c guest.Context, in node) (int64, error) {
	sum := in.Value
	for _, child := range in.Children {
		n, err := tree(c, child)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

type numbersArgs struct {
	I64 int64    `json:"i64"`
	U64 uint64   `json:"u64"`
	I8  int8     `json:"i8"`
	F32 float32  `json:"f32"`
	Big *big.Int `json:"big"`
}

func numbers(_ guest.Context, in numbersArgs) (numbersArgs, error) { return in, nil }

type optionalArgs struct {
	N guest.Optional[int64] `json:"n"`
	D int64                 `json:"d" jsonschema:"default=7"`
}

func optional(_ guest.Context, in optionalArgs) (string, error) {
	n, ok := in.N.Get()
	return fmt.Sprintf("n=%d set=%v null=%v absent=%v d=%d", n, ok, in.N.IsNull(), in.N.IsZero(), in.D), nil
}

type looseArgs struct {
	A string `json:"a,omitempty"`
}

func loose(_ guest.Context, in looseArgs) (string, error) { return "a=" + in.A, nil }

func logAll(c guest.Context, _ guest.None) (guest.None, error) {
	c.LogText(slog.LevelDebug, "starting")
	log := c.Log().With("run", 1).WithGroup("step").With("n", 2)
	log.Info("working", slog.Group("file", "name", "a.txt", "size", 3), "msg", "mine")
	log.Warn("odd", "value", math.NaN(), "err", errors.New("broken"))
	c.Log().Error("no attributes")
	return guest.None{}, nil
}

type removeArgs struct {
	Path string `json:"path"`
}

func remove(c guest.Context, in removeArgs) (string, error) {
	d, err := c.RequestApproval("delete " + in.Path)
	if err != nil {
		return "", fmt.Errorf("%w", err)
	}
	return "done: " + d.Text, nil
}

type identity struct {
	Tool   string `json:"tool"`
	Call   string `json:"call"`
	Memory string `json:"memory"`
	Tenant string `json:"tenant"`
}

func whoami(c guest.Context, _ guest.None) (identity, error) {
	id := identity{Tool: c.Tool(), Call: c.CallID(), Memory: c.MemoryID()}
	err := c.Param("tenant", &id.Tenant)
	return id, err
}

type failArgs struct {
	How string `json:"how"`
}

type quotaError struct{}

func (*quotaError) Error() string { return " " }

func fail(_ guest.Context, in failArgs) (string, error) {
	cause := errors.New("disk full")
	switch in.How {
	case "failed":
		return "", guest.Failed("it broke")
	case "failed cause":
		return "", guest.Failed("it broke").WithCause(cause)
	case "failed code":
		return "", guest.Failed("it broke").WithCode(503)
	case "failed cause code":
		return "", guest.Failed("").WithCause(cause).WithCode(503)
	case "arguments":
		return "", guest.BadArguments("how must be known")
	case "arguments cause":
		return "", guest.BadArguments("how must be known").WithCause(cause)
	case "arguments code":
		return "", guest.BadArguments("how must be known").WithCode(422)
	case "arguments cause code":
		return "", guest.BadArguments("").WithCause(cause).WithCode(422)
	case "large code":
		return "", guest.Failed("it broke").WithCode(math.MaxInt32)
	case "wrapped":
		return "", fmt.Errorf("checking: %w", guest.BadArguments("how must be known").WithCode(422))
	case "blank":
		return "", &quotaError{}
	}
	return "", errors.New("boom")
}

func image(guest.Context, guest.None) (guest.Part, error) {
	return guest.Image("image/png", []byte("\x89PNG")), nil
}

func rich(guest.Context, guest.None) (guest.Result, error) {
	return guest.Result{
		Content:    []guest.Part{guest.Text("two parts"), guest.Audio("audio/wav", []byte("RIFF"))},
		Structured: map[string]int{"parts": 2},
		Attributes: map[string]any{"cost": 0.5},
	}, nil
}

func void(guest.Context, guest.None) (guest.None, error) { return guest.None{}, nil }

func nothing(guest.Context, guest.None) (*identity, error) { return nil, nil }

func nan(guest.Context, guest.None) ([]float64, error) { return []float64{1, math.NaN()}, nil }

func crash(_ guest.Context, in struct {
	At int64 `json:"at"`
}) (guest.None, error) {
	list := []int{1, 2, 3}
	panic(fmt.Sprint("the end, at ", list[in.At]))
}

// calls shows that state does not outlive a call.
var calls int

func count(guest.Context, guest.None) (int, error) {
	calls++
	return calls, nil
}

func upper(_ guest.Context, text string) (string, error) { return strings.ToUpper(text), nil }

func main() {}
