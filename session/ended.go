package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// EndedError: the agent ended while it was being started.
type EndedError struct {
	Session string
	Status  int    // its exit status; -1: tmux does not tell
	Screen  string // what it left on its screen
	Gone    bool   // its session is gone as well (remain-on-exit is off): nothing can be told

	cause error
}

func (e *EndedError) Unwrap() error { return e.cause }

func (e *EndedError) Error() string {
	if e.Gone {
		return fmt.Sprintf("session %q: the agent ended, and its tmux session with it, so its last words are lost (remain-on-exit is off): %v", e.Session, e.cause)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "session %q: the agent ended", e.Session)
	if e.Status >= 0 {
		fmt.Fprintf(&b, " with status %d", e.Status)
	}
	if words := lastWords(e.Screen); words != "" {
		fmt.Fprintf(&b, "; its last words: %s", words)
	}
	return b.String()
}

// lastWords are the last lines of a screen, as one line fit for a message.
func lastWords(screen string) string {
	const lines, most = 5, 400
	var words []string
	for line := range strings.Lines(screen) {
		line = strings.TrimSpace(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return ' '
			}
			return r
		}, strings.ToValidUTF8(line, "")))
		if line != "" && !strings.HasPrefix(line, "Pane is dead") {
			words = append(words, line)
		}
	}
	r := []rune(strings.Join(words[max(0, len(words)-lines):], " / "))
	if over := len(r) - most; over > 0 {
		return "…" + string(r[over:])
	}
	return string(slices.Clip(r))
}

// ended judges an agent whose pane is dead: that of a one_shot has done its work.
func (l *life) ended(s said) error {
	l.result.Token, l.result.Pane, l.result.PID = "", "", 0
	if !l.oneShot() {
		return &EndedError{Session: l.Name, Status: s.status, Screen: s.screen}
	}
	l.over = true
	if s.status > 0 {
		l.warn("the one_shot agent ended with status %d", s.status)
	}
	return nil
}

// gone judges an agent whose session is gone.
func (l *life) gone(err error) error {
	l.result.Token, l.result.Pane, l.result.PID = "", "", 0
	if l.oneShot() {
		l.over = true
		return nil
	}
	return &EndedError{Session: l.Name, Status: -1, Gone: true, cause: err}
}

// look asks what became of the pane.
func (l *life) look(ctx context.Context) (said, error) {
	reply, err := l.door().Run(ctx, l.Name, publishScript, l.option(), "", "")
	return parse(string(reply.Output)), err
}
