;; Twenty tables of a gigabyte each, in some hundred bytes.
(module
  (memory (export "memory") 1)
  (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref)
  (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref)
  (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref)
  (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref)
  (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref) (table 134217727 funcref)
  (func (export "spec") (result i32) (i32.const 1))
  (func (export "execute") (param i32) (result i32) (i32.const 0)))
