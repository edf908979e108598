;; A function that goes on for ever as its own tail call: no loop, and no deeper stack.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $again (param i32) (result i32) (return_call $again (local.get 0)))

  (func $run (export "run")
    (drop (call $again (i32.const 0))))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
