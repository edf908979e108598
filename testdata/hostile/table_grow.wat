;; table.grow by a million elements at a time, 8 bytes each on the host, until it is refused.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (table $t 1 funcref)

  (func $run (export "run")
    (loop $l (br_if $l (i32.ne (table.grow $t (ref.null func) (i32.const 1000000)) (i32.const -1)))))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
