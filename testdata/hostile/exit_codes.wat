;; proc_exit, with usual and unusual codes.
(module
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"tools\":[{\"name\":\"exit_0\"},{\"name\":\"exit_1\"},{\"name\":\"exit_255\"},{\"name\":\"exit_all_ones\"}]}")
  (func (export "spec") (result i32) (call $write (i32.const 0) (i32.const 92)) (i32.const 0))

  (func $attack (param $tool i32)
    (if (i32.eq (local.get $tool) (i32.const 0)) (then (call $proc_exit (i32.const 0))))
    (if (i32.eq (local.get $tool) (i32.const 1)) (then (call $proc_exit (i32.const 1))))
    (if (i32.eq (local.get $tool) (i32.const 2)) (then (call $proc_exit (i32.const 255))))
    (if (i32.eq (local.get $tool) (i32.const 3)) (then (call $proc_exit (i32.const -1)))))
  (func (export "run") (call $attack (i32.const 0)))
  (func (export "execute") (param i32) (result i32) (call $attack (local.get 0)) (i32.const 0)))
