;; Crashes in every way that an instruction can.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0)
    "{\"tools\":[{\"name\":\"unreachable\"},{\"name\":\"divide\"},{\"name\":\"overflow\"},"
    "{\"name\":\"not_a_number\"},{\"name\":\"load\"},{\"name\":\"fill\"},"
    "{\"name\":\"null_call\"},{\"name\":\"mistyped_call\"},{\"name\":\"call_outside\"},"
    "{\"name\":\"table\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 215)) (i32.const 0))

  (type $void (func))
  (table 2 funcref)
  (elem (i32.const 1) $mistyped)
  (func $mistyped (param i32))
  (func $crash (unreachable))

  (func $attack (param $tool i32)
    (if (i32.eq (local.get $tool) (i32.const 0)) (then (call $crash)))
    (if (i32.eq (local.get $tool) (i32.const 1)) (then (drop (i32.div_u (i32.const 1) (i32.const 0)))))
    (if (i32.eq (local.get $tool) (i32.const 2)) (then (drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))))
    (if (i32.eq (local.get $tool) (i32.const 3)) (then (drop (i32.trunc_f64_s (f64.const nan)))))
    (if (i32.eq (local.get $tool) (i32.const 4)) (then (drop (i32.load (i32.const 65533)))))
    (if (i32.eq (local.get $tool) (i32.const 5)) (then (memory.fill (i32.const 65535) (i32.const 0) (i32.const 2))))
    (if (i32.eq (local.get $tool) (i32.const 6)) (then (call_indirect (type $void) (i32.const 0))))
    (if (i32.eq (local.get $tool) (i32.const 7)) (then (call_indirect (type $void) (i32.const 1))))
    (if (i32.eq (local.get $tool) (i32.const 8)) (then (call_indirect (type $void) (i32.const 1000000))))
    (if (i32.eq (local.get $tool) (i32.const 9)) (then (drop (table.get 0 (i32.const -1))))))
  (func (export "run") (call $attack (i32.const 0)))
  (func (export "execute") (param i32) (result i32) (call $attack (local.get 0)) (i32.const 0)))
