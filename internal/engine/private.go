package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Two dockerd on one data directory destroy it, so all users of a cache share
// one engine. Each holds the lock "users" shared; starting and stopping hold
// the lock "engine". The last user stops it. A user that was killed leaves it
// running, and the next one joins it and stops it.

func acquirePrivate(ctx context.Context) (*Engine, error) {
	d, err := privateDirs()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(d.cache, 0o700); err != nil {
		return nil, err
	}
	turn, err := acquireLock(ctx, filepath.Join(d.cache, "engine.lock"), unix.LOCK_EX)
	if err != nil {
		return nil, fmt.Errorf("engine: another run starts or stops the engine: %w", err)
	}
	defer turn.release()
	users, err := acquireLock(ctx, filepath.Join(d.cache, "engine.users"), unix.LOCK_SH)
	if err != nil {
		return nil, err
	}
	e := &Engine{Host: d.host(), Private: true, dirs: d, users: users}
	if err := privateDir(d.run); err != nil {
		users.release()
		return nil, err
	}
	if e.Version, err = ask(ctx, e.Host); err == nil {
		return e, nil
	}
	if err := errors.Join(stop(d), privateDir(d.run)); err != nil { // what a killed run left
		users.release()
		return nil, err
	}
	if e.Version, err = start(ctx, d); err != nil {
		users.release()
		return nil, errors.Join(err, stop(d))
	}
	return e, nil
}

// privateDir makes dir, or makes sure that it is ours alone: its place is known
// to everybody.
func privateDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); !errors.Is(err, os.ErrExist) {
		return err
	}
	var s unix.Stat_t
	if err := unix.Lstat(dir, &s); err != nil {
		return err
	}
	if s.Mode&unix.S_IFMT != unix.S_IFDIR || s.Mode&0o077 != 0 || int(s.Uid) != os.Getuid() {
		return fmt.Errorf("engine: %s is not a private directory of ours: remove it", dir)
	}
	return nil
}

// Release gives the engine back. The last user of a private one removes the
// containers that are left, whose names it returns, and stops it.
func (e *Engine) Release() (left []string, err error) {
	if !e.Private || e.users == nil {
		return nil, nil
	}
	turn, err := acquireLock(context.Background(), filepath.Join(e.dirs.cache, "engine.lock"), unix.LOCK_EX)
	if err != nil {
		return nil, err
	}
	defer turn.release()
	last, err := e.users.try(unix.LOCK_EX)
	e.users.release()
	e.users = nil
	if !last || err != nil {
		return nil, err
	}
	out, err := docker(context.Background(), e.Host, "ps", "-a", "--format", "{{.Names}}").Output()
	if left = strings.Fields(string(out)); err == nil && len(left) > 0 {
		err = docker(context.Background(), e.Host, append([]string{"rm", "-f", "-v"}, left...)...).Run()
	}
	return left, errors.Join(err, stop(e.dirs))
}
