package tmuxtest

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"

	"al.essio.dev/pkg/shellescape"
)

// A Form is how a runtime runs the command of an exec.
type Form int

const (
	Argv    Form = iota // the argument vector itself
	Command             // sh -c "$(cat)", the quoted command on standard input
	Stdin               // sh, the quoted command on standard input
)

// A Conn runs commands on this machine as a runtime would in a box: in an
// environment where plain tmux reaches the pane's server, standard error merged
// into the output. It is a box.Conn, and it keeps count.
type Conn struct {
	Form  Form
	Shell []string // for Command and Stdin, with its flags
	Env   []string // more environment, NAME=value

	pane  *Pane
	mu    sync.Mutex
	calls [][]string
}

// Conn returns a connection to the pane's server. No shell is sh.
func (p *Pane) Conn(form Form, shell ...string) *Conn {
	if len(shell) == 0 {
		shell = []string{"sh"}
	}
	return &Conn{Form: form, Shell: shell, pane: p}
}

// Exec implements box.Conn. A command that a signal ended did not finish.
func (c *Conn) Exec(ctx context.Context, _ string, argv []string) ([]byte, int, error) {
	c.mu.Lock()
	c.calls = append(c.calls, slices.Clone(argv))
	c.mu.Unlock()

	run, stdin := argv, ""
	switch c.Form {
	case Command:
		run = append(slices.Clone(c.Shell), "-c", `exec "$@" -c "$(cat)"`, c.Shell[0])
		run, stdin = append(run, c.Shell...), shellescape.QuoteCommand(argv)
	case Stdin:
		run, stdin = c.Shell, shellescape.QuoteCommand(argv)+"\n"
	}
	cmd := c.pane.command(ctx, run)
	cmd.Env = append(cmd.Env, c.Env...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	out, err := cmd.CombinedOutput()

	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return out, -1, ctx.Err()
	case errors.As(err, &exit) && exit.Exited():
		return out, exit.ExitCode(), nil
	case err != nil:
		return out, -1, err
	}
	return out, 0, nil
}

// Calls returns the argument vectors that were run so far.
func (c *Conn) Calls() [][]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.calls)
}

// Execs returns how many commands were run so far.
func (c *Conn) Execs() int { return len(c.Calls()) }
