package nudge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/pane"
	"github.com/gastownhall/tmux-carrier/prompt"
)

// Keys are keys for an agent, by tmux's names. No Enter is added, and a dialog does
// not stop them: they are how one answers it.
type Keys struct {
	Keys  []string
	Fence fence.Token // as in Message
}

// Pressed is what became of keys.
type Pressed struct {
	Session string   `json:"session"`
	Agent   string   `json:"agent"` // whose keys they are; "" if that was not asked
	Keys    []string `json:"keys"`  // what was pressed, in order
	Stage   Stage    `json:"stage"` // Submitted: written to the agent's terminal
	Execs   int      `json:"execs"`

	Seen *prompt.Observation `json:"-"` // the screen right after
}

const maxKeys = 4 << 10 // bytes of names

// Press presses the keys in one guarded list, in one exec. Errors as Deliver's.
func Press(ctx context.Context, door box.Door, session string, k Keys) (Pressed, error) {
	keys := make([]string, len(k.Keys))
	for i, name := range k.Keys {
		var err error
		if keys[i], err = KeyName(name); err != nil {
			return Pressed{Session: session, Stage: Nothing}, err
		}
	}
	// One tmux client takes 16 KiB of arguments, and the keys stand in a list.
	if n := len(strings.Join(keys, " ")); n > maxKeys {
		return Pressed{Session: session, Stage: Nothing}, &KeyError{Key: fmt.Sprint(len(keys), " keys"), Why: fmt.Sprintf("are %d bytes, and %d go at once", n, maxKeys)}
	}
	if len(keys) == 0 {
		return Pressed{Session: session, Stage: Nothing}, &KeyError{Key: "", Why: "no key was given"}
	}
	return press(ctx, door, session, k.Fence, "", []choice{{keys: keys, times: 1}})
}

// Interrupt stops the agent's turn with the agent's own keys, in one exec: C-c ends
// OpenCode and Cline, and opens a menu in Codex. Which agent it is, tmux tells in the
// same exec, unless the caller names it; an unknown one gets C-c.
func Interrupt(ctx context.Context, door box.Door, session string, agent string, t fence.Token) (Pressed, error) {
	if p := prompt.Lookup(agent); p != nil {
		return press(ctx, door, session, t, "", []choice{interrupting(p)})
	}
	var choices []choice
	for _, p := range prompt.Profiles() {
		choices = append(choices, interrupting(p))
	}
	return press(ctx, door, session, t, prompt.AgentFormat(), append(choices, interrupting(prompt.Generic)))
}

// choice is what to press for one agent: the keys, as often as it takes.
type choice struct {
	agent string
	keys  []string
	times int
	pause time.Duration
}

// interrupting: every agent wants one key, once or several times with a pause.
func interrupting(p *prompt.Profile) choice {
	return choice{agent: p.Name, keys: p.Interrupt[:1], times: len(p.Interrupt), pause: p.Between}
}

func press(ctx context.Context, door box.Door, session string, t fence.Token, format string, choices []choice) (Pressed, error) {
	result := Pressed{Session: session, Stage: Nothing}
	if err := fence.Require(ctx, door, session, t); err != nil {
		return result, err
	}
	g := fence.Guard{Ticket: newTicket(), Token: t}
	args := []string{g.Ticket, seconds(3 * time.Second), seconds(patience(ctx, looking)), fence.OptionIn(ctx, door), string(t), format}
	for _, c := range choices {
		list := g.List(pane.List{append(pane.Command{"send-keys", "-t", pane.Target}, c.keys...), pane.Say("sent")})
		args = append(args, c.agent, strconv.Itoa(c.times), fraction(c.pause), list.Arg())
	}
	for moves := 0; ; moves++ {
		result.Execs++
		reply, err := door.Run(ctx, session, pressScript, args...)
		s := parse(string(reply.Output))
		if s.sent > 0 {
			i := max(0, slices.IndexFunc(choices, func(c choice) bool { return c.agent == s.agent }))
			result.Agent, result.Stage, result.Seen = s.agent, Submitted, s.seen
			result.Keys = slices.Repeat(choices[i].keys, s.sent)
		}
		switch {
		case err != nil && result.whole(choices, s) && !isCanceled(err):
			return result, nil // the keys are in; they may have ended the agent
		case err != nil:
			if errors.Is(err, box.ErrUnavailable) && s.sent == 0 {
				result.Stage = Unknown
			}
			return result, err
		}
		err = s.refusal(session, g)
		switch {
		case errors.Is(err, fence.ErrMoved) && s.sent == 0 && moves < maxMoves:
		case err != nil:
			return result, err
		case s.sent == 0:
			return result, door.Outage(ctx, session, "keys: an answer without a word")
		default:
			return result, nil
		}
	}
}

// whole tells that the keys were pressed as often as it takes.
func (r Pressed) whole(choices []choice, s said) bool {
	i := slices.IndexFunc(choices, func(c choice) bool { return c.agent == s.agent })
	return s.sent > 0 && s.sent == choices[max(0, i)].times
}

// patience is how long a sender may wait for its turn: what one exec has left when
// the rest of its work is taken off.
func patience(ctx context.Context, work time.Duration) time.Duration {
	left := execTime
	if deadline, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(deadline))
	}
	return max(left-work, 0)
}

func fraction(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 2, 64) }
