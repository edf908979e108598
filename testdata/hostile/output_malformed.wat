;; Results that are not what their status says.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 80)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"not_utf8\"},{\"name\":\"not_json\"},{\"name\":\"not_result\"},{\"name\":\"nothing\"}]}")
  (data (i32.const 1024) "\ff\fe{")
  (data (i32.const 1040) "{\"surprise\":1}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 92)) (i32.const 0))

  (func $execute (export "execute") (param $tool i32) (result i32)
    (if (i32.eq (local.get $tool) (i32.const 0)) (then
      (call $write (i32.const 1024) (i32.const 2)) (return (i32.const 0))))
    (if (i32.eq (local.get $tool) (i32.const 1)) (then
      (call $write (i32.const 1026) (i32.const 1)) (return (i32.const 1))))
    (if (i32.eq (local.get $tool) (i32.const 2)) (then
      (call $write (i32.const 1040) (i32.const 14)) (return (i32.const 2))))
    (if (i32.eq (local.get $tool) (i32.const 3)) (then (return (i32.const 1))))
    (unreachable))
  (func (export "run") (drop (call $execute (i32.const 0)))))
