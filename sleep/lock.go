package sleep

import (
	"errors"
	"os"
	"syscall"
)

// ErrHeld: another controller works on this directory. Wait until it is gone, or
// leave the sessions to it; RequestWake reaches it meanwhile.
var ErrHeld = errors.New("another controller holds the state")

// lock takes the file for this process, or says ErrHeld. The kernel gives it back
// when the process ends, however it ends; a child does not inherit it, since Go
// opens with O_CLOEXEC.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrHeld
		}
		return nil, &os.PathError{Op: "flock", Path: path, Err: err}
	}
	return f, nil
}
