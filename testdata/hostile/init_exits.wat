;; _initialize exits, as if all were well.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 16)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func $run (export "run") (export "_initialize")
    (call $proc_exit (i32.const 0)))
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))
  (func (export "execute") (param i32) (result i32) (i32.const 0)))
