;; Logs more lines, and more bytes of messages and of attributes, than it may.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasmtools_v1" "log" (func $log (param i32 i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"lines\"},{\"name\":\"messages\"},{\"name\":\"attributes\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 70)) (i32.const 0))

  ;; the ends of an object of 16,000 bytes
  (data (i32.const 16384) "{\"k\":\"")
  (data (i32.const 32382) "\"}")

  (func $attack (param $tool i32)
    (local $n i32)
    (local.set $n (i32.const 2000))
    (memory.fill (i32.const 8192) (i32.const 0x6c) (i32.const 4096))
    (memory.fill (i32.const 16390) (i32.const 0x61) (i32.const 15992))
    (loop $l
      (if (i32.eq (local.get $tool) (i32.const 0)) (then
        (drop (call $log (i32.const 0) (i32.const 8192) (i32.const 10) (i32.const 0) (i32.const 0)))))
      (if (i32.eq (local.get $tool) (i32.const 1)) (then
        (drop (call $log (i32.const 0) (i32.const 8192) (i32.const 4096) (i32.const 0) (i32.const 0)))))
      (if (i32.eq (local.get $tool) (i32.const 2)) (then
        (drop (call $log (i32.const 0) (i32.const 8192) (i32.const 10) (i32.const 16384) (i32.const 16000)))))
      (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1))))))
  (func (export "run") (call $attack (i32.const 0)))
  (func (export "execute") (param i32) (result i32) (call $attack (local.get 0)) (i32.const 0)))
