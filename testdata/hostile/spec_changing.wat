;; Its tool has a random name: 8 letters drawn each time.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"........\"}]}")
  (func $run (export "run")
    (local $i i32)
    (drop (call $random (i32.const 19) (i32.const 8)))
    (local.set $i (i32.const 19))
    (loop $l ;; 'a' + byte % 16
      (i32.store8 (local.get $i) (i32.add (i32.const 97) (i32.and (i32.load8_u (local.get $i)) (i32.const 15))))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 27))))
    (call $write (i32.const 0) (i32.const 31)))
  (func (export "spec") (result i32) (call $run) (i32.const 0))
  (func (export "execute") (param i32) (result i32) (i32.const 0)))
