package nudge

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/gastownhall/tmux-carrier/fence"
)

// Message is one text for an agent.
type Message struct {
	Text string

	// ID makes the delivery exactly once within one incarnation: the pane
	// remembers the last 64 (NUD-5). Send the same ID and text again after any
	// error. "" makes a new one; the Receipt says which.
	ID string

	// Fence is the incarnation that it is meant for; "" types to whoever is there.
	Fence fence.Token

	// Agent names the agent's data (prompt.Profiles) where the caller knows it; ""
	// takes what is safe for all of them.
	Agent string

	Controls Controls // "" replaces control characters
	Draft    Draft    // "" refuses a draft that can be seen

	// Literal takes away the meaning that the agent gives to a leading character
	// (`!` runs a shell command) or to a backslash at the end. It needs Agent.
	Literal bool
	// EvenDialog types and presses Enter although a dialog is on the screen.
	EvenDialog bool
	// LineByLine allows a text of several lines for a program that takes no
	// bracketed paste: it may submit each line.
	LineByLine bool

	// Settle is the time between text and Enter; 0 takes the agent's, by size.
	Settle time.Duration
	// SubmitKeys are pressed after the text; nil is Enter.
	SubmitKeys []string
}

// Draft says what to do when text that is not ours stands in the composer.
type Draft string

// The ways to treat a draft.
const (
	DraftAuto   Draft = ""       // look while a client is attached or text is seen, and refuse
	DraftRefuse Draft = "refuse" // look first, one more exec, and refuse
	DraftClear  Draft = "clear"  // look first, and clear it with the agent's keys
	DraftAppend Draft = "append" // do not look
)

// ErrIDReused: the pane remembers this ID with another text. A mistake of the
// caller's; nothing was typed.
var ErrIDReused = errors.New("the same message ID was used with another text")

// NewID is a fresh message ID.
func NewID() string { return rand.Text() }

// entry is the message's mark in the journal: 16 hex digits of its ID's
// fingerprint, 16 of its text's.
func entry(id, text string) string { return fingerprint(id) + fingerprint(text) }

func fingerprint(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
