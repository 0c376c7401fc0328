package local

import (
	"path/filepath"

	"github.com/gastownhall/tmux-carrier/runtimes/internal/tmuxbox"
)

// The kernel takes a socket path of 108 bytes, macOS one of 104; tmux adds the rest
// of it to TMUX_TMPDIR.
const (
	maxSocket = 100
	socket    = "/tmux-4294967295/default"
)

// socketDir is the box's TMUX_TMPDIR: in its directory if that is short enough, else
// in /tmp, under the random id of the box, which nobody can have foreseen.
func socketDir(b *tmuxbox.Box) string {
	if dir := b.Path("tmux"); len(dir)+len(socket) < maxSocket {
		return dir
	}
	return filepath.Join("/tmp", "gc-box-"+b.ID)
}
