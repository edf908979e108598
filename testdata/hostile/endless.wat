;; Ways to run for ever that an engine does not notice, one per tool.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 128)
  (table 2 funcref)
  (elem (i32.const 0) $ping $pong)
  (type $step (func (param i32) (result i32)))
  (data (i32.const 0) "{\"tools\":[{\"name\":\"doubling\"},{\"name\":\"tail\"},{\"name\":\"mutual_tail\"},{\"name\":\"fill\"},{\"name\":\"copy\"},{\"name\":\"table\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 119)) (i32.const 0))

  ;; a tree of calls, 60 deep, that doubles at each level
  (func $doubling (param $depth i32)
    (if (local.get $depth) (then
      (call $doubling (i32.sub (local.get $depth) (i32.const 1)))
      (call $doubling (i32.sub (local.get $depth) (i32.const 1))))))
  (func $again (param i32) (result i32) (return_call $again (local.get 0)))
  (func $ping (param i32) (result i32) (return_call_indirect (type $step) (local.get 0) (i32.const 1)))
  (func $pong (param i32) (result i32) (return_call_indirect (type $step) (local.get 0) (i32.const 0)))

  (func (export "execute") (param $tool i32) (result i32)
    (if (i32.eq (local.get $tool) (i32.const 0)) (then (call $doubling (i32.const 60))))
    (if (i32.eq (local.get $tool) (i32.const 1)) (then (drop (call $again (i32.const 0)))))
    (if (i32.eq (local.get $tool) (i32.const 2)) (then (drop (call $ping (i32.const 0)))))
    (if (i32.eq (local.get $tool) (i32.const 3)) (then
      (loop $l (memory.fill (i32.const 0) (i32.const 1) (i32.const 8388608)) (br $l))))
    (if (i32.eq (local.get $tool) (i32.const 4)) (then
      (loop $l (memory.copy (i32.const 0) (i32.const 4096) (i32.const 8380000)) (br $l))))
    (if (i32.eq (local.get $tool) (i32.const 5)) (then
      (loop $l (table.copy (i32.const 0) (i32.const 1) (i32.const 1)) (br $l))))
    (i32.const 0)))
