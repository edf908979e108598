;; A description that breaks off.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 16)
  (data (i32.const 0) "{\"tools\":[")
  (func $run (export "run")
    (call $write (i32.const 0) (i32.const 10)))
  (func (export "spec") (result i32) (call $run) (i32.const 0))
  (func (export "execute") (param i32) (result i32) (i32.const 0)))
