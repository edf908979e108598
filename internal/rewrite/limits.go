package rewrite

import "fmt"

// Unlimited is a limit that is none.
const Unlimited = -1

// Limits are ceilings on what a module is like: what a compiler takes more than its fair time or memory for. Zero means the
// default that the field names, Unlimited none.
//
// The sizes alone do not bound a compiler's time: it can take hours for a function of some ten kilobytes. So Complexity and
// Effort estimate it, in microseconds of an ordinary machine's processor. What compilers emit for people's programs takes about a
// third of the estimate; the worst functions that could be thought of take all of it, and up to 300 MB of memory for each million.
type Limits struct {
	Module     int // bytes of the module: 64 MiB
	Functions  int // functions, imported ones included: 100,000
	Imports    int // imports of all kinds: 10,000
	Values     int // parameters of one function type, and results: 1,000
	Globals    int // globals, imported ones included: 10,000
	Tables     int // tables, imported ones included: 100
	Elements   int // elements of all element segments: 1,000,000
	Segments   int // data segments and element segments: 200,000
	Code       int // bytes of the code section, also when it is rewritten: 32 MiB
	Body       int // bytes of one function: 8 MiB
	Locals     int // locals of one function, its parameters included: 50,000
	Targets    int // labels of one br_table, and catch clauses of one try_table: 65,536
	Depth      int // blocks that are open at once: 65,536
	Complexity int // of one function, in microseconds: 2,500,000
	Effort     int // the sum of that over the module, and what its types and the like take: 100,000,000
	Name       int // bytes of the name of an import, export or custom section: 100,000
}

func (l *Limits) withDefaults() Limits {
	var given Limits
	if l != nil {
		given = *l
	}
	return Limits{
		Module:     or(given.Module, 64<<20),
		Functions:  or(given.Functions, 100_000),
		Imports:    or(given.Imports, 10_000),
		Values:     or(given.Values, 1_000),
		Globals:    or(given.Globals, 10_000),
		Tables:     or(given.Tables, 100),
		Elements:   or(given.Elements, 1_000_000),
		Segments:   or(given.Segments, 200_000),
		Code:       or(given.Code, 32<<20),
		Body:       or(given.Body, 8<<20),
		Locals:     or(given.Locals, 50_000),
		Targets:    or(given.Targets, 1<<16),
		Depth:      or(given.Depth, 1<<16),
		Complexity: or(given.Complexity, 2_500_000),
		Effort:     or(given.Effort, 100_000_000),
		Name:       or(given.Name, 100_000),
	}
}

func or(limit, value int) int {
	if limit == 0 {
		return value
	}
	return limit
}

// What is what a limit is on, as a program and as people read it. The values stay as they are.
type What string

// What the Limits are on.
const (
	WhatModule     What = "bytes of the module"
	WhatFunctions  What = "functions"
	WhatImports    What = "imports"
	WhatValues     What = "parameters or results of a type"
	WhatGlobals    What = "globals"
	WhatTables     What = "tables"
	WhatElements   What = "elements of segments"
	WhatSegments   What = "segments"
	WhatCode       What = "bytes of code"
	WhatRewritten  What = "bytes of rewritten code" // by Limits.Code
	WhatBody       What = "bytes of a function"
	WhatLocals     What = "locals of a function"
	WhatTargets    What = "br_table targets"
	WhatCatches    What = "catch clauses" // by Limits.Targets
	WhatDepth      What = "nesting depth"
	WhatComplexity What = "complexity of a function"
	WhatEffort     What = "complexity of the module" // by Limits.Effort
	WhatImportName What = "bytes of an import's name"
	WhatExportName What = "bytes of an export's name"
	WhatCustomName What = "bytes of a custom section's name"
	WhatFuncName   What = "bytes of a function's name"

	// WhatTableMax is on what Options.TableMax is less than.
	WhatTableMax What = "elements of the tables"
)

// LimitError tells which limit a module is over.
type LimitError struct {
	What   What
	Limit  int
	Actual int // or where counting stopped
}

// Error says what is too large, with the limit and what it is.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: %d is over the limit of %d", e.What, e.Actual, e.Limit)
}

// exceeded returns an error if the actual value is over the limit.
func exceeded(what What, limit, actual int) error {
	if limit < 0 || actual <= limit {
		return nil
	}
	return &LimitError{what, limit, actual}
}
