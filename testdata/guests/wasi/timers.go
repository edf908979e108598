//go:build !tinygo

package main

import (
	"context"
	"time"
)

// started is a timer that runs while the module's snapshot is taken.
var started = time.NewTicker(time.Millisecond)

func waitForTimers(d time.Duration) {
	<-time.After(d)
	<-started.C
	<-started.C
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	<-ctx.Done()
}
