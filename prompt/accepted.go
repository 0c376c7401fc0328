package prompt

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Outcome says what became of a message after its Enter, as far as the screen shows.
type Outcome uint8

// The outcomes.
const (
	Unconfirmed Outcome = iota // nothing on the screen tells
	Accepted                   // the composer was emptied, or a turn runs
	Queued                     // it waits its turn
	Drafted                    // it still stands in the composer: the Enter did not submit it
)

var outcomes = [...]string{"unconfirmed", "accepted", "queued", "drafted"}

// String gives the word that receipts use.
func (o Outcome) String() string {
	if int(o) < len(outcomes) {
		return outcomes[o]
	}
	return fmt.Sprintf("Outcome(%d)", uint8(o))
}

// MarshalText makes JSON print the word.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Confirm reads what became of text from an observation taken after its Enter, and
// names the sign. A draft that is not this text says nothing about it.
//
// Right after Enter a program may not have drawn yet (Claude Code: up to 200 ms):
// let the screen settle first (SettledFormat), else a message reads as drafted.
func Confirm(after Observation, text string, opts Options) (Outcome, string) {
	var s scene
	s.o = after
	s.read(plain(after.Screen), after.Height)
	s.profile = s.recognise(opts.Agent)
	if after.Dead || s.n == 0 {
		return Unconfirmed, "nothing is on the screen"
	}
	s.compose(opts.ready(after))
	v := s.judge()
	if v.Kind == Dialog {
		return Unconfirmed, "a dialog: " + v.Dialog
	}
	draft := ""
	if s.found && s.in.text != "" && !s.placeholder(s.cursor()) {
		draft = s.in.text
	}
	if draft != "" && stands(draft, text) {
		return Drafted, "the text stands in the composer"
	}
	if q, ok := s.sign(Busy, s.profile.Queued); ok {
		return Queued, q.Sign
	}
	switch {
	case v.Kind == Busy:
		return Accepted, v.Sign
	case s.found && draft == "":
		return Accepted, "the composer is empty"
	case draft != "":
		return Unconfirmed, "another text stands in the composer"
	}
	return Unconfirmed, v.Sign
}

// stands tells whether the first row of a composer can be of this text. Agents wrap
// it, show its end alone, or put a placeholder for a long paste; they change tabs,
// compose characters and drop invisible ones.
func stands(row, text string) bool {
	if strings.HasPrefix(row, "[Past") || strings.Contains(row, "... Pasted +") {
		return true
	}
	row = squash(strings.Trim(row, "…"))
	text = squash(text)
	return row != "" && (strings.Contains(text, row) || strings.HasPrefix(row, text))
}

// squash keeps what every agent shows: no blanks, nothing invisible, composed.
func squash(s string) string {
	return strings.Map(func(r rune) rune {
		if space(r) || r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFC.String(s))
}
