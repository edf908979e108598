;; One module, one attack per tool: what a guest can try while it is executed. The order of the cases is the order of the
;; description's tools.
(module
  (import "wasmtools_v1" "input" (func $input (result i32)))
  (import "wasmtools_v1" "read" (func $read (param i32 i32) (result i32)))
  (import "wasmtools_v1" "write" (func $write (param i32 i32)))
  (import "wasmtools_v1" "context" (func $context (result i32)))
  (import "wasmtools_v1" "log" (func $log (param i32 i32 i32 i32 i32) (result i32)))
  (import "wasmtools_v1" "approve" (func $approve (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_open" (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (global $calls (mut i32) (i32.const 0))
  (type $void (func))
  (table 1 funcref)

  (data (i32.const 1024) "{\"tools\":["
    "{\"name\":\"read_past_end\"},{\"name\":\"read_wraps\"},{\"name\":\"write_past_end\"},{\"name\":\"write_wraps\"},"
    "{\"name\":\"log_bad_message\"},{\"name\":\"log_bad_attrs\"},{\"name\":\"approve_bad_pointer\"},"
    "{\"name\":\"status_unknown\"},{\"name\":\"status_code_on_text\"},{\"name\":\"output_not_utf8\"},{\"name\":\"output_not_json\"},{\"name\":\"output_not_result\"},"
    "{\"name\":\"output_flood\"},{\"name\":\"log_flood\"},{\"name\":\"stdout_flood\"},{\"name\":\"host_call_flood\"},{\"name\":\"approval_flood\"},"
    "{\"name\":\"loop\"},{\"name\":\"recursion\"},{\"name\":\"grow_then_crash\"},{\"name\":\"grow_gently\"},"
    "{\"name\":\"unreachable\"},{\"name\":\"divide_by_zero\"},{\"name\":\"load_past_end\"},{\"name\":\"null_call\"},"
    "{\"name\":\"exit_0\"},{\"name\":\"exit_3\"},{\"name\":\"exit_all_ones\"},{\"name\":\"sleep\"},{\"name\":\"open_file\"},"
    "{\"name\":\"last_words\"},{\"name\":\"count_calls\"},{\"name\":\"unknown_tool\"}"
    "]}")
  (data (i32.const 5119) "\n")
  (data (i32.const 8192) "\ff\fe{\00\01")
  (data (i32.const 8256) "last words")
  (data (i32.const 8300) "approve this")
  (data (i32.const 8400) "{\"surprise\":1}")

  (func (export "spec") (result i32)
    (call $write (i32.const 1024) (i32.const 802))
    (i32.const 0))

  (func $recurse (param i64) (result i64)
    (i64.add (call $recurse (i64.add (local.get 0) (i64.const 1))) (i64.const 1)))

  ;; prints size bytes at ptr to the standard error
  (func $print (param $ptr i32) (param $size i32)
    (i32.store (i32.const 16) (local.get $ptr))
    (i32.store (i32.const 20) (local.get $size))
    (drop (call $fd_write (i32.const 2) (i32.const 16) (i32.const 1) (i32.const 24))))

  (func (export "execute") (param $tool i32) (result i32)
    (local $n i32)
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (if (i32.eq (local.get $tool) (i32.const 0)) (then
      (drop (call $input)) (drop (call $read (i32.const 65535) (i32.const 2)))))
    (if (i32.eq (local.get $tool) (i32.const 1)) (then
      (drop (call $input)) (drop (call $read (i32.const 8) (i32.const -4)))))
    (if (i32.eq (local.get $tool) (i32.const 2)) (then (call $write (i32.const 65536) (i32.const 1))))
    (if (i32.eq (local.get $tool) (i32.const 3)) (then (call $write (i32.const -1) (i32.const -1))))
    (if (i32.eq (local.get $tool) (i32.const 4)) (then
      (drop (call $log (i32.const 0) (i32.const 65000) (i32.const 1000) (i32.const 0) (i32.const 0)))))
    (if (i32.eq (local.get $tool) (i32.const 5)) (then
      (drop (call $log (i32.const 0) (i32.const 0) (i32.const 0) (i32.const -8) (i32.const 8)))))
    (if (i32.eq (local.get $tool) (i32.const 6)) (then (drop (call $approve (i32.const 70000) (i32.const 1)))))
    (if (i32.eq (local.get $tool) (i32.const 7)) (then (return (i32.const 77))))
    (if (i32.eq (local.get $tool) (i32.const 8)) (then (return (i32.const 0x1a600))))
    (if (i32.eq (local.get $tool) (i32.const 9)) (then (call $write (i32.const 8192) (i32.const 2)) (return (i32.const 0))))
    (if (i32.eq (local.get $tool) (i32.const 10)) (then (call $write (i32.const 8194) (i32.const 1)) (return (i32.const 1))))
    (if (i32.eq (local.get $tool) (i32.const 11)) (then (call $write (i32.const 8400) (i32.const 14)) (return (i32.const 2))))
    (if (i32.eq (local.get $tool) (i32.const 12)) (then
      (loop $l (call $write (i32.const 0) (i32.const 65536)) (br $l))))
    (if (i32.eq (local.get $tool) (i32.const 13)) (then
      (local.set $n (i32.const 5000))
      (loop $l
        (drop (call $log (i32.const 0) (i32.const 8256) (i32.const 10) (i32.const 0) (i32.const 0)))
        (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))))
    (if (i32.eq (local.get $tool) (i32.const 14)) (then
      (local.set $n (i32.const 5000))
      (loop $l
        (call $print (i32.const 1024) (i32.const 4096))
        (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))))
    (if (i32.eq (local.get $tool) (i32.const 15)) (then (loop $l (drop (call $input)) (br $l))))
    (if (i32.eq (local.get $tool) (i32.const 16)) (then
      (loop $l (drop (call $approve (i32.const 8300) (i32.const 12))) (br $l))))
    (if (i32.eq (local.get $tool) (i32.const 17)) (then (loop $l (br $l))))
    (if (i32.eq (local.get $tool) (i32.const 18)) (then (drop (call $recurse (i64.const 0)))))
    (if (i32.eq (local.get $tool) (i32.const 19)) (then
      (loop $l (br_if $l (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))
      (unreachable)))
    (if (i32.eq (local.get $tool) (i32.const 20)) (then
      (loop $l (br_if $l (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))))
    (if (i32.eq (local.get $tool) (i32.const 21)) (then (unreachable)))
    (if (i32.eq (local.get $tool) (i32.const 22)) (then (drop (i32.div_u (i32.const 1) (i32.const 0)))))
    (if (i32.eq (local.get $tool) (i32.const 23)) (then (drop (i32.load (i32.const 65533)))))
    (if (i32.eq (local.get $tool) (i32.const 24)) (then (call_indirect (type $void) (i32.const 0))))
    (if (i32.eq (local.get $tool) (i32.const 25)) (then (call $proc_exit (i32.const 0))))
    (if (i32.eq (local.get $tool) (i32.const 26)) (then (call $proc_exit (i32.const 3))))
    (if (i32.eq (local.get $tool) (i32.const 27)) (then (call $proc_exit (i32.const -1))))
    (if (i32.eq (local.get $tool) (i32.const 28)) (then
      ;; one relative clock subscription of an hour
      (i32.store (i32.const 48) (i32.const 1))
      (i64.store (i32.const 56) (i64.const 3600000000000))
      (drop (call $poll (i32.const 32) (i32.const 256) (i32.const 1) (i32.const 24)))))
    (if (i32.eq (local.get $tool) (i32.const 29)) (then
      ;; "e" below each of the first 32 descriptors
      (local.set $n (i32.const 32))
      (loop $l
        (if (i32.eqz (call $path_open (local.get $n) (i32.const 0) (i32.const 1030) (i32.const 1) (i32.const 0)
              (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 24)))
          (then (unreachable)))
        (br_if $l (i32.ge_s (local.tee $n (i32.sub (local.get $n) (i32.const 1))) (i32.const 0))))))
    (if (i32.eq (local.get $tool) (i32.const 30)) (then
      (call $print (i32.const 8256) (i32.const 10)) (unreachable)))
    (if (i32.eq (local.get $tool) (i32.const 31)) (then
      ;; one digit: how many calls this instance has seen
      (i32.store8 (i32.const 0) (i32.add (global.get $calls) (i32.const 48)))
      (call $write (i32.const 0) (i32.const 1))
      (return (i32.const 0))))
    (i32.const 0)))
