;; Failures whose codes are the largest and the smallest that there can be.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 80)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"largest\"},{\"name\":\"smallest\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 50)) (i32.const 0))

  (func $execute (export "execute") (param $tool i32) (result i32)
    (if (i32.eq (local.get $tool) (i32.const 0)) (then (return (i32.const 0x7fffff03))))
    (if (i32.eq (local.get $tool) (i32.const 1)) (then (return (i32.const 0x80000003))))
    (unreachable))
  (func (export "run") (drop (call $execute (i32.const 0)))))
