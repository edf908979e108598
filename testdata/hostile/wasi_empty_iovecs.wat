;; fd_write of eight million vectors of nothing, again and again.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $run (export "run")
    (drop (memory.grow (i32.const 1023)))
    (loop $l (drop (call $fd_write (i32.const 1) (i32.const 65536) (i32.const 8000000) (i32.const 16))) (br $l)))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
