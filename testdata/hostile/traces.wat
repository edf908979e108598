;; Leaves a mark wherever it can, and crashes if it finds one from an earlier call.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"first\"},{\"name\":\"second\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 46)) (i32.const 0))

  (global $mark (mut i32) (i32.const 0))
  (table $t 1 funcref)
  (elem declare func $marked)
  (func $marked)
  (data $passive "mark")

  (func $attack (param $tool i32)
    (if (global.get $mark) (then (unreachable)))
    (if (i32.load (i32.const 60000)) (then (unreachable)))
    (if (i32.ne (memory.size) (i32.const 1)) (then (unreachable)))
    (if (i32.eqz (ref.is_null (table.get $t (i32.const 0)))) (then (unreachable)))
    (global.set $mark (i32.const 1))
    (memory.init $passive (i32.const 60000) (i32.const 0) (i32.const 4)) ;; crashes if it is dropped
    (data.drop $passive)
    (table.set $t (i32.const 0) (ref.func $marked))
    (drop (memory.grow (i32.const 1))))
  (func (export "run") (call $attack (i32.const 0)))
  (func (export "execute") (param i32) (result i32) (call $attack (local.get 0)) (i32.const 0)))
