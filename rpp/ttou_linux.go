package rpp

import (
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// withoutTTOU runs f where SIGTTOU does not stop the process: blocked, in this
// thread. To ignore it would last: after signal.Reset Go leaves a SIGTTOU
// ignored (1.26), and every child would inherit that.
func withoutTTOU(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var block, before unix.Sigset_t
	block.Val[0] = 1 << (syscall.SIGTTOU - 1)
	if unix.PthreadSigmask(unix.SIG_BLOCK, &block, &before) == nil {
		defer func() { _ = unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil) }()
	}
	f()
}
