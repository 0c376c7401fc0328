package tmuxbox

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"

	"github.com/gastownhall/tmux-carrier/internal/pane"
)

var (
	//go:embed server.sh
	serverScript string
	//go:embed session.sh
	sessionScript string
	//go:embed agent.sh
	agentScript string
)

// session starts the box's tmux server, and session main with the agent in it. A
// provisioned box gets the server alone: it keeps the environment for the launch
// that comes over exec, which carries none (SES-2).
func (l *life) session(ctx context.Context, launch bool) error {
	script, args := serverScript, []string(nil)
	if launch {
		script += sessionScript
		args = append([]string{agentScript, l.Engine.Inside(l.Box) + "/command", pane.Program(l.cfg.Command)}, l.unset()...)
	}
	_, err := l.runtime.run(ctx, l.Box, l.cfg.Command, append([]string{"sh", "-c", script, "session"}, args...)...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("session %q: tmux session main: %s", l.Name, firstLine(string(exit.Stderr)))
	}
	if err != nil {
		return fmt.Errorf("session %q: tmux session main: %w", l.Name, err)
	}
	return nil
}

// unset are the variables that tmux sets for a pane by itself, but the session is
// to have unset. TERM, TMUX and TMUX_PANE stay: what runs in tmux needs them.
func (l *life) unset() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(l.cfg.Env)) {
		switch name {
		case "SHELL", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLORTERM":
			if l.cfg.Env[name] == "" {
				names = append(names, name)
			}
		}
	}
	return names
}
