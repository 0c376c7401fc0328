package prompt

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/box"
)

// localConn runs commands here, in the locale that a bare container has, against a
// private tmux server.
type localConn struct{ env []string }

func (c localConn) Exec(ctx context.Context, _ string, argv []string) ([]byte, int, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = c.env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return out, exit.ExitCode(), nil
	}
	return out, 0, err
}

func newLocalConn(t *testing.T) localConn {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux on PATH: the box's environment cannot be kept")
	}
	dir, err := os.MkdirTemp("", "ready")
	if err != nil {
		t.Fatal(err)
	}
	c := localConn{env: []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TMUX_TMPDIR=" + dir, "HOME=" + dir}}
	t.Cleanup(func() {
		c.Exec(context.Background(), "", []string{"tmux", "kill-server"})
		os.RemoveAll(dir)
	})
	return c
}

// PRM-1: the ready prompt survives a C-locale box byte for byte.
func TestReadyPromptIsKept(t *testing.T) {
	conn := newLocalConn(t)
	door := box.Door{Conn: conn}
	ctx := context.Background()
	if _, _, err := ReadReady(ctx, door, "s"); !errors.Is(err, box.ErrUnavailable) {
		t.Errorf("without a server: %v, want an outage", err)
	}
	for _, name := range []string{"main", "main2"} {
		if out, code, err := conn.Exec(ctx, "", []string{"tmux", "-u", "-f", "/dev/null", "new-session", "-d", "-s", name, "cat"}); code != 0 || err != nil {
			t.Fatalf("new-session: %d %v %s", code, err, out)
		}
	}
	if ready, known, err := ReadReady(ctx, door, "s"); ready != "" || known || err != nil {
		t.Errorf("unset: %q %v %v", ready, known, err)
	}
	for _, want := range []string{"❯ ", "❯\u00a0", "> ", "$ ", "go;", `x\;`, "-t", "--", "--help", ";", `\`, "a;b", "'", `"`, "#{pane_id}", "`id`", "$(id)", "$HOME> ", "PROMPT>", "名前> ", "=", "=x", "🙂 "} {
		if err := StoreReady(ctx, door, "s", want); err != nil {
			t.Errorf("store %q: %v", want, err)
			continue
		}
		if got, known, err := ReadReady(ctx, door, "s"); got != want || !known || err != nil {
			t.Errorf("stored %q, read %q %v %v", want, got, known, err)
		}
	}
	for _, blank := range []string{"", "  ", "\u00a0"} {
		if err := StoreReady(ctx, door, "s", blank); err != nil {
			t.Fatal(err)
		}
		if got, _, _ := ReadReady(ctx, door, "s"); got != DefaultReadyPrompt {
			t.Errorf("stored blank %q, read %q", blank, got)
		}
	}
	for _, bad := range []string{"a\nb", "\x1b[2J", "\xff"} {
		if err := StoreReady(ctx, door, "s", bad); !errors.Is(err, ErrReadyPrompt) {
			t.Errorf("store %q: %v, want ErrReadyPrompt", bad, err)
		}
	}
	if out, _, _ := conn.Exec(ctx, "", []string{"tmux", "-u", "show-environment", "-t", "=main2"}); strings.Contains(string(out), ReadyVariable) {
		t.Errorf("another session has it too: %s", out)
	}
	// A removed variable is none; an absent session is absent.
	conn.Exec(ctx, "", []string{"tmux", "set-environment", "-r", "-t", "=main", ReadyVariable})
	if ready, known, err := ReadReady(ctx, door, "s"); known || err != nil {
		t.Errorf("removed: %q %v %v", ready, known, err)
	}
	conn.Exec(ctx, "", []string{"tmux", "kill-session", "-t", "=main"})
	if _, _, err := ReadReady(ctx, door, "s"); !errors.Is(err, box.ErrAbsent) {
		t.Errorf("without session main: %v, want absent", err)
	}
	if err := StoreReady(ctx, door, "s", "❯ "); !errors.Is(err, box.ErrAbsent) {
		t.Errorf("without session main: %v, want absent", err)
	}
}

func TestParseReady(t *testing.T) {
	for _, c := range []struct {
		line, want string
		known      bool
	}{
		{"", "", false},
		{"-GC_READY_PROMPT_PREFIX", "", false},
		{"GC_READY_PROMPT_PREFIX=", "", false},
		{"GC_READY_PROMPT_PREFIX_2=x", "", false},
		{"GC_READY_PROMPT_PREFIX=❯ ", "❯ ", true},
		{`GC_READY_PROMPT_PREFIX=\$HOME> `, "$HOME> ", true}, // 3.4
		{`GC_READY_PROMPT_PREFIX=\$ `, `\$ `, true},
	} {
		if got, known := ParseReady(c.line); got != c.want || known != c.known {
			t.Errorf("%q: %q %v, want %q %v", c.line, got, known, c.want, c.known)
		}
	}
}
