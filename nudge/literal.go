package nudge

import (
	"fmt"

	"github.com/gastownhall/tmux-carrier/prompt"
)

// Prepared is the text as it is typed: prepared, and literal where that is asked for.
func (m Message) Prepared() (string, error) {
	text, err := Prepare(m.Text, m.Controls)
	if err == nil && m.Literal {
		text, err = literal(text, prompt.Lookup(m.Agent))
	}
	return text, err
}

// literal makes the text plain prose for the agent (prompt.Profile.Literal). What
// cannot be made plain is a TextError.
func literal(text string, agent *prompt.Profile) (string, error) {
	if agent == nil {
		return "", &TextError{Why: "which agent reads it is not known, so it cannot be made literal"}
	}
	text, err := agent.Literal(text)
	if err != nil {
		return "", &TextError{Why: fmt.Sprintf("%s: %v", agent.Name, err)}
	}
	return text, nil
}
