package carrier

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/pane"
)

var (
	//go:embed peek.sh
	peekSource string
	//go:embed clear.sh
	clearSource string

	peekScript  = box.NewScript("peek", pane.Find, peekSource)
	clearScript = box.NewScript("clear", pane.Find, clearSource)
)

// View says what of the pane to show. The zero value is the visible screen.
type View struct {
	Lines  int  // so many lines of history above the screen
	Tail   int  // only the last so many lines, blank ones at the end left out; 0: all
	Styled bool // with colours, and made safe for a terminal; no other escapes
}

// Peek shows the agent pane, also one that is dead or in a mode: wide characters,
// NBSP and blanks at line ends as the pane has them (blanks: tmux 3.1 and later).
// Each line ends in a newline.
func (s *Session) Peek(ctx context.Context, v View) (string, error) {
	start := time.Now()
	history, execs := max(v.Lines, v.Tail, 0), 0
	var text string
	err := s.carrier.overExec(ctx,
		func() error {
			execs = 1
			reply, err := s.run(ctx, peekScript, strconv.Itoa(history), flag(v.Styled))
			if err != nil {
				return err
			}
			var ok bool
			if text, ok = strings.CutSuffix(string(reply.Output), "end\n"); !ok {
				return s.carrier.Door().Outage(ctx, s.Name, "peek: an answer without its end")
			}
			return nil
		},
		func(ops Dedicated) error {
			screen, handled, err := ops.Peek(ctx, s.Name, history)
			if err == nil && !handled {
				err = fmt.Errorf("session %q: peek: %w, and no peek either", s.Name, box.ErrExecUnsupported)
			}
			text = sanitize(screen) // a runtime of somebody's: anything may be in it
			return err
		})
	if v.Styled {
		text = sanitize(text)
	}
	text = tail(text, v.Tail)
	s.observe(ctx, start, Event{Verb: "peek", Execs: execs, Bytes: len(text), Outcome: err})
	return text, err
}

// ClearScrollback clears the history above the pane's screen.
func (s *Session) ClearScrollback(ctx context.Context) error {
	start, execs := time.Now(), 0
	err := s.carrier.overExec(ctx,
		func() error {
			execs = 1
			reply, err := s.run(ctx, clearScript)
			if err == nil && !strings.HasSuffix(string(reply.Output), "cleared\n") {
				err = s.carrier.Door().Outage(ctx, s.Name, "clear: an answer without a word")
			}
			return err
		},
		func(ops Dedicated) error {
			handled, err := ops.ClearScrollback(ctx, s.Name)
			if err == nil && !handled {
				err = fmt.Errorf("session %q: clear: %w, and no clear-scrollback either", s.Name, box.ErrExecUnsupported)
			}
			return err
		})
	s.observe(ctx, start, Event{Verb: "clear", Execs: execs, Outcome: err})
	return err
}

// run runs a script whose first argument is the fence's option, where the box takes
// fences: the pane that carries it is the agent's.
func (s *Session) run(ctx context.Context, script box.Script, args ...string) (box.Reply, error) {
	door := s.carrier.Door()
	return door.Run(ctx, s.Name, script, append([]string{fence.OptionIn(ctx, door)}, args...)...)
}

func flag(on bool) string {
	if on {
		return "1"
	}
	return ""
}

// tail keeps the last n lines of a text, without the blank ones that end it.
func tail(text string, n int) string {
	if n <= 0 {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines[max(0, len(lines)-n):], "")
}
