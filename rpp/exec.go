package rpp

import (
	"context"
	"errors"
	"fmt"

	"github.com/gastownhall/tmux-carrier/box"
)

var _ box.Conn = (*Provider)(nil)

// Exec runs argv in the session's box, as one POSIX command line on the
// executable's standard input (RPP-12). The output is both streams, as they
// came; the code is the executable's exit code, which is the command's own under
// proc.exec. Without that capability 2 means that there is no exec, which is the
// caller's to read.
//
// A command that no runtime could run is refused with box.ErrNUL or
// box.ErrCommandTooLong. What could not be run, was canceled or died of a signal
// is box.ErrUnavailable; the error wraps the context's too, and comes with the
// output so far: whether the command ran in the box is unknown then.
func (p *Provider) Exec(ctx context.Context, session string, argv []string) (output []byte, code int, err error) {
	if len(argv) == 0 {
		return nil, 0, fmt.Errorf("exec %q: no command", session)
	}
	line, err := box.CommandLine(argv)
	if err != nil {
		return nil, 0, fmt.Errorf("exec %q: %w", session, err)
	}
	out, err := p.do(ctx, call{op: "exec", args: []string{session}, stdin: line, merged: true})
	var e *OpError
	switch {
	case err == nil:
		return []byte(out), 0, nil
	case !errors.As(err, &e):
		return nil, 0, err
	case e.Code >= 0:
		return []byte(out), e.Code, nil
	case e.Err == nil:
		e.Err = box.ErrUnavailable
	default:
		e.Err = fmt.Errorf("%w: %w", box.ErrUnavailable, e.Err)
	}
	return []byte(out), 0, e
}
