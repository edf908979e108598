;; A description of 100,000 brackets within each other.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 16)
  (func $run (export "run")
    (memory.fill (i32.const 0) (i32.const 0x5b) (i32.const 100000))
    (memory.fill (i32.const 100000) (i32.const 0x5d) (i32.const 100000))
    (call $write (i32.const 0) (i32.const 200000)))
  (func (export "spec") (result i32) (call $run) (i32.const 0))
  (func (export "execute") (param i32) (result i32) (i32.const 0)))
