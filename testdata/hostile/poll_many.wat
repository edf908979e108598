;; poll_oneoff of a million subscriptions, again and again.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll_oneoff (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $run (export "run")
    (drop (memory.grow (i32.const 1300)))
    (loop $l (drop (call $poll_oneoff (i32.const 65536) (i32.const 50331648) (i32.const 1000000) (i32.const 16))) (br $l)))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
