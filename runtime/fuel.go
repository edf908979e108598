package runtime

import (
	"context"

	"github.com/tetratelabs/wazero/api"

	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/tool"
)

// Modules are rewritten so that they count the work they do, and call the host when they have used up what they were given:
// there a call is held to its deadline, its cancellation and its limits of fuel and of stack, whatever the guest does, and
// there the collector of this process can come in between.

// quantum is how much fuel a guest gets at a time: some tens of microseconds of work.
const quantum = 100_000

// hostFuel is what a guest calls when its fuel is below 0. What it returns is the fuel to go on with.
func hostFuel(ctx context.Context, stack []uint64) {
	s := stateOf(ctx)
	if used := s.stack.used(stack); tool.Exceeded(s.limits.Stack, used) {
		s.stop(stackOverflow(s.limits.Stack, used))
	}
	stack[0] = uint64(s.refuel(ctx, int64(stack[0])))
}

func (s *callState) refuel(ctx context.Context, left int64) int64 {
	s.checkTime(ctx)
	used, more := s.used(left), int64(quantum)
	if limit := s.limits.Fuel; limit >= 0 && s.phase == executing {
		if used > limit {
			s.exceed(tool.LimitFuel, limit, used)
		}
		more = min(more, limit-used)
	}
	s.given = used + more
	return more
}

// checkTime ends the call if its time is over.
func (s *callState) checkTime(ctx context.Context) {
	switch {
	case ctx.Err() != nil:
		s.stop(contextError(ctx))
	case s.clock.expired():
		s.stop(timeLimit(s.clock.limit))
	}
}

// used is how much fuel was used when so much is left.
func (s *callState) used(left int64) int64 { return s.given - left }

// startFuel starts to count anew, so that a call is not charged for its initialisation. It takes away what that has left:
// the guest asks at its first check, and a limit lower than a quantum holds.
func (i *instance) startFuel() {
	i.fuelGlobal().Set(0)
	i.state.given = 0
}

// fuel returns what the instance has left of the fuel that it was given.
func (i *instance) fuel() int64 { return int64(i.fuelGlobal().Get()) }

// fuelGlobal is there in every module that was rewritten, and is mutable.
func (i *instance) fuelGlobal() api.MutableGlobal {
	return i.mod.ExportedGlobal(rewrite.FuelGlobal).(api.MutableGlobal)
}
