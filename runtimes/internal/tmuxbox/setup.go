package tmuxbox

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// setup runs what the start config wants in the box once the session is there.
func (l *life) setup(ctx context.Context) error {
	if err := l.commands(ctx, "session_setup", l.cfg.SessionSetup); err != nil {
		return err
	}
	if path := l.cfg.SessionSetupScript; path != "" {
		script, err := os.ReadFile(path)
		if err != nil {
			l.warn("session_setup_script: %v", err)
		} else if err := l.command(ctx, "session_setup_script", string(script), "sh"); err != nil {
			return err
		}
	}
	return l.commands(ctx, "session_live", l.cfg.SessionLive)
}

// commands runs shell commands in the box, one after the other.
func (l *life) commands(ctx context.Context, step string, commands []string) error {
	for i, command := range commands {
		if err := l.command(ctx, fmt.Sprintf("%s[%d]", step, i), "", "sh", "-c", command); err != nil {
			return err
		}
	}
	return nil
}

// command runs one of them. Its failure is a warning; an error is a canceled start.
// What it prints goes to a file beside the box, and never to start's own standard
// error, where any text could turn up (RUN-2). To a file, not a pipe: so a daemon
// that it leaves behind keeps nobody waiting.
func (l *life) command(ctx context.Context, step, stdin string, argv ...string) error {
	log, err := l.log()
	if err != nil {
		return err
	}
	defer log.Close()
	fmt.Fprintf(log, "== %s\n", step)
	cmd := l.Engine.Command(ctx, l.Box, argv...)
	cmd.Stdout, cmd.Stderr = log, log
	if stdin != "" {
		cmd.Stdin = strings.NewReader(stdin)
	}
	cmd.WaitDelay = 500 * time.Millisecond
	err = cmd.Run()
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", step, context.Cause(ctx))
	}
	if err != nil {
		l.warn("%s failed: %v; its output is in %s while the box lives", step, err, log.Name())
	}
	return nil
}

// log is where the output of the setup commands and the waiter goes.
func (b *Box) log() (*os.File, error) {
	return os.OpenFile(b.Path("log"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
}
