package tmuxbox

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
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
		args = append([]string{agentScript, l.Engine.Inside(l.Box) + "/command", program(l.cfg.Command)}, l.unset()...)
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

// program is the first word of a command that is one simple command, so that exec
// can stand in front of it; else "". The agent has to be the pane's root process:
// respawn-pane replaces that one, and a fence is bound to it. bash, busybox ash and
// some mksh make it so by themselves; dash 0.5.12, Debian's sh, never does.
func program(command string) string {
	command = strings.TrimSpace(command)
	word, _, _ := strings.Cut(command, " ")
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_./+-", r)
	}
	if word == "" || word[0] == '-' || strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return "" // an assignment, a quote, an expansion, a second line
	}
	quote := rune(0)
	escaped := false
	for i, r := range command {
		switch {
		case escaped:
			escaped = false
		case quote == '\'' && r != '\'':
		case r == '\\':
			escaped = true
		case r == '`', r == '$' && strings.HasPrefix(command[i+1:], "("):
			return "" // another command inside; it could be anything
		case r == quote:
			quote = 0
		case quote != 0:
		case r == '"', r == '\'':
			quote = r
		case strings.ContainsRune(";&|()\n#", r):
			return ""
		}
	}
	return word
}
