package fence

import (
	"errors"
	"fmt"
)

// Each of these errors is a decision that a caller makes; test with errors.Is.
var (
	// ErrStale: another incarnation holds the pane. Drop the input, or address
	// the new one.
	ErrStale = errors.New("another incarnation of the agent holds the pane")
	// ErrUnset: the pane carries no fence. Relaunch the agent first.
	ErrUnset = errors.New("the agent pane carries no fence")
	// ErrUnsupported: the runtime, or its tmux, takes no fenced input. Send it
	// unfenced, or not at all.
	ErrUnsupported = errors.New("the runtime takes no fenced input")
	// ErrMoved: the pane's process changed between looking and typing, and no
	// fence was there to judge it by. Nothing was typed; look again.
	ErrMoved = errors.New("the agent pane changed meanwhile")
)

// Reason says why tmux answered and nothing was typed.
type Reason string

// The reasons, as they stand in the program's exit table.
const (
	Dead         Reason = "dead"         // the pane's process has ended
	InputOff     Reason = "input-off"    // select-pane -d
	Synchronized Reason = "synchronized" // keys would reach every pane of the window
	Mode         Reason = "mode"         // a mode that this tmux cannot leave
	Dialog       Reason = "dialog"       // an Enter would answer it
	Draft        Reason = "draft"        // somebody's text stands in the composer
	Contended    Reason = "contended"    // other senders held the pane all the time
	Unknown      Reason = "unknown"      // whether a dialog is up cannot be told
)

// RefusedError: tmux answered, and nothing was typed.
type RefusedError struct {
	Session string
	Reason  Reason
	Detail  string // the dialog's name, or what else there is to say
}

func (e *RefusedError) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("session %q: refused: %s", e.Session, e.Reason)
	}
	return fmt.Sprintf("session %q: refused: %s: %s", e.Session, e.Reason, e.Detail)
}
