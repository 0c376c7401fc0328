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

// Capable is what a Conn may be besides: it knows what its runtime declares.
// A Conn that is not Capable declares nothing.
type Capable interface {
	Has(ctx context.Context, capability string) bool
}

// Knower is what a Capable may be besides: it tells "not declared" from a handshake that
// cannot be had now.
type Knower interface {
	Declares(ctx context.Context, capability string) (bool, error)
}

// Prober is what a Conn may be besides: it asks the runtime, not the box,
// whether the session runs. It tells an absent session from an outage (BOX-2).
type Prober interface {
	IsRunning(ctx context.Context, session string) (bool, error)
}

// Capabilities of the handshake (tables.md) that the rooms above act upon.
const (
	// ProcExec: exec exists, and its exit code is the command's own.
	ProcExec = "proc.exec"
	// InputFence, with ProcExec: the box takes fenced input.
	InputFence = "input-fence"
	// ReportActivity and ReportAttachment: the runtime tells when the session was
	// last active and whether somebody looks at it.
	ReportActivity   = "report-activity"
	ReportAttachment = "report-attachment"
)

// Each of these errors is a decision that a caller makes; test with errors.Is.
var (
	// ErrExecUnsupported: the runtime has no exec operation (exit 2 without
	// the capability proc.exec). Use the dedicated operation.
	ErrExecUnsupported = errors.New("the runtime has no exec operation")

	// ErrAbsent: tmux answered, and there is no session main, or no agent pane
	// in it; or the box is not running. The session is gone.
	ErrAbsent = errors.New("the session is absent")

	// ErrTooOld: the tmux in the box is older than 3.0.
	ErrTooOld = errors.New("tmux is too old")

	// ErrUnavailable: the box did not answer, or not whole. Try later;
	// conclude nothing: what was sent may or may not have gone in.
	ErrUnavailable = errors.New("the box did not answer")
)
