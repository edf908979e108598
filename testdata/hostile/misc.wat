;; What attacks.wat has no room for.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1024)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"many_vectors\"},{\"name\":\"names\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 52)) (i32.const 0))

  ;; fd_write of 64 vectors, each of nearly all the memory, again and again: hours pass before the fuel runs out
  (func $vectors
    (local $at i32)
    (local.set $at (i32.const 1024))
    (loop $l
      (i32.store (local.get $at) (i32.const 0))
      (i32.store offset=4 (local.get $at) (i32.const 67000000))
      (br_if $l (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (i32.const 1536))))
    (loop $again
      (drop (call $fd_write (i32.const 1) (i32.const 1024) (i32.const 64) (i32.const 16)))
      (br $again)))

  ;; the test gives it a name of the same length that would clear a terminal
  (func $placeholder (unreachable))

  (func (export "execute") (param $tool i32) (result i32)
    (if (i32.eq (local.get $tool) (i32.const 0)) (then (call $vectors)))
    (if (i32.eq (local.get $tool) (i32.const 1)) (then (call $placeholder)))
    (i32.const 0)))
