package box

import "strings"

// absentWords open the messages with which a live tmux server says that a session
// or a pane is not there; measured on tmux 3.0a to 3.8. Every other failure, no
// server and no tmux among them, is an outage.
var absentWords = []string{
	"can't find session",
	"can't find pane",
	"can't find window",
	"no such session",
	"no such pane",
	"no such window",
	"no current target", // a server without sessions
}

// saysAbsent reads tmux's own words on standard error.
func saysAbsent(errors string) bool {
	for line := range strings.Lines(errors) {
		for _, words := range absentWords {
			if strings.HasPrefix(line, words) {
				return true
			}
		}
	}
	return false
}
