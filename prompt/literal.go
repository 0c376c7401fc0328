package prompt

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// ErrNotLiteral: the agent would take this text for a command, and nothing is known that
// makes it plain.
var ErrNotLiteral = errors.New("the agent would take this text for a command")

// Literal gives the text as it must be pasted so that the agent takes it for prose: a `!`
// in front runs a shell command in Claude Code and Codex, pasted as well as typed,
// and `/compact` is a command in most. Where nothing helps, the error is
// ErrNotLiteral and nothing should be sent.
//
// A backslash at the end makes Enter a newline in some agents; a space behind it, which
// they strip from what they submit, mends that.
func (p *Profile) Literal(text string) (string, error) {
	first := text
	if p.Shield == "" {
		// Such an agent strips blanks in front before it looks.
		first = strings.TrimLeftFunc(text, space)
	}
	if r, n := utf8.DecodeRuneInString(first); n > 0 && strings.ContainsRune(p.Leading, r) {
		if p.Shield == "" {
			return "", ErrNotLiteral
		}
		text = p.Shield + text
	}
	if p.Backslash && strings.HasSuffix(text, `\`) {
		text += " "
	}
	return text, nil
}
