;; A description that is JSON but for the encoding of one letter.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 16)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"\ff\"}]}")
  (func $run (export "run")
    (call $write (i32.const 0) (i32.const 24)))
  (func (export "spec") (result i32) (call $run) (i32.const 0))
  (func (export "execute") (param i32) (result i32) (i32.const 0)))
