# `make` lists the targets. `make test` needs Go alone; `make guests` needs the guests' own toolchains.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

FUZZTIME ?= 20s
BENCH ?= .

# The toolchains that build guests. STRICT=1 makes a missing one an error.
STRICT ?=
TINYGO ?= tinygo
CLANG ?= clang-19
WAT2WASM ?= wat2wasm

# No scheduler and no collector: every call starts from the same snapshot, so nothing outlives a call.
TINYGOFLAGS ?= -target=wasip1 -buildmode=c-shared -scheduler=none -gc=leaking -opt=z -no-debug
CFLAGS ?= --target=wasm32 -O2 -Wall -nostdlib -Wl,--no-entry
WAT2WASMFLAGS ?= --debug-names --enable-tail-call

# A guest's .wasm is committed beside its source. What is a guest: an example that imports the guest SDK, every
# testdata/guests/<name>/main.go and bench/guests/<name>/main.go, and every C and WAT file under testdata and bench/guests.
TINYGO_SOURCES := $(shell grep -ls '"github.com/wasmtools/wasmtools/sdk-guest["/]' examples/*/main.go) \
	$(wildcard testdata/guests/*/main.go bench/guests/*/main.go)
TINYGO_GUESTS := $(foreach dir,$(patsubst %/main.go,%,$(TINYGO_SOURCES)),$(dir)/$(notdir $(dir)).wasm)
C_GUESTS := $(patsubst %.c,%.wasm,$(shell find testdata bench/guests -name '*.c' 2>/dev/null | sort))
WAT_GUESTS := $(patsubst %.wat,%.wasm,$(shell find testdata bench/guests -name '*.wat' 2>/dev/null | sort))
GUESTS := $(TINYGO_GUESTS) $(C_GUESTS) $(WAT_GUESTS)

# go's ./... leaves out every folder that is called testdata.
PACKAGES := ./... $(if $(wildcard testdata/guests/*/main.go),./testdata/guests/...)

.PHONY: help
help:
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: test
test: ## Run all tests
	go test ./...

# $(call available,TOOL,GUESTS) is GUESTS, or a target that says why not where TOOL is not there.
available = $(if $(2),$(if $(shell command -v $(1) 2>/dev/null),$(2),missing-$(notdir $(1))))

.PHONY: guests
guests: $(call available,$(TINYGO),$(TINYGO_GUESTS))
guests: $(call available,$(CLANG),$(C_GUESTS))
guests: $(call available,$(WAT2WASM),$(WAT_GUESTS))
guests: ## Rebuild every guest's .wasm (STRICT=1: a missing toolchain is an error)

missing-%:
	@echo "guests: $* is not on PATH: the guests that need it are not rebuilt" >&2; [ "$(STRICT)" != 1 ]

# Always rebuilt: a clone's file times say nothing, and the SDK is a source too.
.PHONY: FORCE
FORCE:

$(TINYGO_GUESTS): FORCE
	cd $(@D) && $(TINYGO) build $(TINYGOFLAGS) -o $(@F) .

$(C_GUESTS): %.wasm: %.c FORCE
	$(CLANG) $(CFLAGS) -o $@ $<

$(WAT_GUESTS): %.wasm: %.wat FORCE
	$(WAT2WASM) $(WAT2WASMFLAGS) -o $@ $<

.PHONY: check
check: ## Check formatting, vet, staticcheck, go.mod, the import rules, and that every guest is built
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "check: not formatted: $$unformatted" >&2; exit 1; }
	go vet $(PACKAGES)
	GOOS=wasip1 GOARCH=wasm go build ./abi/... ./sdk-guest/...
	go tool staticcheck $(PACKAGES)
	go mod tidy -diff
	go test ./internal/importrules
	@for guest in $(GUESTS); do \
		[ -f "$$guest" ] || { echo "check: $$guest is missing: run make guests" >&2; exit 1; }; \
	done

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME (20s)
	@targets=$$(go test -list '^Fuzz' ./... | \
		awk '/^Fuzz/ { name[++n] = $$1 } /^ok/ { for (i = 1; i <= n; i++) print $$2, name[i]; n = 0 }'); \
	while read -r package name; do \
		[ -n "$$name" ] || continue; \
		echo "== $$package $$name"; \
		go test -run='^$$' -fuzz="^$$name\$$" -fuzztime=$(FUZZTIME) "$$package" </dev/null; \
	done <<<"$$targets"

.PHONY: bench
bench: ## Compare with the targets of performance: the experiments that match BENCH (all)
	go run ./bench -only='$(BENCH)'

.PHONY: microbench
microbench: ## Run the benchmarks of the packages that match BENCH (all)
	go test -run='^$$' -bench='$(BENCH)' -benchmem ./...

.PHONY: hostile
hostile: ## Make every attack on wasmtools, Extism and wazero alone, and write docs/hostile.md
	go run ./bench/hostile -out docs/hostile.md

.PHONY: clean
clean: ## Remove what building and profiling leave behind
	rm -rf bin .tools
	rm -f wasmtools
	find . -name .git -prune -o -type f \( -name '*.test' -o -name '*.prof' \) -exec rm {} +
