;; Ways to spend time, for tests of what they cost in fuel. Those that take a number spend in proportion to it.
(module
  (type $void (func))
  (memory 2 4)
  (table 8 funcref)
  (elem (i32.const 0) $indirect $other)
  (global $count (export "count") (mut i32) (i32.const 0))

  (func (export "nothing"))

  (func (export "loop") (param $n i32)
    (loop $again
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $again (i32.gt_s (local.get $n) (i32.const 0)))))

  (func (export "nested") (param $n i32) (local $m i32)
    (loop $outer
      (local.set $m (i32.const 10))
      (block $out
        (loop $inner
          (local.set $m (i32.sub (local.get $m) (i32.const 1)))
          (br_if $out (i32.eqz (local.get $m)))
          (br $inner)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $outer (i32.gt_s (local.get $n) (i32.const 0)))))

  ;; A loop whose head takes and gives values.
  (func (export "operands") (param $n i32) (result i32)
    (local.get $n)
    (loop $again (param i32) (result i32)
      (i32.sub (i32.const 1))
      (local.tee $n)
      (local.get $n)
      (br_if $again (i32.gt_s (i32.const 0)))))

  (func $leaf (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))

  (func (export "leaves") (param $n i32)
    (loop $again
      (drop (call $leaf (call $leaf (call $leaf (local.get $n)))))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $again (i32.gt_s (local.get $n) (i32.const 0)))))

  (func $recurse (export "recurse") (param $n i32)
    (if (i32.gt_s (local.get $n) (i32.const 0))
      (then (call $recurse (i32.sub (local.get $n) (i32.const 1))))))

  (func (export "fill") (param $n i32)
    (memory.fill (i32.const 0) (i32.const 1) (local.get $n)))

  (func (export "fill_constant")
    (memory.fill (i32.const 0) (i32.const 1) (i32.const 800)))

  (func (export "copy") (param $n i32)
    (memory.copy (i32.const 1) (i32.const 0) (local.get $n)))

  (func (export "grow") (param $n i32) (result i32)
    (memory.grow (local.get $n)))

  (func (export "grow_table") (param $n i32) (result i32)
    (table.grow 0 (ref.null func) (local.get $n)))

  ;; What never ends.

  (func (export "forever") (loop $again (br $again)))

  (func (export "forever_counting")
    (loop $again
      (global.set $count (i32.add (global.get $count) (i32.const 1)))
      (br $again)))

  (func (export "forever_filling")
    (loop $again
      (memory.fill (i32.const 0) (i32.const 0) (i32.const 131072))
      (br $again)))

  (func $indirect (export "forever_indirect")
    (call_indirect (type $void) (i32.const 1)) (call_indirect (type $void) (i32.const 1)))
  (func $other
    (global.set $count (i32.add (global.get $count) (i32.const 1)))
    (if (i32.and (global.get $count) (i32.const 63))
      (then (call_indirect (type $void) (i32.const 0)) (call_indirect (type $void) (i32.const 0)))))

  ;; Without any loop or recursion: each calls the one below twice, which no clock but the universe's would see the end of.
  (func $d0 (global.set $count (i32.add (global.get $count) (i32.const 1))))
  (func $d1 (call $d0) (call $d0) (call $d0) (call $d0) (call $d0) (call $d0) (call $d0) (call $d0))
  (func $d2 (call $d1) (call $d1) (call $d1) (call $d1) (call $d1) (call $d1) (call $d1) (call $d1))
  (func $d3 (call $d2) (call $d2) (call $d2) (call $d2) (call $d2) (call $d2) (call $d2) (call $d2))
  (func $d4 (call $d3) (call $d3) (call $d3) (call $d3) (call $d3) (call $d3) (call $d3) (call $d3))
  (func $d5 (call $d4) (call $d4) (call $d4) (call $d4) (call $d4) (call $d4) (call $d4) (call $d4))
  (func $d6 (call $d5) (call $d5) (call $d5) (call $d5) (call $d5) (call $d5) (call $d5) (call $d5))
  (func $d7 (call $d6) (call $d6) (call $d6) (call $d6) (call $d6) (call $d6) (call $d6) (call $d6))
  (func $d8 (call $d7) (call $d7) (call $d7) (call $d7) (call $d7) (call $d7) (call $d7) (call $d7))
  (func $d9 (call $d8) (call $d8) (call $d8) (call $d8) (call $d8) (call $d8) (call $d8) (call $d8))
  (func $d10 (call $d9) (call $d9) (call $d9) (call $d9) (call $d9) (call $d9) (call $d9) (call $d9))
  (func $d11 (call $d10) (call $d10) (call $d10) (call $d10) (call $d10) (call $d10) (call $d10) (call $d10))
  (func $d12 (call $d11) (call $d11) (call $d11) (call $d11) (call $d11) (call $d11) (call $d11) (call $d11))
  (func $d13 (call $d12) (call $d12) (call $d12) (call $d12) (call $d12) (call $d12) (call $d12) (call $d12))
  (func $d14 (call $d13) (call $d13) (call $d13) (call $d13) (call $d13) (call $d13) (call $d13) (call $d13))
  (func $d15 (call $d14) (call $d14) (call $d14) (call $d14) (call $d14) (call $d14) (call $d14) (call $d14))
  (func $d16 (call $d15) (call $d15) (call $d15) (call $d15) (call $d15) (call $d15) (call $d15) (call $d15))
  (func $d17 (call $d16) (call $d16) (call $d16) (call $d16) (call $d16) (call $d16) (call $d16) (call $d16))
  (func $d18 (call $d17) (call $d17) (call $d17) (call $d17) (call $d17) (call $d17) (call $d17) (call $d17))
  (func $d19 (call $d18) (call $d18) (call $d18) (call $d18) (call $d18) (call $d18) (call $d18) (call $d18))
  (func $d20 (export "forever_doubling")
    (call $d19) (call $d19) (call $d19) (call $d19) (call $d19) (call $d19) (call $d19) (call $d19))

  (func $trap (export "trap") (param $n i32)
    (loop $again
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $again (i32.gt_s (local.get $n) (i32.const 0))))
    (unreachable))
)
