;; A result of 100,000 brackets within each other.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 80)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $execute (export "execute") (param $tool i32) (result i32)
    (memory.fill (i32.const 1024) (i32.const 0x5b) (i32.const 100000))
    (memory.fill (i32.const 101024) (i32.const 0x5d) (i32.const 100000))
    (call $write (i32.const 1024) (i32.const 200000))
    (i32.const 1))
  (func (export "run") (drop (call $execute (i32.const 0)))))
