package prompt

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A screenTmux is a pane of a private tmux server that shows what it is told to: its
// program reads the terminal raw and prints what comes out of a pipe.
type screenTmux struct {
	t             *testing.T
	socket        string
	pipe          *os.File
	width, height int
	painted       int
}

func newScreenTmux(t *testing.T, width, height int) *screenTmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux on PATH: what the server says cannot be seen")
	}
	dir, err := os.MkdirTemp("", "prompt") // short: a socket's path has 108 bytes
	if err != nil {
		t.Fatal(err)
	}
	fifo := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(fifo, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &screenTmux{t: t, socket: filepath.Join(dir, "s"), pipe: pipe, width: width, height: height}
	t.Cleanup(func() {
		s.tmux("kill-server")
		pipe.Close()
		os.RemoveAll(dir)
	})
	s.must("-f", "/dev/null", "new-session", "-d", "-s", "main", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height),
		"stty raw -echo; exec cat "+fifo)
	s.tmux("resize-window", "-t", "=main:", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height)) // 3.2a ignores -x -y
	return s
}

func (s *screenTmux) tmux(args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-u", "-S", s.socket}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX=", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	return strings.TrimSuffix(string(out), "\n"), err
}

func (s *screenTmux) must(args ...string) string {
	s.t.Helper()
	out, err := s.tmux(args...)
	if err != nil {
		s.t.Fatalf("tmux %q: %v: %s", args[0], err, out)
	}
	return out
}

// show paints the lowest rows of a screen and its title, and gives what the format expands
// to once all of it is there: a mark of the cursor that changes each time says when.
func (s *screenTmux) show(screen, title, format string) string {
	s.t.Helper()
	lines := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
	if cut := len(lines) - s.height; cut > 0 {
		lines = lines[cut:]
	}
	s.painted++
	y, x := s.painted%s.height, (s.painted/s.height)%s.width
	if _, err := fmt.Fprintf(s.pipe, "\x1b[?7l\x1b[H\x1b[2J\x1b]2;%s\x1b\\%s\x1b[%d;%dH", title, strings.Join(lines, "\r\n"), y+1, x+1); err != nil {
		s.t.Fatal(err)
	}
	mark := fmt.Sprintf("%d,%d|", x, y)
	var out string
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		out = s.must("display-message", "-p", "-t", "=main:", "#{cursor_x},#{cursor_y}|"+format)
		if rest, ok := strings.CutPrefix(out, mark); ok {
			return rest
		}
	}
	s.t.Fatalf("the pane did not show the screen within 10 s; want the cursor at %s, got %q\n%s", mark, out, s.must("capture-pane", "-p", "-t", "=main:"))
	return ""
}
