package tmuxbox

import "syscall"

// usableUmask gives the owner's own bits back to this process and what it starts. Under
// umask 777 tmux makes the directory of its socket with mode 000 and then cannot bind in
// it; so would we, and every script in the box. What others may stays as it was.
func usableUmask() {
	mask := syscall.Umask(0o077)
	syscall.Umask(mask &^ 0o700)
}
