package agent

import (
	"os"

	"golang.org/x/sys/unix"
)

// flushInput throws away what was typed so far.
func flushInput(in *os.File) {
	_ = unix.IoctlSetInt(int(in.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}
