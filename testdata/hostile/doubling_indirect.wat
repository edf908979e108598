;; The same tree of 2^60 calls by one function that finds itself in a table.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (type $node (func (param i32)))
  (table 1 funcref)
  (elem (i32.const 0) $node)
  (func $node (param $depth i32)
    (if (local.get $depth) (then
      (call_indirect (type $node) (i32.sub (local.get $depth) (i32.const 1)) (i32.const 0))
      (call_indirect (type $node) (i32.sub (local.get $depth) (i32.const 1)) (i32.const 0)))))

  (func $run (export "run")
    (call $node (i32.const 60)))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
