package box

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Door is a Conn as the rooms above use it.
type Door struct {
	Conn Conn

	// Unsupported knows an error of Conn's that means "no exec operation", for a
	// Conn with sentinels of its own; nil knows ErrExecUnsupported alone.
	Unsupported func(error) bool
}

// Has tells whether the runtime declares the capability.
func (d Door) Has(ctx context.Context, capability string) bool {
	c, ok := d.Conn.(Capable)
	return ok && c.Has(ctx, capability)
}

// Declares is nil if the runtime declares the capability, undeclared if it does not, and
// ErrUnavailable if its handshake cannot be had now: that is no "no".
func (d Door) Declares(ctx context.Context, session, capability string, undeclared error) error {
	if k, ok := d.Conn.(Knower); ok {
		switch declared, err := k.Declares(ctx, capability); {
		case err != nil:
			return fmt.Errorf("session %q: %w: %w", session, ErrUnavailable, err)
		case declared:
			return nil
		}
	} else if d.Has(ctx, capability) {
		return nil
	}
	return fmt.Errorf("session %q: %w: it does not declare %s", session, undeclared, capability)
}

// statusTooOld is the status of a script that found a tmux older than 3.0
// (internal/pane/find.sh).
const statusTooOld = 78

// Reply is what a script said.
type Reply struct {
	Output []byte // its standard output
	Errors string // its standard error, trimmed
	Status int    // its exit status
}

// Run runs the script in the session's box, once, by one Conn.Exec.
//
// A nil error means that the whole answer came and the script ended 0. Else the
// error is ErrExecUnsupported, ErrAbsent or ErrUnavailable (which wraps the
// context's error when that ended the exec), or ErrNUL or ErrCommandTooLong, and
// nothing was sent. With ErrUnavailable the Reply holds what came of the script's
// output; the script may still be running in the box.
func (d Door) Run(ctx context.Context, session string, s Script, args ...string) (Reply, error) {
	f := newFrame()
	argv := f.argv(s, args)
	if _, err := CommandLine(argv); err != nil {
		return Reply{}, fmt.Errorf("session %q: %s: %w", session, s.name, err)
	}
	output, code, err := d.Conn.Exec(ctx, session, argv)
	reply, began, whole := f.parse(output)
	switch {
	case err != nil && d.unsupported(err):
		return Reply{}, fmt.Errorf("session %q: %s: %w", session, s.name, ErrExecUnsupported)
	case err != nil:
		// Canceled, or it could not be run: an outage without asking (BOX-2).
		return reply, fmt.Errorf("session %q: %s: %w: %w", session, s.name, ErrUnavailable, err)
	case code == 2 && !began && !d.Has(ctx, ProcExec):
		return Reply{}, fmt.Errorf("session %q: %s: %w", session, s.name, ErrExecUnsupported)
	case !whole:
		return reply, d.Outage(ctx, session, fmt.Sprintf("%s: exec ended with %d and no whole answer", s.name, code))
	case reply.Status == 0:
		return reply, nil
	case reply.Status == statusTooOld:
		return reply, fmt.Errorf("session %q: %s: %w: %s", session, s.name, ErrTooOld, firstLine(reply.Errors))
	case saysAbsent(reply.Errors):
		return reply, fmt.Errorf("session %q: %s: %w: %s", session, s.name, ErrAbsent, firstLine(reply.Errors))
	default:
		return reply, d.Outage(ctx, session, fmt.Sprintf("%s: status %d: %s", s.name, reply.Status, firstLine(reply.Errors)))
	}
}

// Outage is the error for a box that ended an exec without a usable answer. The
// runtime is asked once whether the session runs, where the Conn can: a clear
// false makes it ErrAbsent, anything else ErrUnavailable (BOX-2).
func (d Door) Outage(ctx context.Context, session, why string) error {
	if p, ok := d.Conn.(Prober); ok {
		if running, err := p.IsRunning(ctx, session); err == nil && !running {
			return fmt.Errorf("session %q: %w: the runtime says it is not running (%s)", session, ErrAbsent, why)
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("session %q: %w: %s: %w", session, ErrUnavailable, why, err)
	}
	return fmt.Errorf("session %q: %w: %s", session, ErrUnavailable, why)
}

func (d Door) unsupported(err error) bool {
	return errors.Is(err, ErrExecUnsupported) || d.Unsupported != nil && d.Unsupported(err)
}

// firstLine keeps an error to tmux's own words, and short: a box's standard error
// may hold anything.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	if len(line) > 200 {
		line = line[:200] + "…"
	}
	return strings.ToValidUTF8(line, "\uFFFD")
}
