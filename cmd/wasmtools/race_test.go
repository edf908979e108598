//go:build race

package main

// underRace says that the race detector is on. The compiler of modules is about ten times slower then, and what runs in a
// process of its own and calls one tool has nothing to detect: such tests leave out the large guests.
const underRace = true
