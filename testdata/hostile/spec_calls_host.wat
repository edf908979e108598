;; spec asks for the arguments of a call, before there is one.
(module
  (import "wasmtools_v1" "input" (func $input (result i32)))
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 16)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func $run (export "run")
    (drop (call $input))
    (call $write (i32.const 0) (i32.const 29)))
  (func (export "spec") (result i32) (call $run) (i32.const 0))
  (func (export "execute") (param i32) (result i32) (i32.const 0)))
