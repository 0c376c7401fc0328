package box

import (
	"context"
	"errors"
)

// Conn runs one command in the box of a session. The output is what the
// command printed (a runtime may merge standard error into it); code is the
// command's exit code. err is set when the command did not run or did not
// finish; then code says nothing.
type Conn interface {
	Exec(ctx context.Context, session string, argv []string) (output []byte, code int, err error)
}

// Each of these errors is a decision that a caller makes; test with errors.Is.
var (
	// ErrExecUnsupported: the runtime has no exec operation (exit 2 without
	// the capability proc.exec). Use the dedicated operation.
	ErrExecUnsupported = errors.New("the runtime has no exec operation")

	// ErrAbsent: tmux answered, and there is no session main, or no agent pane
	// in it; or the box is not running. The session is gone.
	ErrAbsent = errors.New("the session is absent")

	// ErrUnavailable: the box did not answer, or not whole. Try later;
	// conclude nothing: what was sent may or may not have gone in.
	ErrUnavailable = errors.New("the box did not answer")
)
