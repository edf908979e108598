;; A memory that may grow to 4 GiB, as it says. It tries, and writes to the end of what it did not get.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (memory (export "memory") 1 65536)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"attack\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 29)) (i32.const 0))

  (func $run (export "run")
    (drop (memory.grow (i32.const 65535)))
    (i32.store (i32.const 0xfffffff0) (i32.const 1)))
  (func (export "execute") (param i32) (result i32) (call $run) (i32.const 0)))
