//go:build !linux

package rpp

import (
	"os/signal"
	"syscall"
)

// withoutTTOU runs f where SIGTTOU does not stop the process. It stays ignored
// then: Go's signal.Reset does not undo it.
func withoutTTOU(f func()) {
	signal.Ignore(syscall.SIGTTOU)
	f()
}
