package fence_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
)

type conn struct{ env []string; last string }

func (c *conn) Exec(ctx context.Context, _ string, argv []string) ([]byte, int, error) {
	line, _ := box.CommandLine(argv)
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Env = append(os.Environ(), c.env...)
	out, err := cmd.CombinedOutput()
	c.last = string(out)
	var x *exec.ExitError
	if errors.As(err, &x) { err = nil }
	return out, cmd.ProcessState.ExitCode(), err
}
func (c *conn) Has(context.Context, string) bool { return true }

func TestScratch(t *testing.T) {
	dir, _ := os.MkdirTemp("", "tc")
	defer os.RemoveAll(dir)
	c := &conn{env: []string{"TMUX_TMPDIR=" + dir, "TMUX="}}
	tm := func(a ...string) string {
		cmd := exec.Command("tmux", a...)
		cmd.Env = append(os.Environ(), c.env...)
		o, err := cmd.CombinedOutput()
		t.Log(a, string(o), err)
		return string(o)
	}
	tm("-f/dev/null", "new-session", "-d", "-s", "main", "cat")
	defer tm("kill-server")
	d := box.Door{Conn: c}
	show := func(s fence.State, err error) { t.Helper(); t.Logf("%+v %v\n%s", s, err, c.last) }
	show(fence.Read(t.Context(), d, "s"))
	show(fence.Publish(t.Context(), d, "s", "tok-1"))
	old, err := fence.Clear(t.Context(), d, "s")
	show(old, err)
	show(fence.Restore(t.Context(), d, old))
	show(fence.Read(t.Context(), d, "s"))
	show(fence.Publish(t.Context(), d, "s", "tok-2"))
	show(fence.Restore(t.Context(), d, old))
	tm("show-options", "-p", "-t", "main")
}
