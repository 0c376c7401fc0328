package session

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/pane"
	"github.com/gastownhall/tmux-carrier/prompt"
)

var (
	//go:embed publish.sh
	publishSource string
	publishScript = box.NewScript("publish", pane.Find, startSource, publishSource)
)

// publish puts the fence and the ready prompt into the box of a session that its
// runtime has just started, in one exec, or none where it takes neither.
func (l *life) publish(ctx context.Context) error {
	ready := l.readyPrompt()
	if !l.fenced && ready == "" {
		return nil
	}
	var list string
	if l.fenced {
		const facts = "#{pane_id} #{pane_pid} #{?pane_dead,1,0}"
		same := "#{==:" + facts + "," + pane.ID + " " + pane.PID + " 0}"
		list = pane.List{
			{"has-session", "-t", pane.Target},
			pane.If(same, fence.Set(l.token, pane.Target, pane.PID), nil),
			pane.Say(sayFence),
		}.Arg()
	}
	reply, err := l.door().Run(ctx, l.Name, publishScript, l.option(), ready, list)
	if err != nil && !l.fenced {
		l.warn("the ready prompt was not stored: %v", err)
		return nil
	}
	return l.judge(ctx, "publish", reply, err)
}

// readyPrompt is the prompt as an argument of tmux's: a blank one is the default, and
// the empty string none to be stored (PRM-1).
func (l *life) readyPrompt() string {
	if !l.idle {
		return ""
	}
	ready := l.Config.ReadyPromptPrefix
	if strings.TrimSpace(ready) == "" {
		ready = prompt.DefaultReadyPrompt
	}
	if strings.ContainsAny(ready, "\n\x00") {
		l.warn("the ready prompt was not stored: it holds a newline or a NUL")
		return ""
	}
	if before, ok := strings.CutSuffix(ready, ";"); ok {
		ready = before + `\;`
	}
	return ready
}

// judge reads what publish.sh and launch.sh said.
func (l *life) judge(ctx context.Context, verb string, reply box.Reply, err error) error {
	s := parse(string(reply.Output))
	if errors.Is(err, box.ErrAbsent) && (s.launched || verb != "launch") {
		return l.gone(err)
	}
	if err != nil {
		return err
	}
	switch {
	case s.used:
		return fmt.Errorf("session %q: %w", l.Name, ErrTokenInUse)
	case s.pane == "":
		return l.door().Outage(ctx, l.Name, verb+": an answer without its end")
	}
	if s.unstored != "" {
		l.warn("the ready prompt was not stored: %s", s.unstored)
	}
	if s.dead {
		return l.ended(s)
	}
	if s.fence != string(l.token) {
		if s.fence != "" {
			return fmt.Errorf("session %q: %w", l.Name, fence.Hidden())
		}
		return fmt.Errorf("session %q: %s: %w", l.Name, verb, fence.ErrMoved)
	}
	l.result.Token, l.result.Pane, l.result.PID = l.token, s.pane, s.pid
	return nil
}

// said is what a script said of the pane.
type said struct {
	used     bool   // the token was the old fence's
	launched bool   // the agent's process was born
	fence    string // that holds on the pane now
	unstored string // why the ready prompt was not
	pane     string
	pid      int
	dead     bool
	status   int // of a dead one; -1: tmux does not tell
	screen   string
}

func parse(output string) said {
	s := said{status: -1}
	for {
		line, rest, ok := strings.Cut(output, "\n")
		if !ok {
			return s // a last line without its end may be cut: not believed
		}
		word, value, _ := strings.Cut(line, " ")
		switch word {
		case "used":
			s.used = true
		case "launched":
			s.launched = true
		case "fence":
			s.fence = value
		case "unstored":
			s.unstored = value
			if value == "" {
				s.unstored = "tmux gave no reason"
			}
		case "pane":
			s.told(strings.Fields(value))
		case "screen":
			s.screen = rest
			return s
		}
		output = rest
	}
}

// told reads ID PID DEAD [STATUS].
func (s *said) told(f []string) {
	if len(f) < 3 {
		return
	}
	s.pane, s.dead = f[0], f[2] == "1"
	s.pid, _ = strconv.Atoi(f[1])
	if len(f) > 3 {
		if n, err := strconv.Atoi(f[3]); err == nil {
			s.status = n
		}
	}
}
