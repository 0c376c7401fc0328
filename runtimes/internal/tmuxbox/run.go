package tmuxbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
)

// run runs argv in the box and returns its standard output. An argv that ended
// with another exit code than 0 is an *exec.ExitError with the standard error.
func (r *runtime) run(ctx context.Context, b *Box, stdin string, argv ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd := r.Engine.Command(ctx, b, argv...)
	if stdin != "" {
		cmd.Stdin = strings.NewReader(stdin)
	}
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	// A process that argv left behind may hold the pipes for ever.
	cmd.WaitDelay = 500 * time.Millisecond
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("session %q: %s in the box: %w", b.Name, argv[0], context.Cause(ctx))
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		exit.Stderr = stderr.Bytes()
	}
	return stdout.String(), err
}

// tmux runs one tmux command list in the box. An answer that there is no such
// session, pane or server is box.ErrAbsent, and so is a box that is not up; any
// other failure means that nobody knows. Output may come with an error: a list
// that stops half way has printed what came before.
func (r *runtime) tmux(ctx context.Context, b *Box, list ...string) (string, error) {
	// Without -u a box in the C locale prints _ for every character that is not
	// ASCII.
	out, err := r.run(ctx, b, "", append([]string{"tmux", "-u"}, list...)...)
	if err == nil {
		return out, nil
	}
	var exit *exec.ExitError
	said := ""
	if errors.As(err, &exit) {
		said = firstLine(string(exit.Stderr))
	}
	if saysAbsent(said) {
		return out, fmt.Errorf("session %q: %w: %s", b.Name, box.ErrAbsent, said)
	}
	if strings.HasPrefix(said, "server exited unexpectedly") || strings.HasPrefix(said, "lost server") {
		return out, fmt.Errorf("session %q: tmux: %w", b.Name, errDying)
	}
	if ctx.Err() == nil {
		if up, uperr := r.Engine.Up(ctx, b); uperr == nil && !up {
			return out, fmt.Errorf("session %q: the box is not up: %w", b.Name, box.ErrAbsent)
		}
	}
	if said != "" {
		return out, fmt.Errorf("session %q: tmux: %s", b.Name, said)
	}
	return out, fmt.Errorf("session %q: tmux: %w", b.Name, err)
}

// errDying: the server went away under its client. Asked again, it is gone, or
// another is there.
var errDying = errors.New("the server exited")

// absentWords are tmux's own, 3.0a to 3.8. In a box of ours a server that is not
// there is as clear an answer as a session that is not: nothing else could have
// made one.
var absentWords = []string{
	"can't find session", "can't find pane", "can't find window",
	"no such session", "no such pane", "no such window", "no current target",
	"no server running on",
}

func saysAbsent(line string) bool {
	for _, words := range absentWords {
		if strings.HasPrefix(line, words) {
			return true
		}
	}
	return strings.HasPrefix(line, "error connecting to ") &&
		(strings.HasSuffix(line, "(No such file or directory)") || strings.HasSuffix(line, "(Connection refused)"))
}

// firstLine keeps a message to one line of bounded length, fit for a terminal.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if len(line) > 200 {
		line = line[:200] + "…"
	}
	return printable(line)
}
