;; A guest that calls one function of WASI 10,000 times in a call, for measuring.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock_time_get (param i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "random_get" (func $random_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll_oneoff (param i32 i32 i32 i32) (result i32)))

  (memory (export "memory") 2)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"nothing\"},{\"name\":\"clock\"},{\"name\":\"write\"},{\"name\":\"random\"},{\"name\":\"poll\"}]}")
  (data (i32.const 1024) "\00\08\00\00\32\00\00\00") ;; an iovec: 50 bytes at 2048
  (data (i32.const 2048) "this is a line of fifty bytes for standard output\n")
  ;; at 4096 a subscription that is all zeros: no time at all

  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 98)) (i32.const 0))

  (func (export "execute") (param $tool i32) (result i32)
    (local $n i32) (local $errno i32)
    (local.set $n (i32.const 10000))
    (loop $l
      (if (i32.eq (local.get $tool) (i32.const 1))
        (then (local.set $errno (call $clock_time_get (i32.const 1) (i64.const 0) (i32.const 512)))))
      (if (i32.eq (local.get $tool) (i32.const 2))
        (then (local.set $errno (call $fd_write (i32.const 1) (i32.const 1024) (i32.const 1) (i32.const 512)))))
      (if (i32.eq (local.get $tool) (i32.const 3))
        (then (local.set $errno (call $random_get (i32.const 512) (i32.const 8)))))
      (if (i32.eq (local.get $tool) (i32.const 4))
        (then (local.set $errno (call $poll_oneoff (i32.const 4096) (i32.const 8192) (i32.const 1) (i32.const 512)))))
      (if (local.get $errno) (then (unreachable)))
      (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (i32.const 0)))
