;; A result of two million numbers, in 4 MB.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 80)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $execute (export "execute") (param $tool i32) (result i32)
    (local $at i32)
    (local.set $at (i32.const 65536))
    (loop $l ;; "0," again and again
      (i32.store (local.get $at) (i32.const 0x2c302c30))
      (br_if $l (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 4))) (i32.const 4065536))))
    (i32.store8 (i32.const 65535) (i32.const 0x5b))
    (i32.store16 (i32.const 4065536) (i32.const 0x5d30))
    (call $write (i32.const 65535) (i32.const 4000003))
    (i32.const 1))
  (func (export "run") (drop (call $execute (i32.const 0)))))
