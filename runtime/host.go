package runtime

import (
	"context"
	"unicode/utf8"

	"github.com/tetratelabs/wazero/api"

	"github.com/wasmtools/wasmtools/abi"
)

// hostFunction is one import of the ABI, bound to wazero.
type hostFunction struct {
	params, results int
	call            api.GoModuleFunc
}

// handler is a host function's body: its parameters in, its result out (ignored where the function has none).
type handler func(ctx context.Context, s *callState, mod api.Module, p []uint64) int32

// hostFunctions returns the implementation of every import that the ABI defines.
func hostFunctions() map[string]hostFunction {
	handlers := map[string]handler{
		abi.ImportInput:   hostInput,
		abi.ImportRead:    hostRead,
		abi.ImportWrite:   hostWrite,
		abi.ImportContext: hostContext,
		abi.ImportLog:     hostLog,
		abi.ImportApprove: hostApprove,
	}
	functions := map[string]hostFunction{}
	for _, f := range abi.Functions() {
		functions[f.Name] = hostFunction{f.Params, f.Results, bind(f.Name, f.Results, handlers[f.Name])}
	}
	return functions
}

func bind(name string, results int, h handler) api.GoModuleFunc {
	return func(ctx context.Context, mod api.Module, stack []uint64) {
		s := stateOf(ctx)
		s.enter(name)
		if res := h(ctx, s, mod, stack); results > 0 {
			stack[0] = uint64(uint32(res))
		}
	}
}

func hostInput(_ context.Context, s *callState, _ api.Module, _ []uint64) int32 {
	return s.stage(s.input)
}

func hostContext(_ context.Context, s *callState, _ api.Module, _ []uint64) int32 {
	text, err := contextJSON(s.call.request)
	if err != nil {
		s.stop(err)
	}
	return s.stage(text)
}

// hostRead checks the whole range that the guest names, not only what is written: a wrong length is a defect even where
// there is little to read.
func hostRead(_ context.Context, s *callState, mod api.Module, p []uint64) int32 {
	ptr, length := uint32(p[0]), uint32(p[1])
	if !guestRange(mod, ptr, length) {
		s.stop(badPointer(abi.ImportRead))
	}
	n := min(int64(length), int64(len(s.staged)))
	if !writeGuest(mod, ptr, s.staged[:n]) {
		s.stop(badPointer(abi.ImportRead))
	}
	s.staged = s.staged[n:]
	return int32(n)
}

func hostWrite(_ context.Context, s *callState, mod api.Module, p []uint64) int32 {
	ptr, length := uint32(p[0]), uint32(p[1])
	if !guestRange(mod, ptr, length) {
		s.stop(badPointer(abi.ImportWrite))
	}
	s.room(length) // before anything is copied
	s.output, _ = appendGuestBytes(s.output, mod, ptr, length)
	return 0
}

// maxLogArgument bounds what is copied for one record. The log has lower limits of its own.
const maxLogArgument = 64 << 10

func hostLog(ctx context.Context, s *callState, mod api.Module, p []uint64) int32 {
	level := int32(uint32(p[0]))
	if uint32(p[2]) > maxLogArgument || uint32(p[4]) > maxLogArgument {
		if !guestRange(mod, uint32(p[1]), uint32(p[2])) || !guestRange(mod, uint32(p[3]), uint32(p[4])) {
			s.stop(badPointer(abi.ImportLog))
		}
		return s.log.get().Drop()
	}
	msg, okMsg := guestBytes(mod, uint32(p[1]), uint32(p[2]))
	attrs, okAttrs := guestBytes(mod, uint32(p[3]), uint32(p[4]))
	if !okMsg || !okAttrs {
		s.stop(badPointer(abi.ImportLog))
	}
	s.block()
	return s.log.get().Write(ctx, level, msg, attrs)
}

// maxDescription bounds what a guest may ask a person to read.
const maxDescription = 16 << 10

func hostApprove(ctx context.Context, s *callState, mod api.Module, p []uint64) int32 {
	ptr, length := uint32(p[0]), uint32(p[1])
	if !guestRange(mod, ptr, length) {
		s.stop(badPointer(abi.ImportApprove))
	}
	if length > maxDescription {
		return abi.ErrLimit
	}
	description, _ := guestBytes(mod, ptr, length)
	if !utf8.Valid(description) {
		return abi.ErrInvalid
	}
	return s.ask(ctx, string(description))
}
