;; Prints 20 MB in 5000 lines.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $run (export "run")
    (local $n i32)
    (memory.fill (i32.const 4096) (i32.const 0x6c) (i32.const 4095))
    (i32.store8 (i32.const 8191) (i32.const 10))
    (i32.store (i32.const 1024) (i32.const 4096))
    (i32.store (i32.const 1028) (i32.const 4096))
    (local.set $n (i32.const 5000))
    (loop $l
      (drop (call $fd_write (i32.const 1) (i32.const 1024) (i32.const 1) (i32.const 16)))
      (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1))))))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
