package runtime

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/snapshot"
	"github.com/wasmtools/wasmtools/tool"
)

// image is the state of an instance that a module's calls begin with.
type image struct {
	memory  *snapshot.Image
	globals []uint64 // in the order of the rewriter's report
}

// instance is one instantiated module. It is used by one call at a time, and then restored.
type instance struct {
	compiled *compiled
	pool     *pool
	mod      api.Module
	memory   linearMemory
	globals  []api.MutableGlobal // in the order of the rewriter's report
	fuel     api.MutableGlobal
	execute  guestFunction
	state    callState

	older, newer *instance // in the pool, while idle
}

// newInstance makes an instance with that memory, and takes the region over. Its memory is counted.
func (r *Runtime) newInstance(c *compiled, region *snapshot.Region) (*instance, error) {
	inst := &instance{compiled: c, pool: r.pool, memory: linearMemory{region: region, pool: r.pool, own: c.memoryOwn}}
	inst.state.init(inst, r.engine)
	ctx := experimental.WithMemoryAllocator(context.Background(), &inst.memory)
	config := wazero.NewModuleConfig().
		WithName("").
		WithStartFunctions().
		WithRandSource(rand.Reader) // nobody reads it, but wazero would seed a source of its own for every instance
	var err error
	if inst.mod, err = r.engine.wazero.InstantiateModule(ctx, c.code, config); err != nil {
		inst.release()
		return nil, err
	}
	for _, g := range c.globals {
		inst.globals = append(inst.globals, inst.mod.ExportedGlobal(g).(api.MutableGlobal))
	}
	inst.fuel = inst.mod.ExportedGlobal(rewrite.FuelGlobal).(api.MutableGlobal)
	return inst, nil
}

// blankInstance makes an instance as the module itself describes it, before its initialisation.
func (r *Runtime) blankInstance(c *compiled) (*instance, error) {
	size := c.info.MemoryMin
	if !r.pool.reserve(size) {
		return nil, outOfMemory(r.pool.outOfMemory(size))
	}
	region, err := r.blank.NewRegion(uint64(c.memoryMax))
	if err != nil {
		r.pool.unreserve(size)
		return nil, unavailable(err)
	}
	if _, ok := region.Grow(uint64(size)); !ok && size > 0 {
		r.pool.unreserve(int64(len(region.Bytes())))
		region.Close()
		return nil, unavailable(errors.New("no memory"))
	}
	inst, err := r.newInstance(c, region)
	if err != nil {
		return nil, err
	}
	if err := inst.copyData(c.data); err != nil {
		inst.destroy()
		return nil, err
	}
	return inst, nil
}

// snapshotInstance makes an instance that is as the module's snapshot.
func (r *Runtime) snapshotInstance(c *compiled) (*instance, error) {
	size := int64(len(c.image.memory.Bytes()))
	if !r.pool.reserve(size) {
		return nil, outOfMemory(r.pool.outOfMemory(size))
	}
	region, err := c.image.memory.NewRegion(uint64(c.memoryMax))
	if err != nil {
		r.pool.unreserve(size)
		return nil, unavailable(err)
	}
	inst, err := r.newInstance(c, region)
	if err != nil {
		return nil, err
	}
	if !inst.restore() { // the engine may have copied data segments over the snapshot
		inst.destroy()
		return nil, tool.Errorf(tool.Internal, "the host failed").WithCause(errors.New("a new instance cannot be restored"))
	}
	return inst, nil
}

// unavailable is the error of a system that has no memory left.
func unavailable(err error) *tool.Error {
	return tool.Errorf(tool.Unavailable, "the host is out of memory").WithCause(err)
}

// copyData puts the data segments where they belong. They are not in the module that the engine has.
func (i *instance) copyData(segments []rewrite.Data) error {
	mem := i.memory.region.Bytes()
	for n, d := range segments {
		if uint64(d.Offset)+uint64(len(d.Bytes)) > uint64(len(mem)) {
			return refused("the module is damaged", "data segment %d is outside of its memory", n)
		}
		copy(mem[d.Offset:], d.Bytes)
	}
	return nil
}

// capture makes an image of the instance as it is now.
func (i *instance) capture(sys *snapshot.System) (*image, error) {
	mem, err := sys.NewImage(i.memory.region.Bytes())
	if err != nil {
		return nil, unavailable(err)
	}
	img := &image{memory: mem}
	for _, g := range i.globals {
		img.globals = append(img.globals, g.Get())
	}
	return img, nil
}

// restore makes the instance what the module's image is. It reports whether that worked.
func (i *instance) restore() bool {
	if !i.memory.restore(i.mod) {
		return false
	}
	for n, g := range i.globals {
		g.Set(i.compiled.image.globals[n])
	}
	i.state.reset()
	i.execute.trim()
	i.verify()
	return true
}

// destroy frees the instance.
func (i *instance) destroy() {
	i.mod.Close(context.Background()) // never fails
	i.release()
}

func (i *instance) release() {
	i.pool.unreserve(i.memory.size())
	i.memory.region.Close()
}

// guestFunction is an exported function. It keeps its stack from call to call.
type guestFunction struct {
	fn       api.Function
	gauge    stackGauge
	operands [1]uint64
}

// keptStack is how much stack a function keeps, in bytes.
const keptStack = 256 << 10

// trim drops a stack that has become large.
func (f *guestFunction) trim() {
	if f.fn != nil && f.gauge.size() > keptStack {
		*f = guestFunction{}
	}
}

// run calls an export without parameters, if there is one.
func (i *instance) run(clk *clock, export string) error {
	fn := i.mod.ExportedFunction(export)
	if fn == nil {
		return nil
	}
	_, err := i.call(clk, &guestFunction{fn: fn}, export, 0)
	return err
}

// call runs an export that takes at most one i32 and returns at most one.
func (i *instance) call(clk *clock, f *guestFunction, export string, param int) (int32, error) {
	if f.fn == nil {
		f.fn = i.mod.ExportedFunction(export)
	}
	if !f.gauge.known {
		var err error
		if f.gauge, err = newStackGauge(f.fn); err != nil {
			return 0, tool.Errorf(tool.Internal, "the host failed").WithCause(fmt.Errorf("call %s: %w", export, err))
		}
	}
	s := &i.state
	s.stack, s.clock, clk.state = f.gauge, clk, s
	f.operands[0] = uint64(param)
	err := f.fn.CallWithStack(clk, f.operands[:])
	return int32(uint32(f.operands[0])), err
}

// boot runs what a module does before anything is asked of it.
func (i *instance) boot(clk *clock) error {
	for _, export := range []string{rewrite.StartExport, abi.ExportInitialize} {
		if err := i.run(clk, export); err != nil {
			return err
		}
	}
	return nil
}
