package nudge

import (
	"errors"
	"fmt"

	"github.com/gastownhall/tmux-carrier/box"
)

// Stage says how far a message came.
type Stage string

// The stages. Submitted means that Enter was written to the agent's terminal;
// whether the agent read it, Confirmed tells.
const (
	Nothing    Stage = "nothing"     // nothing was typed
	Typed      Stage = "typed"       // the text is in, its Enter is not
	Submitted  Stage = "submitted"   // text and Enter are in
	HandedOver Stage = "handed-over" // a dedicated operation took it and confirms nothing
	Ignored    Stage = "ignored"     // a dedicated operation that the runtime does not have
	Unknown    Stage = "unknown"     // the box did not say; send the same ID again
)

// Confirmed says what the screen showed after Enter.
type Confirmed string

// What the screen showed.
const (
	Accepted    Confirmed = "accepted"    // the composer was emptied, or the agent is busy
	Queued      Confirmed = "queued"      // the agent shows it in its queue
	Drafted     Confirmed = "drafted"     // the text still stands in the composer
	Unconfirmed Confirmed = "unconfirmed" // no sign
)

// Receipt is what became of a message. It also comes beside an error: then its
// Stage says what may have gone in.
type Receipt struct {
	Session   string    `json:"session"`
	ID        string    `json:"id"`
	Stage     Stage     `json:"stage"`
	Sign      string    `json:"sign"`      // what Confirmed was read from
	Confirmed Confirmed `json:"confirmed"` //
	Execs     int       `json:"execs"`     // round trips to the box

	// Brackets says whether the program had turned bracketed paste on: "yes",
	// "no", or "unknown" (tmux tells from 3.7 on). Without it a text of several
	// lines may have been submitted line by line.
	Brackets string `json:"-"`
}

// PartialError: the text went in, and its Enter did not, or, where the box did not answer
// to the end, nobody knows. Send the same ID again: only what is wanting will be pressed.
type PartialError struct {
	Session string
	ID      string
	Enters  int   // how often Enter was pressed without effect
	Err     error // why
}

func (e *PartialError) Error() string {
	enter := "its Enter is not"
	if errors.Is(e.Err, box.ErrUnavailable) {
		enter = "whether its Enter is, the box did not say"
	}
	return fmt.Sprintf("session %q: partly delivered: the text of message %s is in, %s: %v", e.Session, e.ID, enter, e.Err)
}

func (e *PartialError) Unwrap() error { return e.Err }
