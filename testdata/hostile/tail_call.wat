;; A function that goes on for ever without a loop and without a deeper stack.
(module
  (memory (export "memory") 1)
  (func $again (param i32) (result i32) (return_call $again (local.get 0)))
  (func (export "spec") (result i32) (call $again (i32.const 0)))
  (func (export "execute") (param i32) (result i32) (i32.const 0)))
