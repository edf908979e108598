;; sched_yield for ever: a guest that does nothing but enter the host.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "sched_yield" (func $sched_yield (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $run (export "run")
    (loop $l (drop (call $sched_yield)) (br $l)))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
