;; spec crashes.
(module
  (memory (export "memory") 1)
  (func (export "spec") (result i32) (unreachable))
  (func (export "execute") (param i32) (result i32) (i32.const 0)))
