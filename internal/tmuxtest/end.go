package tmuxtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// end ends the server and all that it started, and removes the directory.
func (p *Pane) end() {
	p.t.Helper()
	pids := p.processes()
	// A test may have stopped a process: TERM waits until it goes on.
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
	if p.Server > 0 {
		_ = syscall.Kill(p.Server, syscall.SIGTERM)
	}
	if !gone(time.Second, p.processes) {
		for _, pid := range p.processes() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if !gone(patience, p.processes) {
			p.t.Errorf("processes of %s are left: %v", p.dir, p.processes())
		}
	}
	if err := os.RemoveAll(p.dir); err != nil {
		p.t.Error(err)
	}
}

func gone(within time.Duration, pids func() []int) bool {
	for end := time.Now().Add(within); len(pids()) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// processes returns the server and the processes that descend from it. They
// are known by TMUX_TMPDIR in the environment that they were started with, so
// that one which left its parent, its session and its group is found too.
// Where there is no /proc, it is the server and the processes of its panes.
func (p *Pane) processes() []int {
	mark := []byte("TMUX_TMPDIR=" + p.dir + "\x00")
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	var pids []int
	for _, path := range environs {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		// A zombie's environ reads as empty.
		if env, err := os.ReadFile(path); err == nil && bytes.Contains(env, mark) {
			pids = append(pids, pid)
		}
	}
	if len(environs) > 0 {
		return pids
	}
	out, err := p.Try("list-panes", "-a", "-F", "#{pid} #{pane_pid}")
	if err != nil {
		return nil
	}
	for _, f := range strings.Fields(out) {
		pid, _ := strconv.Atoi(f)
		pids = append(pids, pid)
	}
	return pids
}
