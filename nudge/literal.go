package nudge

import (
	"fmt"
	"strings"

	"github.com/gastownhall/tmux-carrier/prompt"
)

// literal makes the text plain prose for the agent: a leading character that it
// takes for a command gets the shield that the agent strips, and a backslash at
// the end, with which Enter would be a newline, a space behind it. What cannot be
// made plain is a TextError.
func literal(text string, agent *prompt.Profile) (string, error) {
	if agent == nil {
		return "", &TextError{Why: "which agent reads it is not known, so it cannot be made literal"}
	}
	if strings.ContainsRune(agent.Leading, []rune(text)[0]) {
		if agent.Shield == "" {
			return "", &TextError{Why: fmt.Sprintf("%s takes its first character for a command, and nothing is known that prevents it", agent.Name)}
		}
		text = agent.Shield + text
	}
	if agent.Backslash && strings.HasSuffix(text, `\`) {
		text += " "
	}
	return text, nil
}
