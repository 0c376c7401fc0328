package tmuxbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
)

// lockDir takes an exclusive flock on the directory itself: no lock file is left
// behind, and the kernel lets go of it when the holder dies. The descriptor is
// closed on exec, so no child of the holder keeps it.
func lockDir(ctx context.Context, dir string, create bool) (unlock func(), err error) {
	for {
		if create {
			if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, err
			}
		}
		f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
		switch {
		case errors.Is(err, fs.ErrNotExist) && create:
			continue // a stop removed it in between
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("no box: %w", box.ErrAbsent)
		case err != nil:
			return nil, err
		}
		if err := flock(ctx, f); err != nil {
			f.Close()
			return nil, err
		}
		// The holder before us may have removed the directory while we waited.
		ours, err1 := f.Stat()
		there, err2 := os.Lstat(dir)
		if err1 == nil && err2 == nil && os.SameFile(ours, there) {
			return func() { f.Close() }, nil
		}
		f.Close()
	}
}

// flock waits for the lock until ctx ends. It polls: a flock that waits cannot be
// interrupted.
func flock(ctx context.Context, f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return err
		}
		if !sleep(ctx, 20*time.Millisecond) {
			return fmt.Errorf("another start or stop of it is still at work: %w", context.Cause(ctx))
		}
	}
}

// sleep waits for d and returns true, or returns false as soon as ctx has ended.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
