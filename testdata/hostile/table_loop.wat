;; table.fill, table.copy and table.init of a table of 200,000 elements, again and again.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (table $t 200000 funcref)
  (elem $passive func $run $run)

  (func $run (export "run")
    (loop $l
      (table.fill $t (i32.const 0) (ref.null func) (i32.const 200000))
      (table.copy $t $t (i32.const 0) (i32.const 10) (i32.const 199990))
      (table.init $t $passive (i32.const 0) (i32.const 0) (i32.const 2))
      (br $l)))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
