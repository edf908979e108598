;; Gives the standard output the highest number that a descriptor can have: a table of 16 GiB, where descriptors are a table.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "fd_renumber" (func $fd_renumber (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $run (export "run")
    (drop (call $fd_renumber (i32.const 1) (i32.const 0x7fffffff))))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
