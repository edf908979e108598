//go:build tinygo

package main

import "time"

// waitForTimers does nothing: there are none without a scheduler.
func waitForTimers(time.Duration) {}
