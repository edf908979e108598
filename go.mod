module github.com/wasmtools/wasmtools

go 1.26
