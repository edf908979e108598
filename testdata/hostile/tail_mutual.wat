;; Two functions that are each other's tail call, through a table.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (type $step (func (param i32) (result i32)))
  (table 2 funcref)
  (elem (i32.const 0) $ping $pong)
  (func $ping (param i32) (result i32) (return_call_indirect (type $step) (local.get 0) (i32.const 1)))
  (func $pong (param i32) (result i32) (return_call_indirect (type $step) (local.get 0) (i32.const 0)))

  (func $run (export "run")
    (drop (call $ping (i32.const 0))))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
