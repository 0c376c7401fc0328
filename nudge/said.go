package nudge

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/prompt"
)

// said is what the delivery script said, whole or cut anywhere.
type said struct {
	pane, pid, brackets string
	agent               string // whose keys were pressed, as tmux told
	contended, conflict bool
	hidden              bool   // a server-wide fence hides the pane's own
	draft               bool   // nothing typed yet: look at seen first
	sent                int    // how often keys were pressed
	typed               bool   // the text is in
	untaken             bool   // and was not seen in the composer before Enter
	enters              int    // how often Enter was pressed
	refused             string // the guard's facts
	seen                *prompt.Observation
}

// refusal is the error for an answer that says why nothing (more) was typed.
func (s said) refusal(session string, g fence.Guard) error {
	var err error
	switch {
	case s.hidden:
		err = fence.Hidden()
	case s.contended:
		return &fence.RefusedError{Session: session, Reason: fence.Contended, Detail: "other senders held the pane all the time"}
	case s.refused != "":
		err = g.Refusal(session, s.refused, s.pane, s.pid)
		var r *fence.RefusedError
		if errors.As(err, &r) {
			return err
		}
	default:
		return nil
	}
	return fmt.Errorf("session %q: %w", session, err)
}

// lostTurn tells a refusal by a list whose sender had the turn, and has it no more.
func (s said) lostTurn(err error) bool {
	var r *fence.RefusedError
	return errors.As(err, &r) && r.Reason == fence.Contended && !s.contended
}

func parse(output string) said {
	var s said
	for {
		line, rest, ok := strings.Cut(output, "\n")
		if !ok {
			return s // a last line without its end may be cut: not believed
		}
		word, value, _ := strings.Cut(line, " ")
		switch word {
		case "pane":
			if f := strings.Fields(value); len(f) == 3 {
				s.pane, s.pid, s.brackets = f[0], f[1], f[2]
			}
		case "agent":
			s.agent = value
		case "hidden":
			s.hidden = true
		case "draft":
			s.draft = true
		case "sent":
			s.sent++
		case "contended":
			s.contended = true
		case "conflict":
			s.conflict = true
		case "typed":
			s.typed = true
		case "untaken":
			s.untaken = true
		case "submitted":
			if n, err := strconv.Atoi(value); err == nil {
				s.enters = max(s.enters, n)
			}
		case "refused":
			s.refused = value
		case "ready":
			if o, err := prompt.ParseObservation(output); err == nil {
				s.seen = &o
			}
			return s
		}
		output = rest
	}
}
