// Package rewrite adds fuel to a WebAssembly module, and makes its state reachable. It knows WebAssembly and nothing of tools
// or of the engine that the module is for.
//
//	out, report, err := rewrite.Rewrite(bin, nil)
//
// # Fuel
//
// The new module has a mutable i64 global, exported as [FuelGlobal], at first 0. The module takes from it what its
// instructions cost, before they run. Where it is below 0, the module calls the import [FuelModule] [FuelImport], of type
// (i64) -> (i64), with the fuel, and the result becomes the fuel. The host's side of that:
//
//   - Before a call it sets the global to a quantum: as much as may run before the host is asked.
//   - In the import it adds to the argument until that is not below 0, and returns it, or it traps: when a deadline has passed,
//     or when what it has given so far is over a limit. After a trap the instance is as intact as after any other.
//   - After a call, what was used is what was given, the quantum included, less what the global has left.
//
// What is used depends on the module, its inputs and the host's answers alone, not on the quantum, the machine or the engine.
// A start function runs before a host can set the global: it asks at its first check, unless [Options].ExportStart makes it one
// that the host calls.
//
// A loop without calls holds the fuel in a local too, which is faster. The global is right at any time all the same, also after
// a trap.
//
// An instruction costs 1, and some cost more: see cost.go. Bulk instructions cost their length. A call
// of a function that may recurse costs 1 more for each 64 bytes of its body, and of its operands where they are most, so that
// the machine's stack grows no faster than fuel is used. A path is charged at its start for the dearest way that it may take, so no
// way is charged less than it costs, and one with branches that are not taken somewhat more. Functions without loops that cost
// next to nothing are charged to their callers; where only the host calls one, or a reference gets to it, that is not charged.
//
// Between two checks no more than some 20,000 units are used on a way down or along. When a deep recursion returns there can be
// up to 128 in each frame. A bulk instruction is checked before it runs, and then runs at once.
//
// # State
//
// Each mutable global of a number type is exported under [GlobalPrefix] and its index, whatever other exports it has. The
// [Report] says what else there is that saving memory and globals does not save.
//
// # Compile bombs
//
// An optimising compiler can take hours and all memory for a function of some ten kilobytes, and cannot be stopped in the middle
// of one. Rewrite therefore estimates, in the pass in which it reads a function, what a compiler will take for it, and refuses
// what is over [Limits].Complexity; what is over Effort as a whole; and numbers of things that only hostile modules have.
//
// # Hostile input
//
// Rewrite never panics, and allocates no more than a small multiple of the input. It checks every index that could name what it
// adds, and refuses what two readers could read in two ways. It does not check types: an invalid module stays invalid, for the
// engine to find. Names beginning with [Prefix] are refused. Custom sections go, but for "producers" and the functions' names.
package rewrite
