package prompt

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseObservation reads what the in-box function `see` prints (internal/pane):
// a line each for the ready prompt, title, command, mode and view, then the line
// `screen`, then the screen.
func ParseObservation(said string) (Observation, error) {
	var o Observation
	for {
		line, rest, ok := strings.Cut(said, "\n")
		if !ok {
			return Observation{}, fmt.Errorf("no screen in the observation")
		}
		said = rest
		word, value, _ := strings.Cut(line, " ")
		switch word {
		case "ready":
			o.ReadyPrompt, _ = ParseReady(value)
		case "title":
			o.Title = value
		case "command":
			o.Command = value
		case "mode":
			o.Mode = value
		case "view":
			if err := o.view(strings.Fields(value)); err != nil {
				return Observation{}, err
			}
		case "screen":
			o.Screen = said
			return o, nil
		}
	}
}

// view reads cursor_x cursor_y pane_width pane_height alternate_on pane_dead
// session_attached window_activity.
func (o *Observation) view(fields []string) error {
	if len(fields) < 8 {
		return fmt.Errorf("the observation's view has %d fields", len(fields))
	}
	var n [8]int64
	for i := range n {
		v, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return fmt.Errorf("the observation's view: %w", err)
		}
		n[i] = v
	}
	o.CursorX, o.CursorY, o.CursorKnown = int(n[0]), int(n[1]), true
	o.Width, o.Height = int(n[2]), int(n[3])
	o.Alternate, o.Dead, o.Attached = n[4] == 1, n[5] == 1, int(n[6])
	o.Activity = time.Unix(n[7], 0)
	return nil
}
