;; spec does not return.
(module
  (memory (export "memory") 1)
  (func (export "spec") (result i32) (loop $l (br $l)) (i32.const 0))
  (func (export "execute") (param i32) (result i32) (i32.const 0)))
