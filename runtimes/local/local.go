package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/internal/mark"
	"github.com/gastownhall/tmux-carrier/runtimes/internal/tmuxbox"
)

// Runtime is the runtime that gc-session-tmux serves.
func Runtime() rpp.Runtime {
	return tmuxbox.New(tmuxbox.Config{
		Name:         "gc-session-tmux",
		Engine:       engine{},
		Capabilities: capabilities,
	})
}

// capabilities declares fenced input for a tmux that can take it; a tmux that does
// not say a version gets none.
func capabilities(ctx context.Context) ([]string, error) {
	out, err := exec.CommandContext(ctx, "tmux", "-V").Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, fmt.Errorf("tmux is needed: %w", err)
	}
	return tmuxbox.Capabilities(string(out)), err
}

// engine makes boxes of directories.
type engine struct{}

// Make writes down the environment and makes the directory for the socket.
func (engine) Make(_ context.Context, b *tmuxbox.Box, env map[string]string) error {
	if _, err := exec.LookPath("tmux"); err != nil {
		return fmt.Errorf("tmux is needed: %w", err)
	}
	if _, err := os.Stat(b.WorkDir + "/."); err != nil { // can be entered, that is
		return fmt.Errorf("work_dir: %w", err)
	}
	if err := tmuxbox.PrivateDir(socketDir(b)); err != nil {
		return fmt.Errorf("the directory for tmux's socket: %w", err)
	}
	return saveEnv(b, env)
}

func (engine) Inside(b *tmuxbox.Box) string { return b.Dir }

// Command runs in the work_dir while there is one: an agent that removed it must
// still be seen and stopped.
func (e engine) Command(ctx context.Context, b *tmuxbox.Box, argv ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = b.WorkDir
	if info, err := os.Stat(b.WorkDir); err != nil || !info.IsDir() {
		cmd.Dir = b.Dir
	}
	env, err := loadEnv(b)
	if err == nil {
		// Without it tmux goes to /tmp, where the user's own server is.
		err = tmuxbox.CheckPrivate(socketDir(b))
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: its files are gone: %w", box.ErrAbsent, err)
	}
	if err != nil && cmd.Err == nil {
		cmd.Err = fmt.Errorf("session %q: %w", b.Name, err)
	}
	cmd.Env = append(env, "TMUX_TMPDIR="+socketDir(b), mark.Variable+"="+b.ID)
	return cmd
}

// Terminal keeps the name of the terminal that it runs on.
func (e engine) Terminal(ctx context.Context, b *tmuxbox.Box, argv ...string) *exec.Cmd {
	cmd := e.Command(ctx, b, argv...)
	cmd.Env = append(cmd.Env, "TERM="+os.Getenv("TERM"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd
}

// Up: a directory always can be entered. What of the box does not run, tmux says.
func (engine) Up(context.Context, *tmuxbox.Box) (bool, error) { return true, nil }

// Unmake removes what lies outside of the box's directory; its processes, the tmux
// server among them, carry its mark and are ended by then.
func (engine) Unmake(_ context.Context, b *tmuxbox.Box) error {
	return os.RemoveAll(socketDir(b))
}
