package runtime

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero"

	"github.com/wasmtools/wasmtools/internal/rewrite"
	"github.com/wasmtools/wasmtools/internal/schema"
	"github.com/wasmtools/wasmtools/internal/wasm"
	"github.com/wasmtools/wasmtools/tool"
)

// compiled is a module ready to be instantiated, shared by all Modules with the same digest. Its fields but refs do not
// change once ready is closed.
type compiled struct {
	digest string
	refs   int // guarded by Runtime.mu
	ready  chan struct{}
	err    error

	code      wazero.CompiledModule
	info      Info
	tools     []compiledTool // in the order of the module's description
	context   bool           // the module imports the context of calls
	memoryMax int64          // bytes that an instance may have at most
	memoryOwn int64          // bytes that the module says it can have
	globals   []string       // the exports of the globals that are restored
	data      []rewrite.Data // segments that are left out of the code; nil once there is an image
	image     *image

	// The pool guards the rest.
	idle      []*instance
	refilling bool
	gone      bool
}

// compiledTool is what is known of one tool.
type compiledTool struct {
	spec   tool.Spec
	input  *schema.Schema // nil if the tool takes text
	output *schema.Schema // nil if the tool promises nothing
	limits tool.Limits
}

// restorable tells whether instances can be used again.
func (c *compiled) restorable() bool { return len(c.info.Rewriting.Obstacles) == 0 }

// free destroys what is left of a module that nobody uses.
func (r *Runtime) free(c *compiled) {
	r.pool.drain(c)
	if c.image != nil {
		c.image.memory.Close()
	}
	if c.code != nil {
		c.code.Close(context.Background())
	}
}

// prepare fills c in and says that it is ready.
func (r *Runtime) prepare(ctx context.Context, c *compiled, bin []byte) {
	defer close(c.ready)
	defer func() {
		if p := recover(); p != nil {
			c.err = tool.Errorf(tool.Internal, "preparing a module failed").WithCause(fmt.Errorf("panic: %v", p))
		}
		if c.err != nil {
			r.forget(c)
		}
	}()
	c.err = r.prepareSteps(ctx, c, bin)
}

// memoryOwn is how much memory the module says that it can have, in bytes.
func memoryOwn(m *wasm.Module) int64 {
	if own := m.Memories[0].Max; own > 0 {
		return pages(own)
	}
	return maxPages * pageSize
}

// Digest returns the digest by which modules are known, as in sha256:0123.
func Digest(bin []byte) string { return wasm.Digest(bin) }
