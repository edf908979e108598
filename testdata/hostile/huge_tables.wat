;; Twenty tables of a gigabyte each, in some hundred bytes.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref)
  (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref)
  (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref)
  (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref)
  (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref)

  (func $run (export "run"))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
