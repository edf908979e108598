package hostile

import "github.com/wasmtools/wasmtools/tool"

// endless is how a guest ends that would not.
func endless(name, what string) Attack {
	return Attack{Name: name, What: what, Code: tool.Timeout, Limit: tool.LimitTime}
}

// refused is how a module ends that is not loaded, because of a limit or, if that is "", for another reason.
func refused(name, what string, limit tool.LimitName) Attack {
	return Attack{Name: name, What: what, Code: tool.BadModule, Limit: limit}
}

func exceeds(name, what string, limit tool.LimitName) Attack {
	return Attack{Name: name, What: what, Code: tool.LimitExceeded, Limit: limit}
}

func crash(name, what string) Attack { return Attack{Name: name, What: what, Code: tool.Trap} }

func harmless(name, what string) Attack { return Attack{Name: name, What: what} }

func (a Attack) made(build func() []byte) Attack {
	a.build = build
	return a
}

// work has attacks on the processor.
func work() []Attack {
	return []Attack{
		endless("tight_loop", "a loop around nothing"),
		endless("straight_line", "a loop around 32,768 multiplications in a row").made(straightLine),
		endless("doubling_tree", "2^60 calls, 60 deep, without loop or recursion"),
		endless("doubling_indirect", "the same through a table"),
		endless("tail_self", "a function that tail-calls itself"),
		endless("tail_mutual", "two functions that tail-call each other through a table"),
		endless("fill_loop", "`memory.fill` of 128 MiB in a loop"),
		harmless("fill_once", "one `memory.fill` of 128 MiB"),
		endless("copy_loop", "`memory.copy` of 128 MiB in a loop"),
		endless("memory_init_loop", "`memory.init` in a loop"),
		endless("passive_huge", "`memory.init` of a segment of 16 MiB in a loop").made(passiveHuge),
		endless("table_loop", "`table.fill`, `table.copy` and `table.init` of 200,000 elements in a loop"),
	}
}

// stack has attacks on the stack.
func stack() []Attack {
	return []Attack{
		exceeds("recursion_thin", "endless recursion, small frames", tool.LimitStack),
		exceeds("recursion_fat", "endless recursion, sixty live values in each frame", tool.LimitStack),
		exceeds("recursion_indirect", "endless recursion through a table", tool.LimitStack),
		exceeds("recursion_host", "endless recursion that enters the host in each frame", tool.LimitStack),
	}
}

// memory has attacks on the host's memory.
func memory() []Attack {
	return []Attack{
		endless("grow_flood", "`memory.grow` for ever, whatever the answer"),
		exceeds("grow_touch", "grows, writes to every page, crashes when there is no more", tool.LimitMemory),
		exceeds("memory_max", "declares a maximum of 4 GiB and writes to the end of it", tool.LimitMemory),
		refused("memory_initial", "a page more at the start than is allowed", tool.LimitMemory),
		refused("memory_4gib", "65,536 pages at the start", tool.LimitMemory),
		refused("huge_tables", "twenty tables of a gigabyte each", tool.LimitTable),
		harmless("table_grow", "`table.grow` until it is refused"),
	}
}

// beforeTheCall has attacks by what runs when a module is loaded.
func beforeTheCall() []Attack {
	return []Attack{
		refused("start_forever", "the start function does not return", tool.LimitTime),
		refused("init_forever", "`_initialize` does not return", tool.LimitTime),
		refused("init_exits", "`_initialize` exits with code 0", ""),
		refused("init_calls_host", "`_initialize` logs", ""),
		refused("warm_up_forever", "the warm-up does not return", tool.LimitTime),
		harmless("warm_up_traps", "the warm-up crashes"),
		harmless("warm_up_calls_host", "the warm-up asks for a call's arguments"),
	}
}

// lies has attacks by pointers, lengths and counts.
func lies() []Attack {
	return []Attack{
		crash("read_pointers", "pointers and lengths of `read`: past the end, wrapping, all ones, negative"),
		crash("write_pointers", "the same of `write`"),
		crash("log_pointers", "the same of `log`, message and attributes"),
		crash("approve_pointers", "the same of `approve`"),
		harmless("wasi_pointers", "results of nine WASI functions outside of the memory"),
		harmless("wasi_iovecs", "vectors of `fd_write` and `fd_read` outside of the memory"),
		harmless("wasi_counts", "counts of vectors and subscriptions whose size wraps at 4 GiB"),
		harmless("wasi_descriptors", "file functions on descriptors that were not given"),
		harmless("wasi_stdio", "closes and renumbers standard descriptors, then writes"),
		harmless("wasi_renumber", "gives a descriptor the number 2^31-1"),
	}
}

// system has attacks by calls of WASI that take long.
func system() []Attack {
	return []Attack{
		endless("wasi_empty_iovecs", "`fd_write` of 8 million empty vectors in a loop"),
		endless("wasi_long_iovecs", "`fd_write` of 64 vectors of 67 MB in a loop"),
		endless("random_flood", "`random_get` of 128 MiB in a loop"),
		endless("poll_many", "`poll_oneoff` of a million subscriptions in a loop"),
		endless("poll_year", "sleeps for a year"),
		endless("yield_loop", "`sched_yield` in a loop"),
		endless("clock_loop", "`clock_time_get` in a loop"),
		crash("exit_codes", "`proc_exit` with 0, 1, 255 and 4294967295"),
	}
}

// floods has attacks by amounts.
func floods() []Attack {
	return []Attack{
		exceeds("host_calls", "asks for its arguments for ever", tool.LimitHostCalls),
		exceeds("output_small", "writes its result byte by byte for ever", tool.LimitHostCalls),
		exceeds("output_large", "writes 64 MiB of result at once", tool.LimitOutput),
		exceeds("approvals", "asks for approval for ever", tool.LimitApprovals),
		harmless("log_flood", "logs more lines, text and attributes than it may"),
		harmless("stdout_flood", "prints 20 MB"),
		endless("stdout_line", "prints a line that does not end"),
	}
}

// crashes has guests that break.
func crashes() []Attack {
	return []Attack{
		crash("traps", "crashes in ten ways"),
		harmless("traces", "leaves marks, and looks for those of an earlier call"),
	}
}

// descriptions has attacks by what a module says of itself.
func descriptions() []Attack {
	return []Attack{
		refused("spec_forever", "`spec` does not return", tool.LimitTime),
		refused("spec_endless", "writes its description without end", tool.LimitSpec),
		refused("spec_changing", "describes itself differently each time", ""),
		refused("spec_calls_host", "`spec` asks for a call's arguments", ""),
		refused("spec_exits", "`spec` exits with code 0", ""),
		refused("spec_traps", "`spec` crashes", ""),
		refused("spec_not_json", "a description that breaks off", ""),
		refused("spec_not_utf8", "a description that is not UTF-8", ""),
		refused("spec_deep", "a description of 100,000 nested brackets", ""),
		refused("spec_tools", "a description of 1001 tools", tool.LimitTools).made(manyTools),
		refused("spec_schema_bomb", "a schema that expands to 2^25 others", "").made(schemaBomb),
		endless("spec_greedy", "asks for limits of centuries and exabytes, then loops"),
	}
}

// results has attacks by what a tool answers.
func results() []Attack {
	return []Attack{
		crash("output_malformed", "answers that are not UTF-8, not JSON, no result object, nothing"),
		crash("output_deep", "a result of 100,000 nested brackets"),
		harmless("output_values", "a result of two million numbers"),
		crash("status_unknown", "statuses that do not exist"),
		{Name: "status_absurd", What: "failures with the largest and smallest codes", Code: tool.ToolFailed},
		harmless("text_escapes", "terminal escapes and reversed text in description, log and result"),
	}
}

// names has attacks by what a module names.
func names() []Attack {
	return []Attack{
		refused("import_as_export", "an import is what a call would run", ""),
		refused("import_unknown", "imports `system`", ""),
		refused("import_reserved", "imports what the runtime adds to modules", ""),
		refused("export_reserved", "exports what the runtime adds to modules", ""),
		refused("name_export", "a name of a megabyte for an export", "").made(nameExport),
		refused("name_import", "a name of a megabyte for an import", "").made(nameImport),
		refused("name_custom", "a name of a megabyte for a custom section", "").made(nameCustom),
		crash("name_function", "a name of a megabyte for the function that crashes").made(nameFunction),
	}
}

// bombs has modules that are small for what they cost.
func bombs() []Attack {
	return []Attack{
		refused("module_large", "65 MiB of module", tool.LimitModule).made(moduleLarge),
		refused("functions_many", "100,001 functions", tool.LimitFunctions).made(functionsMany),
		refused("function_large", "a function of 9 MiB", tool.LimitComplexity).made(functionLarge),
		refused("locals_many", "50,001 locals", tool.LimitComplexity).made(localsMany),
		refused("locals_huge", "two times 4294967295 locals", "").made(localsHuge),
		refused("targets_many", "a `br_table` of a million targets", tool.LimitComplexity).made(targetsMany),
		refused("blocks_deep", "100,000 nested blocks", tool.LimitComplexity).made(blocksDeep),
		refused("compile_bomb", "4000 values that live across 4000 loops", tool.LimitComplexity).made(compileBomb),
		harmless("segments_many", "40,000 data segments on top of each other").made(segmentsMany),
	}
}

// noModules has what is no module, or one of another kind.
func noModules() []Attack {
	return []Attack{
		refused("component", "a component", "").made(component),
		refused("truncated", "a module cut in the middle", "").made(truncated),
		refused("memory_two", "two memories", "").made(memoryTwo),
		refused("memory_shared", "a shared memory", "").made(memoryShared),
		refused("memory_64", "a memory with 64-bit addresses", "").made(memory64),
		refused("memory_65537", "a page more than there can be", "").made(memory65537),
	}
}
