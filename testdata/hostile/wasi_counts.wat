;; Counts of vectors and subscriptions whose size wraps at 4 GiB. It crashes if one is taken.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll_oneoff (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $must_fail (param $errno i32) (if (i32.eqz (local.get $errno)) (then (unreachable))))

  (func $run (export "run")
    (call $must_fail (call $fd_write (i32.const 1) (i32.const 1024) (i32.const -1) (i32.const 16)))
    (call $must_fail (call $fd_write (i32.const 1) (i32.const 1024) (i32.const 536870912) (i32.const 16)))
    (call $must_fail (call $fd_write (i32.const 1) (i32.const 1024) (i32.const 536870913) (i32.const 16)))
    (call $must_fail (call $fd_read (i32.const 0) (i32.const 1024) (i32.const -1) (i32.const 16)))
    (call $must_fail (call $fd_read (i32.const 0) (i32.const 1024) (i32.const 536870913) (i32.const 16)))
    (call $must_fail (call $poll_oneoff (i32.const 1024) (i32.const 4096) (i32.const -1) (i32.const 16)))
    (call $must_fail (call $poll_oneoff (i32.const 1024) (i32.const 4096) (i32.const 89478486) (i32.const 16)))
    (call $must_fail (call $poll_oneoff (i32.const 1024) (i32.const 4096) (i32.const 268435456) (i32.const 16))))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
