package nudge

import (
	"strconv"
	"strings"

	"github.com/gastownhall/tmux-carrier/prompt"
)

// said is what the delivery script said, whole or cut anywhere.
type said struct {
	old                 string // a tmux older than 3.0
	pane, pid, brackets string
	contended, conflict bool
	typed               bool   // the text is in
	taken               bool   // and was seen in the composer before Enter
	enters              int    // how often Enter was pressed
	refused             string // the guard's facts
	seen                *prompt.Observation
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
		case "old":
			s.old = value
		case "pane":
			if f := strings.Fields(value); len(f) == 3 {
				s.pane, s.pid, s.brackets = f[0], f[1], f[2]
			}
		case "contended":
			s.contended = true
		case "conflict":
			s.conflict = true
		case "typed":
			s.typed = true
		case "taken":
			s.taken = true
		case "submitted":
			s.enters, _ = strconv.Atoi(value)
		case "refused":
			s.refused = value
		case "title":
			if o, err := prompt.ParseObservation(output); err == nil {
				s.seen = &o
			}
			return s
		}
		output = rest
	}
}
