;; _initialize logs, before any call.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasmtools_v1" "log" (func $log (param i32 i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 16)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func $run (export "run") (export "_initialize")
    (drop (call $log (i32.const 0) (i32.const 0) (i32.const 29) (i32.const 0) (i32.const 0))))
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))
  (func (export "execute") (param i32) (result i32) (i32.const 0)))
