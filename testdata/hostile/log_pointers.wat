;; Pointers and lengths for log that are not the guest's memory: of the message, then of the attributes.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasmtools_v1" "log" (func $log (param i32 i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0)
    "{\"tools\":[{\"name\":\"message_past_end\"},{\"name\":\"message_wraps\"},"
    "{\"name\":\"message_all_ones\"},{\"name\":\"message_negative\"},"
    "{\"name\":\"attrs_past_end\"},{\"name\":\"attrs_wraps\"},{\"name\":\"attrs_all_ones\"},"
    "{\"name\":\"attrs_negative\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 221)) (i32.const 0))

  (func $attack (param $tool i32)
    (if (i32.eq (local.get $tool) (i32.const 0)) (then
      (drop (call $log (i32.const 0) (i32.const 65535) (i32.const 2) (i32.const 0) (i32.const 0)))))
    (if (i32.eq (local.get $tool) (i32.const 1)) (then
      (drop (call $log (i32.const 0) (i32.const 8) (i32.const -4) (i32.const 0) (i32.const 0)))))
    (if (i32.eq (local.get $tool) (i32.const 2)) (then
      (drop (call $log (i32.const 0) (i32.const -1) (i32.const -1) (i32.const 0) (i32.const 0)))))
    (if (i32.eq (local.get $tool) (i32.const 3)) (then
      (drop (call $log (i32.const 0) (i32.const -8) (i32.const 8) (i32.const 0) (i32.const 0)))))
    (if (i32.eq (local.get $tool) (i32.const 4)) (then
      (drop (call $log (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 65535) (i32.const 2)))))
    (if (i32.eq (local.get $tool) (i32.const 5)) (then
      (drop (call $log (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 8) (i32.const -4)))))
    (if (i32.eq (local.get $tool) (i32.const 6)) (then
      (drop (call $log (i32.const 0) (i32.const 0) (i32.const 0) (i32.const -1) (i32.const -1)))))
    (if (i32.eq (local.get $tool) (i32.const 7)) (then
      (drop (call $log (i32.const 0) (i32.const 0) (i32.const 0) (i32.const -8) (i32.const 8))))))
  (func (export "run") (call $attack (i32.const 0)))
  (func (export "execute") (param i32) (result i32) (call $attack (local.get 0)) (i32.const 0)))
