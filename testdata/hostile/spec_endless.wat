;; A description without end.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 16)
  (func $run (export "run")
    (loop $l (call $write (i32.const 0) (i32.const 65536)) (br $l)))
  (func (export "spec") (result i32) (call $run) (i32.const 0))
  (func (export "execute") (param i32) (result i32) (i32.const 0)))
