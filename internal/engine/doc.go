// Package engine finds a container engine for the tests, or starts a private
// one: dockerd with its socket, state and process in a directory of its own,
// without a network and without a change to the machine. Its images stay in
// the user's cache directory, so that they are built once.
//
// Start at Acquire, or at the command with-engine, which holds one engine for a
// whole test run:
//
//	with-engine go test ./...
//
// Tests ask Box for an image and are skipped, with the reason, where there is
// none. It never starts, stops or configures the machine's own engine.
package engine
