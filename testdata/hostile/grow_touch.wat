;; Grows by 16 MiB, writes to every page of them, and crashes when there is no more.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $run (export "run")
    (local $at i32)
    (loop $more
      (local.set $at (memory.grow (i32.const 256)))
      (if (i32.eq (local.get $at) (i32.const -1)) (then (unreachable)))
      (local.set $at (i32.shl (local.get $at) (i32.const 16)))
      (loop $touch
        (i32.store (local.get $at) (i32.const 1))
        (local.set $at (i32.add (local.get $at) (i32.const 4096)))
        (br_if $touch (i32.lt_u (local.get $at) (i32.shl (memory.size) (i32.const 16)))))
      (br $more)))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
