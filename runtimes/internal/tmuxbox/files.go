package tmuxbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gastownhall/tmux-carrier/box"
)

// files lays the overlays and the copied files into the work_dir: the packs' in
// their order, then the agent's own, then copy_files, a later one over an earlier.
// Like the other steps of a setup, one that fails is a warning.
func (l *life) files(ctx context.Context) error {
	lay := func(what, src, dst string) error {
		if err := l.copy(ctx, l.Box, src, dst); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			l.warn("%s: %v", what, err)
		}
		return nil
	}
	for _, dir := range l.cfg.PackOverlayDirs {
		if err := lay("pack_overlay_dirs", dir, "."); err != nil {
			return err
		}
	}
	if l.cfg.OverlayDir != "" {
		if err := lay("overlay_dir", l.cfg.OverlayDir, "."); err != nil {
			return err
		}
	}
	for _, f := range l.cfg.CopyFiles {
		if err := lay("copy_files", f.Src, f.RelDst); err != nil {
			return err
		}
	}
	return nil
}

// copy copies src, a file, link or directory of the host, to dst below the box's
// work_dir. An empty dst is the work_dir for a directory's content, and the name of
// src for anything else. The work_dir is the host's in every shipped runtime.
func (r *runtime) copy(ctx context.Context, b *Box, src, dst string) error {
	info, err := os.Lstat(src)
	if err != nil {
		return err
	}
	if dst == "" {
		dst = "."
		if !info.IsDir() {
			dst = filepath.Base(src)
		}
	}
	root, err := os.OpenRoot(b.WorkDir)
	if err != nil {
		return err
	}
	defer root.Close()
	c, err := newCopier(ctx, root)
	if err != nil {
		return err
	}
	return c.copy(src, filepath.Clean(dst), info)
}

// copyTo is the operation.
func (r *runtime) copyTo(ctx context.Context, name, src, relDst string) error {
	b, err := r.boxes.find(name)
	if err != nil {
		return err
	}
	up, err := r.Engine.Up(ctx, b)
	if err == nil && !up {
		err = fmt.Errorf("the box is not up: %w", box.ErrAbsent)
	}
	if err != nil {
		return fmt.Errorf("session %q: %w", name, err)
	}
	return r.copy(ctx, b, src, relDst)
}
