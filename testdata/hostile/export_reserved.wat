;; Exports a global under the name of the runtime's counter of work, with plenty on it.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (global (export "wasmtools:fuel") (mut i64) (i64.const 0x7fffffffffffffff))

  (func $run (export "run")
    (loop $l (br $l)))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
