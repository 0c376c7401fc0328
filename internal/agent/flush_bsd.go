//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package agent

import (
	"os"

	"golang.org/x/sys/unix"
)

// flushInput throws away what was typed so far.
func flushInput(in *os.File) {
	const fread = 1 // FREAD of <sys/fcntl.h>
	_ = unix.IoctlSetPointerInt(int(in.Fd()), unix.TIOCFLUSH, fread)
}
