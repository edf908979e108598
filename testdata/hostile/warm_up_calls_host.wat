;; The warm-up asks for a call's arguments.
(module
  (import "wasmtools_v1" "input" (func $input (result i32)))
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $run (export "run")
    (drop (call $input)))
  (export "wasmtools_warm_up" (func $run))
  (func (export "execute") (param i32) (result i32) (i32.const 0)))
