package runtime

import (
	"context"
	"runtime"
	"time"

	"github.com/wasmtools/wasmtools/tool"
)

// Modules are rewritten so that they count the work they do, and call the host when they have used up what they were given:
// there a call is held to its deadline, its cancellation and its limits of fuel and of stack, whatever the guest does, and
// there the collector of this process can come in between.

// quantum is how much fuel a guest gets at a time: 5 to 100 microseconds of work.
const quantum = 200_000

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

const (
	// slice is how long a call may keep a core while others wait for one.
	slice = 5 * time.Millisecond

	// pace is how long a guest may run before other goroutines get their turn. Go's own scheduler would let it run for 10 ms,
	// and runtime.GC waits for its turn again and again.
	pace = 50 * time.Microsecond
)

// makeWay lets others run, if this call has run for a while.
func (s *callState) makeWay() {
	ran := s.clock.now()
	if s.core && ran >= slice {
		s.block()
	}
	if ran-s.paced >= pace {
		runtime.Gosched()
		s.paced = ran
	}
}

// checkTime ends the call if its time is over, and otherwise lets others run.
func (s *callState) checkTime(ctx context.Context) {
	if ctx.Err() != nil {
		s.stop(contextError(ctx))
	}
	s.makeWay()
}

// used is how much fuel was used when so much is left.
func (s *callState) used(left int64) int64 { return s.given - left }

// startFuel starts to count anew, so that a call is not charged for what was before it.
func (s *callState) startFuel() {
	s.given = quantum
	if limit := s.limits.Fuel; limit >= 0 && s.phase == executing {
		s.given = min(limit, quantum)
	}
	s.instance.fuel.Set(uint64(s.given))
}

// fuelUsed returns what was used since startFuel.
func (s *callState) fuelUsed() int64 { return s.used(int64(s.instance.fuel.Get())) }
