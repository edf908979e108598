package main

import (
	"fmt"
	"time"

	"github.com/wasmtools/wasmtools/sdk-guest/raw"
)

// born is when the module was initialised.
var born = time.Now()

// clock returns, in nanoseconds, the time, and how old the module is. Before that it waits for what can be waited for.
func clock(raw.Context, []byte) raw.Result {
	start := time.Now()
	time.Sleep(time.Millisecond)
	waitForTimers(time.Millisecond)
	if waited := time.Since(start); waited < time.Millisecond || waited > time.Minute {
		return raw.Failed(0, fmt.Sprint("waited for ", waited))
	}
	now := time.Now()
	return raw.Text(fmt.Sprint(now.UnixNano(), " ", now.Sub(born).Nanoseconds()))
}
