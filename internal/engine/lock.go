package engine

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A lock is an flock(2): the kernel drops it when its process dies, however.
type lock struct{ file *os.File }

// acquireLock waits for the lock until ctx is done.
func acquireLock(ctx context.Context, path string, how int) (*lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	l := &lock{f}
	for {
		ok, err := l.try(how)
		if ok {
			return l, nil
		}
		if err == nil {
			select {
			case <-ctx.Done():
				err = ctx.Err()
			case <-time.After(50 * time.Millisecond):
				continue
			}
		}
		return nil, errors.Join(err, f.Close())
	}
}

// try changes the lock to how if nobody is in the way.
func (l *lock) try(how int) (bool, error) {
	err := unix.Flock(int(l.file.Fd()), how|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

func (l *lock) release() { _ = l.file.Close() }
