;; Recursion without end by indirect calls.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (type $void (func))
  (table 1 funcref)
  (elem (i32.const 0) $deeper)
  (func $deeper (call_indirect (type $void) (i32.const 0)))

  (func $run (export "run")
    (call $deeper))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
