package hostile

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/wasmtools/wasmtools/tool"
)

// Attack is a hostile guest and how it has to end under the default limits, or lower ones of time.
type Attack struct {
	// Name is unique. A guest that is a file is testdata/hostile/NAME.wasm.
	Name string

	// What says what the guest does.
	What string

	// Code is the code of the error that loading the module (tool.BadModule), or the call, must end in. Empty means that the
	// attack does no harm: there is a result.
	Code tool.Code

	// Limit is the limit that the error must hold, or empty.
	Limit tool.LimitName

	// Own tells that this is about descriptions, results or approvals: nothing that engines in general have.
	Own bool

	build func() []byte // nil for a file
}

// AtLoad tells whether the module must not get so far as to be called.
func (a Attack) AtLoad() bool { return a.Code == tool.BadModule }

// Endless tells whether the attack would go on for ever if nothing stopped it, once it is called.
func (a Attack) Endless() bool { return !a.AtLoad() && a.Limit == tool.LimitTime }

// Module returns the guest. The folder is the repository's testdata.
func (a Attack) Module(testdata string) ([]byte, error) {
	if a.build != nil {
		return a.build(), nil
	}
	return os.ReadFile(filepath.Join(testdata, "hostile", a.Name+".wasm"))
}

// IsFile tells whether the guest is a file of testdata, and not made here.
func (a Attack) IsFile() bool { return a.build == nil }

// Attacks returns all attacks, those alike beside each other.
func Attacks() []Attack {
	return slices.Concat(
		work(), stack(), memory(), beforeTheCall(), lies(), system(), floods(), crashes(), own(descriptions()), own(results()),
		names(), bombs(), noModules(),
	)
}

func own(attacks []Attack) []Attack {
	for i := range attacks {
		attacks[i].Own = true
	}
	return attacks
}
