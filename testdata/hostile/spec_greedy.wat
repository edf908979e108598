;; A description that asks for more time, memory and fuel than anybody has. Then it loops.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0)
    "{\"tools\":[{\"name\":\"attack\",\"limits\":{\"timeMs\":9223372036854775807,"
    "\"fuel\":9223372036854775807,\"memoryBytes\":9223372036854775807,"
    "\"hostCalls\":9223372036854775807}}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 162)) (i32.const 0))

  (func $run (export "run")
    (loop $l (br $l)))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
