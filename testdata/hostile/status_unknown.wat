;; Statuses that do not exist: an unknown kind, a text with an error's code, all ones.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 80)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"kind\"},{\"name\":\"code_on_text\"},{\"name\":\"all_ones\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 71)) (i32.const 0))

  (func $execute (export "execute") (param $tool i32) (result i32)
    (if (i32.eq (local.get $tool) (i32.const 0)) (then (return (i32.const 77))))
    (if (i32.eq (local.get $tool) (i32.const 1)) (then (return (i32.const 0x1a600))))
    (if (i32.eq (local.get $tool) (i32.const 2)) (then (return (i32.const -1))))
    (unreachable))
  (func (export "run") (drop (call $execute (i32.const 0)))))
