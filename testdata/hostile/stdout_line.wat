;; Prints one line that does not end.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $run (export "run")
    (memory.fill (i32.const 2048) (i32.const 0x6c) (i32.const 63488))
    (i32.store (i32.const 1024) (i32.const 2048))
    (i32.store (i32.const 1028) (i32.const 63488))
    (loop $l
      (drop (call $fd_write (i32.const 2) (i32.const 1024) (i32.const 1) (i32.const 16)))
      (br $l)))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
