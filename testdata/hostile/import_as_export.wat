;; A guest whose execute is an import.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "fd_sync" (func $fd_sync (param i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"sync\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 27)) (i32.const 0))
  (export "execute" (func $fd_sync))
  (func (export "run") (drop (call $fd_sync (i32.const 1)))))
