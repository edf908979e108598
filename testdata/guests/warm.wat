;; A guest that is warmed up: the first time takes long, later ones do not. Its tool tells how often it was warmed up.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"count\"}]}")
  (data (i32.const 64) "0")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 28)) (i32.const 0))

  (func (export "wasmtools_warm_up") (local $n i32)
    (local.set $n (select (i32.const 10000) (i32.const 100) (i32.eq (i32.load8_u (i32.const 64)) (i32.const 48))))
    (loop $l (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (i32.store8 (i32.const 64) (i32.add (i32.load8_u (i32.const 64)) (i32.const 1))))

  (func (export "execute") (param i32) (result i32)
    (call $write (i32.const 64) (i32.const 1))
    (i32.store8 (i32.const 64) (i32.const 57))
    (i32.const 0)))
