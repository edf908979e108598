;; fd_write of 64 vectors, each of nearly all of 64 MiB, again and again.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $run (export "run")
    (local $at i32)
    (drop (memory.grow (i32.const 1023)))
    (local.set $at (i32.const 1024))
    (loop $l
      (i32.store offset=4 (local.get $at) (i32.const 67000000))
      (br_if $l (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (i32.const 1536))))
    (loop $again
      (drop (call $fd_write (i32.const 1) (i32.const 1024) (i32.const 64) (i32.const 16)))
      (br $again)))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
