package wasi

import (
	"context"
	"encoding/binary"
	"math"
	"time"
)

// Sizes and tags of what poll_oneoff gets and returns.
const (
	subscription = 48
	eventSize    = 32

	eventClock = 0
	eventRead  = 1
	eventWrite = 2

	absolute = 1 // a clock's flag
	hangup   = 1 // a stream's flag
)

// event is what will become of a subscription.
type event struct {
	after uint64 // nanoseconds from now
	errno Errno
	bytes uint64 // can be read or written
	flags uint16
}

// moment is the time of both clocks, each read once, by who asks first.
type moment struct {
	time [2]uint64
	read [2]bool
}

func (m *moment) of(id uint32, c *Clock) uint64 {
	if !m.read[id] {
		m.time[id], m.read[id] = uint64(c.Now()), true
	}
	return m.time[id]
}

// pollOneoff waits for the first of the guest's subscriptions, and reports that and all others that are due by then. Streams
// are ready at once. What the clocks say before waiting decides: then one pass finds out how long to wait, and a second what is
// due, without a list.
func pollOneoff(ctx context.Context, s *State, mem []byte, p []uint64) Errno {
	count := uint64(uint32(p[2]))
	if count == 0 {
		return EINVAL
	}
	subs, okSubs := view(mem, p[0], count*subscription)
	events, okEvents := view(mem, p[1], count*eventSize)
	if _, ok := view(mem, p[3], 4); !ok || !okSubs || !okEvents {
		return EFAULT
	}
	var now moment
	first := uint64(math.MaxUint64)
	for rest := subs; len(rest) > 0; rest = rest[subscription:] {
		s.work(ctx, subscription)
		e, errno := s.event(rest[:subscription], &now)
		if errno != Success {
			return errno
		}
		first = min(first, e.after)
	}
	if first > 0 {
		s.sleep(ctx, first)
	}
	n := uint32(0)
	for rest := subs; len(rest) > 0; rest = rest[subscription:] {
		s.work(ctx, subscription)
		e, errno := s.event(rest[:subscription], &now)
		if errno != Success {
			return errno // the guest has put the events where the subscriptions are
		}
		if e.after <= first {
			e.put(events[:eventSize], rest)
			events = events[eventSize:]
			n++
		}
	}
	return put32(mem, p[3], n)
}

// sleep waits, and looks whether the call is over.
func (s *State) sleep(ctx context.Context, ns uint64) {
	if s.Sleep != nil {
		s.Sleep(ctx, time.Duration(min(ns, math.MaxInt64)))
	}
	s.check(ctx)
}

// event says what will become of a subscription. The errno is for the whole call.
func (s *State) event(sub []byte, now *moment) (event, Errno) {
	contents := sub[16:]
	switch sub[8] {
	case eventClock:
		return s.clockEvent(contents, now)
	case eventRead:
		f := s.file(uint64(binary.LittleEndian.Uint32(contents)))
		if f == nil || f.stream != stdin {
			return event{errno: EBADF}, Success
		}
		return event{flags: hangup}, Success // at its end
	case eventWrite:
		f := s.file(uint64(binary.LittleEndian.Uint32(contents)))
		if f == nil || f.stream == stdin {
			return event{errno: EBADF}, Success
		}
		return event{bytes: chunk}, Success
	}
	return event{}, EINVAL
}

func (s *State) clockEvent(contents []byte, now *moment) (event, Errno) {
	id, at := binary.LittleEndian.Uint32(contents), binary.LittleEndian.Uint64(contents[8:])
	flags := binary.LittleEndian.Uint16(contents[24:])
	c := s.clock(id)
	switch {
	case flags&^absolute != 0:
		return event{}, EINVAL
	case c == nil:
		return event{errno: EINVAL}, Success
	case flags&absolute != 0:
		at -= min(at, now.of(id, c))
	}
	return event{after: at}, Success
}

// put writes the event of the subscription.
func (e event) put(b, sub []byte) {
	userdata, kind := binary.LittleEndian.Uint64(sub), sub[8]
	clear(b)
	binary.LittleEndian.PutUint64(b, userdata)
	binary.LittleEndian.PutUint16(b[8:], uint16(e.errno))
	b[10] = kind
	binary.LittleEndian.PutUint64(b[16:], e.bytes)
	binary.LittleEndian.PutUint16(b[24:], e.flags)
}
