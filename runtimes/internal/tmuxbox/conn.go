package tmuxbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
)

// conn is the runtime seen from its own side of the wire: a box.Conn, so that a
// dedicated operation types by the same rules as a carrier does over exec.
type conn struct{ *runtime }

func (r *runtime) door() box.Door { return box.Door{Conn: conn{r}} }

// Exec implements box.Conn.
func (c conn) Exec(ctx context.Context, session string, argv []string) ([]byte, int, error) {
	b, err := c.boxes.find(session)
	if err != nil {
		return nil, 0, err
	}
	// On standard input: what is typed is on nobody's list of processes of this host.
	line, err := box.CommandLine(argv)
	if err != nil {
		return nil, 0, err
	}
	var out bytes.Buffer
	cmd := c.Engine.Command(ctx, b, merged...)
	cmd.Stdin = strings.NewReader(line + "\n")
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = 250 * time.Millisecond
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return out.Bytes(), 0, fmt.Errorf("session %q: %w", session, context.Cause(ctx))
	case errors.As(err, &exit) && exit.Exited():
		return out.Bytes(), exit.ExitCode(), nil
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return out.Bytes(), 0, fmt.Errorf("session %q: %w", session, err)
	}
	return out.Bytes(), 0, nil
}

// Has implements box.Capable. The answer is looked up once a process: it may be a
// round trip of its own.
func (c conn) Has(ctx context.Context, capability string) bool {
	c.capable.Do(func() {
		if c.Capabilities != nil {
			c.capabilities, _ = c.Capabilities(ctx) // cannot tell: none
		}
	})
	return slices.Contains(c.capabilities, capability)
}

// IsRunning implements box.Prober.
func (c conn) IsRunning(ctx context.Context, session string) (bool, error) {
	return c.isRunning(ctx, session)
}
