;; Waits for a time that does not come, with its eyes on the clock.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock_time_get (param i32 i64 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $run (export "run")
    (loop $l (drop (call $clock_time_get (i32.const 1) (i64.const 0) (i32.const 16))) (br $l)))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
