package prompt

import "time"

// Profile is what is known of one agent program. Everything in it was measured on
// Versions; a newer version that draws differently reads as unknown, not as idle.
type Profile struct {
	Name     string
	Versions []string // seen; the rest is a guess by shape

	// Commands are the values of pane_current_command that name the agent. A node
	// program often says "node", which names nobody.
	Commands []string
	// Titled tells from the pane's title alone that it is this agent. May be nil.
	Titled func(title string) bool
	// Marks are texts that only this agent draws near its composer or in its
	// dialogs; they are looked for in the lowest rows.
	Marks []string
	// Drawn tells a row, as captured, that no other agent draws. May be nil.
	Drawn func(row string) bool

	Composer Composer

	// The signs, looked for in this order: Dialogs, Busy, Queued, Starting.
	Dialogs  []Sign
	Busy     []Sign
	Queued   []Sign // a message waits its turn: busy, and proof that it was taken
	Starting []Sign
	Cut      []Sign // rows that end before they would say that a turn runs: then nothing is idle

	// Message begins a submitted message in the transcript. One that stands last
	// above the composer has no answer yet: busy, though no sign is drawn (Codex,
	// Gemini and OpenCode: 10 to 105 ms after Enter).
	Message []string
	// Answered are the signs that end the look for such a message.
	Answered []Sign
	// Heads is the deepest column at which a block of the transcript can begin; what
	// is indented more belongs to the block above it.
	Heads int
	// OnTop is how many rows right on top of the composer belong to it.
	OnTop int
	// Near is how many rows above the composer belong to the live region whatever they
	// are: hints stand there, and in a narrow pane at the margin like the head of a
	// block.
	Near int
	// Headed says that the head of the last block must be seen: this agent shows that
	// it works at the head alone, and a long answer scrolls it away.
	Headed bool
	// Home is the placeholder of the first screen, where no block stands yet.
	Home string

	// TitleTells says that only the title shows a turn that streams, so that
	// nothing is idle while it is not known.
	TitleTells bool

	Submit    []string      // tmux keys that submit the composer
	Interrupt []string      // tmux keys that stop a turn and do nothing worse
	Between   time.Duration // between two of the Interrupt keys
	Settle    Settle

	// Unbracketed says that the program never turns bracketed paste on.
	Unbracketed bool
	// Backslash says that a text ending in a backslash turns Enter into a newline.
	Backslash bool
	// Leading are the first characters that make a pasted message a command.
	Leading string
	// Shield makes a message with such a first character prose when it stands in
	// front; empty: nothing is known to (then Literal refuses the message).
	Shield string
}

// Settle is how long a program needs between the end of a paste and Enter, so
// that the two are not read as one chunk, where Enter becomes a newline.
type Settle struct {
	Base   time.Duration // for a short text
	PerMiB time.Duration // more for a long one, in proportion
}

// For gives the time for a text of n bytes.
func (s Settle) For(n int) time.Duration {
	return s.Base + time.Duration(float64(s.PerMiB)*float64(n)/(1<<20))
}

// Composer is where an agent's input stands.
type Composer struct {
	Shapes  []Shape  // tried in order
	Prompts []string // the glyphs in front of the text; a space, NBSP or the end of the row follows
	Modes   []string // glyphs that mean another mode: what is typed now is no message
	// Placeholders begin texts that are drawn in an empty composer.
	Placeholders []string
	// ModePlaceholders are those of another mode.
	ModePlaceholders []string
	// Cursor says that the terminal's cursor stands in the composer: elsewhere, a
	// menu has the keyboard. Programs on an older Ink park it.
	Cursor bool
	// Reach is how many rows may stand below the composer; 0 is 16. Slash menus and
	// users' status lines stand there.
	Reach int
}

// Shape is how a composer is drawn.
type Shape uint8

// The shapes.
const (
	Ruled  Shape = iota // between two rules: Claude Code, Copilot, Cline
	Boxed               // in a box of corners and sides: Qwen, Gemini and Claude Code of 2025
	Barred              // behind a bar at the left, closed below: OpenCode
	Inset               // a row indented by one, below a rule: Gemini
	Bare                // a row at the left margin, blank rows around it: Codex
	Loose               // any row that begins with the prompt: an unknown agent
)

// Place is where a sign stands.
type Place uint8

// The places. Live is Above, In and Below together, or the lowest rows of a
// screen that shows no composer.
const (
	Live   Place = iota
	Above        // above the composer, up to the head of the last block
	In           // the composer's own text
	Below        // below the composer
	Under        // the first row below the composer
	Screen       // anywhere in the lowest rows
	Title        // the pane's title
)

// Sign is one shape that means something.
type Sign struct {
	Name  string // for people; a dialog's sign carries the dialog's name
	At    Place
	Match func(row string) bool // row: without style, borders and the space around it
	// Margin says that the row begins at the screen's left margin: text of the
	// transcript that quotes the sign is indented.
	Margin bool
	// Over says that a dialog may stand over a composer that is still drawn.
	Over bool
}

// profiles in the order in which they are tried on a screen.
var profiles = []*Profile{&claude, &codex, &gemini, &qwen, &opencode, &copilot, &cline, &amp}

// Profiles gives all known agents, without Generic.
func Profiles() []*Profile { return append([]*Profile(nil), profiles...) }

// Lookup finds a profile by name ("claude"); "generic" is one. Nil: no such agent.
func Lookup(name string) *Profile {
	for _, p := range profiles {
		if p.Name == name {
			return p
		}
	}
	if name == Generic.Name {
		return Generic
	}
	return nil
}
