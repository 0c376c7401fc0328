package tmuxbox

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// StateDir returns the directory under which a runtime keeps what it knows of
// its boxes: private, of this user, below GC_EXEC_STATE_DIR, else TMPDIR, else
// /tmp (RUN-1). It makes the directory if need be.
func StateDir(runtime string) (string, error) {
	base, err := filepath.Abs(cmp.Or(os.Getenv("GC_EXEC_STATE_DIR"), os.Getenv("TMPDIR"), "/tmp"))
	if err != nil {
		return "", fmt.Errorf("state directory: %w", err)
	}
	if err := os.MkdirAll(base, 0o700); err != nil {
		return "", fmt.Errorf("state directory: %w", err)
	}
	dir := filepath.Join(base, runtime+"-"+strconv.Itoa(os.Geteuid()))
	if err := PrivateDir(dir); err != nil {
		return "", fmt.Errorf("state directory: %w", err)
	}
	return dir, nil
}

// PrivateDir makes dir, or makes sure that the one that is there is ours alone.
func PrivateDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return CheckPrivate(dir)
}

// CheckPrivate makes sure that a directory is ours alone. In a shared /tmp anybody may
// have been there first, with a directory that he can write or a link to one of ours,
// so neither is taken nor mended.
func CheckPrivate(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s is no directory", dir)
	case !ok || int(stat.Uid) != os.Geteuid():
		return fmt.Errorf("%s belongs to another user", dir)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s is open to others (mode %#o); 0700 is needed", dir, info.Mode().Perm())
	}
	return nil
}
