;; Pointers and lengths for write that are not the guest's memory.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"past_end\"},{\"name\":\"wraps\"},{\"name\":\"all_ones\"},{\"name\":\"negative\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 88)) (i32.const 0))

  (func $attack (param $tool i32)
    (if (i32.eq (local.get $tool) (i32.const 0)) (then (call $write (i32.const 65535) (i32.const 2))))
    (if (i32.eq (local.get $tool) (i32.const 1)) (then (call $write (i32.const 8) (i32.const -4))))
    (if (i32.eq (local.get $tool) (i32.const 2)) (then (call $write (i32.const -1) (i32.const -1))))
    (if (i32.eq (local.get $tool) (i32.const 3)) (then (call $write (i32.const -8) (i32.const 8)))))
  (func (export "run") (call $attack (i32.const 0)))
  (func (export "execute") (param i32) (result i32) (call $attack (local.get 0)) (i32.const 0)))
