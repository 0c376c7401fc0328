package prompt

import (
	"fmt"
	"time"
)

// Observation is what tmux knows of a pane at one moment. Only Screen is needed;
// the more is known, the fewer verdicts are unknown. Take all of it in one tmux
// command list: a title that is older than the screen proves nothing.
type Observation struct {
	Screen  string // capture-pane -p, plain or styled (-e), blank rows at the end too, with or without history above
	Title   string // pane_title; empty: not known
	Command string // pane_current_command; empty: not known

	CursorX, CursorY int  // cursor_x, cursor_y: from 0, from the top of the visible screen
	CursorKnown      bool // false: CursorX and CursorY say nothing

	// pane_width, pane_height; 0: not known. Then CursorY cannot be placed, and history
	// that Screen holds cannot be told from what is visible.
	Width, Height int

	Alternate bool   // alternate_on
	Dead      bool   // pane_dead
	Mode      string // pane_mode; empty: in no mode

	// ReadyPrompt is what the session keeps of its ready_prompt_prefix (PRM-1); empty:
	// nothing, or not known. Options.ReadyPrompt comes before it.
	ReadyPrompt string

	Attached int       // session_attached: clients that look at it
	Activity time.Time // window_activity; zero: not known
}

// Kind is the one-word answer.
type Kind uint8

// The kinds. Only Idle is a proof that nothing is lost if the agent is stopped.
const (
	Unknown  Kind = iota // it cannot be told: never taken for idle
	Idle                 // the composer is empty and nothing runs
	Busy                 // a turn runs, or a message was just submitted
	Dialog               // a menu, a question or a login screen has the keyboard
	Draft                // text stands in the composer, or it is in another mode (a shell's)
	Starting             // the agent draws its first screen, or none yet
	Dead                 // no agent runs in the pane
)

var kinds = [...]string{"unknown", "idle", "busy", "dialog", "draft", "starting", "dead"}

// String gives the word that the program prints and the index files use.
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// MarshalText makes JSON print the word.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// ParseKind is the inverse of String; any other word is Unknown and false.
func ParseKind(s string) (Kind, bool) {
	for i, name := range kinds {
		if s == name {
			return Kind(i), true
		}
	}
	return Unknown, false
}

// Verdict is a Kind with its reason.
type Verdict struct {
	Kind   Kind
	Agent  string // the profile that was used; "generic" if no agent was recognised
	Sign   string // what decided, in our words: "spinner above the composer"
	Line   string // the row that Sign stands on, as captured; empty if it is not on the screen
	LineNo int    // its number in Screen, from 1; 0 if it is not on the screen
	Dialog string // which dialog: "permission", "trust", "login", …; set with Kind Dialog only
	// Missing says what would have decided and was not known ("title"); empty if
	// nothing was.
	Missing string
	// Text is what stands in the composer, if Kind is Draft (or Busy with a draft):
	// the first row of it, as captured.
	Text string
	// Live is the live region, a piece of Screen: it is what must not change
	// between two observations that prove idleness.
	Live string
}

// String is one line for people.
func (v Verdict) String() string {
	s := v.Kind.String()
	if v.Dialog != "" {
		s += " " + v.Dialog
	}
	s += " (" + v.Agent + ": " + v.Sign
	if v.LineNo > 0 {
		s += fmt.Sprintf(", line %d", v.LineNo)
	}
	if v.Missing != "" {
		s += "; not known: " + v.Missing
	}
	return s + ")"
}

// Options steer Classify. The zero value lets the screen tell everything.
type Options struct {
	// Agent names a profile; empty, it is found by command, title or screen.
	Agent string
	// ReadyPrompt is the session's ready_prompt_prefix. Blank or DefaultReadyPrompt
	// is not configured: then the agent's own data decides (PRM-3).
	ReadyPrompt string
}

// ready is the prompt that holds for an observation.
func (o Options) ready(seen Observation) string {
	if o.ReadyPrompt != "" {
		return o.ReadyPrompt
	}
	return seen.ReadyPrompt
}

// DefaultReadyPrompt is what a session without a ready_prompt_prefix has.
const DefaultReadyPrompt = "❯ "

// Unchanged tells whether two observations that were both classified show the
// same moment: live region, title and cursor. Two idle verdicts that changed in
// between prove nothing: Codex, Gemini and OpenCode show an empty composer and no
// sign for 10 to 105 ms after an Enter.
func Unchanged(a, b Observation, va, vb Verdict) bool {
	return va.Agent == vb.Agent && va.Live == vb.Live && a.Title == b.Title &&
		a.CursorKnown == b.CursorKnown && a.CursorX == b.CursorX && a.CursorY == b.CursorY &&
		a.Width == b.Width && a.Height == b.Height && a.Alternate == b.Alternate && a.Dead == b.Dead
}
