package tmuxtest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
)

var _ box.Conn = (*Conn)(nil)

func TestMain(m *testing.M) { Main(m) }

func TestStart(t *testing.T) {
	p := Start(t, Options{Agent: []string{"--nbsp"}, Conf: "set -g base-index 5\n"})
	p.WaitScreen("❯\u00a0")
	p.Type("hello; 'world'")
	p.WaitScreen("'world'")
	if got := p.Submit(); got != "hello; 'world'" {
		t.Errorf("submitted %q", got)
	}
	p.WaitEvent("turn done")
	if got := p.Format("#{session_name}:#{window_index} #{pid}"); !strings.HasPrefix(got, "main:5 ") {
		t.Errorf("the configuration was not read: %s", got)
	}
	if socket := p.Format("#{socket_path}"); len(socket) > 100 || !strings.HasPrefix(socket, p.Dir()) {
		t.Errorf("socket %s", socket)
	}
}

func TestStartCommand(t *testing.T) {
	p := Start(t, Options{Command: []string{"sh", "-c", "echo x=$X tmux=$TMUX_TMPDIR; exec cat"}, Env: []string{"X=a b"}})
	p.WaitScreen("x=a b tmux=" + p.Dir())
}

// Every form and shell reaches the server as plain tmux, keeps the arguments
// whole, and tells the exit code.
func TestConn(t *testing.T) {
	p := Start(t, Options{Command: []string{"cat"}})
	shells := [][]string{nil, {"dash"}, {"dash", "-eu"}, {"bash", "--posix"}, {"busybox", "ash"}, {"mksh"}}
	for _, form := range []Form{Argv, Command, Stdin} {
		for _, shell := range shells {
			if len(shell) > 0 {
				if _, err := exec.LookPath(shell[0]); err != nil {
					t.Logf("skipped: %v", err)
					continue
				}
			}
			c := p.Conn(form, shell...)
			hostile := "a'b\"c\n$HOME `x` \\ ;"
			out, code, err := c.Exec(t.Context(), "s", []string{"sh", "-c", `printf '%s|' "$@"; tmux list-sessions -F '#S'; exit 7`, "sh", hostile, ""})
			if want := hostile + "||main\n"; string(out) != want || code != 7 || err != nil {
				t.Errorf("form %d %v: %q %d %v, want %q 7", form, shell, out, code, err, want)
			}
			if c.Execs() != 1 || c.Calls()[0][0] != "sh" {
				t.Errorf("calls %q", c.Calls())
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, _, err := p.Conn(Command).Exec(ctx, "s", []string{"sleep", "60"}); err != context.DeadlineExceeded {
		t.Errorf("a cut exec: %v", err)
	}
}

// Nothing outlives a test: not an agent that ignores signals, not a process
// that left its session, not a stopped server.
func TestEndLeavesNothing(t *testing.T) {
	var dir string
	var pids []int
	t.Run("start", func(t *testing.T) {
		p := Start(t, Options{Agent: []string{"--ignore-signals"}})
		p.Tmux("run-shell", "-b", "setsid sleep 1000 </dev/null >/dev/null 2>&1 &")
		p.Wait("the daemon runs", func() bool { return len(p.processes()) >= 3 })
		dir, pids = p.Dir(), p.processes()
		if err := syscall.Kill(p.Server, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	})
	for _, pid := range pids {
		environ, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
		if err == nil && strings.Contains(string(environ), dir) {
			t.Errorf("process %d is left", pid)
		}
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", dir, err)
	}
}
