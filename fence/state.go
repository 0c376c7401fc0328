package fence

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/internal/pane"
)

var (
	//go:embed fence.sh
	fenceSource string
	fenceScript = box.NewScript("fence", pane.Find, fenceSource)
)

// State is the fence of one agent pane at one moment.
type State struct {
	Session string
	Pane    string // %N
	PID     int    // the pane's root process; 0 where tmux does not say (a dead pane on 3.8)
	Dead    bool
	Token   Token // "": unset
}

// Supported tells whether the runtime takes fenced input (FEN-1).
func Supported(ctx context.Context, door box.Door) bool {
	return door.Has(ctx, box.ProcExec) && door.Has(ctx, box.InputFence)
}

// OptionIn is the name of the fence option in a box that takes fenced input, and else
// empty: there no script may name it.
func OptionIn(ctx context.Context, door box.Door) string {
	if Supported(ctx, door) {
		return Option
	}
	return ""
}

// Require checks a fence that input is to carry: "" is none. The error is
// ErrUnsupported where the box takes none, or box.ErrUnavailable where that cannot be
// told now.
func Require(ctx context.Context, door box.Door, session string, t Token) error {
	if t == "" {
		return nil
	}
	if _, err := ParseToken(string(t)); err != nil {
		return fmt.Errorf("session %q: %w", session, err)
	}
	for _, capability := range []string{box.ProcExec, box.InputFence} {
		if err := door.Declares(ctx, session, capability, ErrUnsupported); err != nil {
			return err
		}
	}
	return nil
}

// show prints the pane, its process and its own fence.
var show = pane.List{
	pane.Say("state #{pane_id} #{?pane_pid,#{pane_pid},0} #{?pane_dead,1,0}"),
	pane.Say("fence"),
	{"show-options", "-pqv", "-t", pane.Target, Option},
	pane.Say("end"),
}

var (
	here  = pane.Command{"has-session", "-t", pane.Target}
	clear = pane.List{
		{"set-option", "-pu", "-t", pane.Target, Option},
		{"set-option", "-pu", "-t", pane.Target, boundOption},
	}
)

// Read reads the fence on the agent pane; an unset one is an empty Token.
func Read(ctx context.Context, door box.Door, session string) (State, error) {
	return run(ctx, door, session, append(pane.List{here}, show...))
}

// Clear takes the fence away. The State is that before, as Restore wants it. The memory
// of messages stays: the incarnation may stay, too.
func Clear(ctx context.Context, door box.Door, session string) (State, error) {
	l := append(pane.List{here}, show[:len(show)-1]...)
	l = append(append(l, clear...), show[len(show)-1])
	return run(ctx, door, session, l)
}

// Publish puts the fence on the agent pane and binds it to the pane's process, and
// forgets the messages of the incarnation before.
func Publish(ctx context.Context, door box.Door, session string, t Token) (State, error) {
	if _, err := ParseToken(string(t)); err != nil {
		return State{}, err
	}
	same := equal("#{pane_id} #{pane_pid} #{?pane_dead,1,0}", pane.ID+" "+pane.PID+" 0")
	do := append(Set(t, pane.Target, pane.PID), show...)
	return run(ctx, door, session, pane.List{here, pane.If(same, do, show)}, t)
}

// Set is the part of a list that publishes a fence on a pane whose process is
// known; a launch appends it to its own list (FEN-6).
func Set(t Token, target, pid string) pane.List {
	return pane.List{
		{"set-option", "-p", "-t", target, Option, string(t)},
		{"set-option", "-p", "-t", target, boundOption, string(t) + " " + pid},
		{"set-option", "-pu", "-t", target, "@gc_journal"},
	}
}

// Restore puts a fence back that Clear took away: on the same pane, if its process
// is the same and alive and no other fence is there (FEN-7). Else the error says
// which, and the State what is there.
func Restore(ctx context.Context, door box.Door, old State) (State, error) {
	if _, err := ParseToken(string(old.Token)); err != nil {
		return State{}, fmt.Errorf("the old fence cannot be restored: %w", err)
	}
	// The pane's own option alone counts: -o would not see it through an inherited one.
	same := equal("#{pane_id} #{pane_pid} #{?pane_dead,1,0}", fmt.Sprintf("%s %d 0", old.Pane, old.PID))
	do := pane.List{
		{"set-option", "-poq", "-t", pane.Target, Option, string(old.Token)},
		pane.If(equal("#{"+Option+"}", string(old.Token)),
			pane.List{{"set-option", "-p", "-t", pane.Target, boundOption, fmt.Sprintf("%s %d", old.Token, old.PID)}}, nil),
	}
	return run(ctx, door, old.Session, pane.List{here, pane.If(same, append(do, show...), show)}, old.Token)
}

// run runs a list that ends in show. With a want, the fence must be that after it.
func run(ctx context.Context, door box.Door, session string, l pane.List, want ...Token) (State, error) {
	for _, capability := range []string{box.ProcExec, box.InputFence} {
		if err := door.Declares(ctx, session, capability, ErrUnsupported); err != nil {
			return State{}, err
		}
	}
	reply, err := door.Run(ctx, session, fenceScript, Option, l.Arg())
	if err != nil {
		return State{}, err
	}
	s, err := parseState(session, string(reply.Output))
	switch {
	case errors.Is(err, errNoState):
		return s, door.Outage(ctx, session, "fence: an answer without its end")
	case err != nil:
		return s, fmt.Errorf("session %q: %w", session, err)
	}
	if len(want) > 0 && s.Token != want[0] {
		switch {
		case s.Dead:
			return s, &RefusedError{Session: session, Reason: Dead, Detail: "no fence was set"}
		case s.Token != "":
			return s, fmt.Errorf("session %q: %w: another fence was set", session, ErrStale)
		default:
			return s, fmt.Errorf("session %q: %w", session, ErrMoved)
		}
	}
	return s, nil
}

var errNoState = errors.New("no state")

func parseState(session, said string) (State, error) {
	s := State{Session: session}
	if said == "hidden\n" {
		return s, Hidden()
	}
	state, rest, ok := strings.Cut(said, "\nfence\n")
	f := strings.Fields(state)
	if !ok || len(f) != 4 || f[0] != "state" {
		return s, errNoState
	}
	var err error
	s.Pane, s.Dead = f[1], f[3] == "1"
	if s.PID, err = strconv.Atoi(f[2]); err != nil {
		return s, errNoState
	}
	value, ok := strings.CutSuffix(rest, "end\n")
	if !ok {
		return s, errNoState
	}
	s.Token = Token(strings.TrimSuffix(value, "\n"))
	return s, nil
}
