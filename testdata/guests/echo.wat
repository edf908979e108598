;; The smallest guest by hand: one tool that answers with its arguments.
;; Written from docs/abi.md alone.
(module
  (import "wasmtools_v1" "input" (func $input (result i32)))
  (import "wasmtools_v1" "read"  (func $read (param i32 i32) (result i32)))
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))

  ;; page 0 holds the description, the arguments go to page 1 and after
  (memory (export "memory") 2)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"echo\",\"description\":\"Returns its arguments.\",\"inputSchema\":{\"type\":\"object\"}}]}")

  (func (export "spec") (result i32)
    (call $write (i32.const 0) (i32.const 98))
    (i32.const 0))

  (func (export "execute") (param $tool i32) (result i32)
    (local $size i32)
    (local.set $size (call $input))
    ;; make room: one page more than the arguments need is enough
    (drop (memory.grow (i32.shr_u (local.get $size) (i32.const 16))))
    (drop (call $read (i32.const 0x10000) (local.get $size)))
    (call $write (i32.const 0x10000) (local.get $size))
    (i32.const 1))) ;; json
