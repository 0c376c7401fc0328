package tmuxbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A copier copies trees of the host into one directory, and never out of it: not
// through .., and not through a link that the agent has put there. Links are
// copied as links, devices, sockets and pipes not at all.
type copier struct {
	ctx  context.Context
	root *os.Root
	self fs.FileInfo // of root
}

func newCopier(ctx context.Context, root *os.Root) (*copier, error) {
	self, err := root.Stat(".")
	return &copier{ctx: ctx, root: root, self: self}, err
}

func (c *copier) copy(src, dst string, info fs.FileInfo) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if dir := filepath.Dir(dst); dir != "." {
		if err := c.root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	switch {
	case info.IsDir():
		return c.dir(src, dst, info)
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(src)
		if err != nil {
			return err
		}
		return c.replace(dst, func(tmp string) error { return c.root.Symlink(target, tmp) })
	case info.Mode().IsRegular():
		// A file may be copied onto itself: gc names files that are in the work_dir
		// already.
		if there, err := c.root.Stat(dst); err == nil && os.SameFile(there, info) {
			return nil
		}
		return c.replace(dst, func(tmp string) error { return c.file(src, tmp, info.Mode()) })
	default:
		return fmt.Errorf("%s: neither a file, a directory nor a link (%v)", src, info.Mode().Type())
	}
}

// dir merges a directory into dst. A source that holds the work_dir itself is not
// copied into itself.
func (c *copier) dir(src, dst string, info fs.FileInfo) error {
	if err := c.root.Mkdir(dst, info.Mode().Perm()|0o700); err == nil {
		c.own(dst)
	} else if there, serr := c.root.Stat(dst); serr != nil || !there.IsDir() {
		return err
	}
	entries, err := os.ReadDir(src)
	for _, e := range entries {
		info, ierr := e.Info()
		if ierr == nil && !os.SameFile(info, c.self) {
			ierr = c.copy(filepath.Join(src, e.Name()), filepath.Join(dst, e.Name()), info)
		}
		err = errors.Join(err, ierr)
		if c.ctx.Err() != nil {
			break
		}
	}
	return err
}

func (c *copier) file(src, dst string, mode fs.FileMode) error {
	// Without O_NONBLOCK a pipe that took the file's place would hold us for ever.
	in, err := os.OpenFile(src, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := c.root.OpenFile(dst, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Chmod(mode.Perm()), out.Close())
}

// replace makes dst in one step, instead of writing through what is there: a link,
// or a file that an agent has open.
func (c *copier) replace(dst string, make func(tmp string) error) error {
	tmp := filepath.Join(filepath.Dir(dst), ".gc-copy-"+newID())
	err := make(tmp)
	if err == nil {
		c.own(tmp)
		err = c.root.Rename(tmp, dst)
	}
	if err != nil {
		_ = c.root.Remove(tmp)
	}
	return err
}

// own gives what root copies to the owner of the work_dir, who may be a container's
// unprivileged user. Anybody else's files are his own anyway.
func (c *copier) own(name string) {
	stat, ok := c.self.Sys().(*syscall.Stat_t)
	if ok && os.Geteuid() == 0 && stat.Uid != 0 {
		_ = c.root.Lchown(name, int(stat.Uid), int(stat.Gid))
	}
}
