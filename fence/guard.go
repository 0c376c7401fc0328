package fence

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/internal/pane"
)

// Option is the pane option that holds the fence (tables.md).
const Option = "@gc_fence"

// boundOption holds "TOKEN PID", set by our publish in the same list: a fence that
// survives its process (respawn-pane keeps pane options) is stale then (FEN-4).
const boundOption = "@gc_fence_pid"

// own hides an inherited fence while a guard looks: set where the pane has none of
// its own, and taken away in the same list. It is no token.
const own = "!"

// errCutOff: the guard's fields did not come whole. From tmux 3.7 a format is cut
// off after 100 ms of work, and what follows is empty.
var errCutOff = fmt.Errorf("%w in time: tmux did not finish looking at the pane", box.ErrUnavailable)

// Guard is the condition under which a list may act on the agent pane. It is one
// comparison of two strings: that stays below the nesting limit of tmux 3.0 and
// 3.1 (9 levels), and what does not fit names the reason for a refusal.
type Guard struct {
	Ticket string // whose turn it must be
	Token  Token  // the fence; "" asks none, and names none

	// Dialog is a tmux format that expands to the name of a dialog on the
	// screen, or to nothing; "" does not look for dialogs.
	Dialog string
	// Brackets refuses a program that says it takes no bracketed paste (3.7 and
	// later say so).
	Brackets bool
	// Journaled refuses when the journal does not end in the entry pane.Last.
	Journaled bool
}

// A field of the guard: what tmux shows, what it must be, and what it means when
// it is something else.
type field struct {
	format, want string
	refuse       func(session, got string) error
}

// fields stand in the order in which they are judged. The journal's is last: an
// empty answer there means that a format was cut off, never "go".
func (g Guard) fields() []field {
	f := []field{
		{"#{pane_id}", pane.ID, is(ErrMoved)},
	}
	if g.Token != "" {
		f = append(f, field{"#{" + Option + "}", string(g.Token), func(_, got string) error {
			if got == "" || got == own {
				return ErrUnset
			}
			return ErrStale
		}})
	}
	f = append(f, field{"#{pane_dead}", "0", refused(Dead, "")})
	if g.Token != "" {
		bound := fmt.Sprintf("#{?#{m:%s *,#{%s}},#{==:#{%[2]s},%[1]s #{pane_pid}},1}", g.Token, boundOption)
		f = append(f, field{bound, "1", is(ErrStale)})
	}
	f = append(f,
		field{"#{pane_pid}", pane.PID, is(ErrMoved)},
		field{"#{pane_input_off}", "0", refused(InputOff, "")},
		field{"#{pane_synchronized}", "0", refused(Synchronized, "")},
		field{"#{?pane_in_mode,#{pane_mode},0}", "0", func(session, got string) error {
			return &RefusedError{Session: session, Reason: Mode, Detail: got}
		}},
	)
	if g.Dialog != "" {
		f = append(f, field{tiny, "0", func(session, _ string) error {
			return &RefusedError{Session: session, Reason: Unknown, Detail: "the pane is too small to show whether a dialog is up"}
		}})
		f = append(f, field{g.Dialog, "", func(session, got string) error {
			return &RefusedError{Session: session, Reason: Dialog, Detail: got}
		}})
	}
	if g.Brackets {
		f = append(f, field{"#{?#{==:#{bracket_paste_flag},0},none,}", "", is(errNoBrackets)})
	}
	f = append(f, field{"#{m: " + g.Ticket + ".*,#{@gc_input}}", "1", refused(Contended, "another sender took the turn")})
	if g.Journaled {
		f = append(f, field{"#{m:*" + pane.Last + ",#{@gc_journal}}", "1", func(_, got string) error {
			if got == "" {
				return errCutOff
			}
			return ErrMoved
		}})
	}
	return f
}

// Hidden is the error for a fence that a server-wide option of its name hides: a
// format shows that one, and the pane's own cannot be checked.
func Hidden() error { return fmt.Errorf("%w: a server-wide %s hides the pane's own", ErrStale, Option) }

// tiny is 1 for a pane of less than 5 rows or 20 columns: a dialog in it shows no row that
// could be known (an Enter answered one at 16x4).
const tiny = "#{||:#{m/r:^[1-4]$,#{pane_height}},#{m/r:^1?[0-9]$,#{pane_width}}}"

var errNoBrackets = errors.New("the program takes no bracketed paste")

// IsNoBrackets tells a refusal because of Guard.Brackets.
func IsNoBrackets(err error) bool { return errors.Is(err, errNoBrackets) }

func is(err error) func(string, string) error { return func(string, string) error { return err } }

func refused(r Reason, detail string) func(string, string) error {
	return func(session, _ string) error { return &RefusedError{Session: session, Reason: r, Detail: detail} }
}

// List is the guarded list: it fails where the pane is not in main any more, takes
// the pane out of a mode, and then runs do, or says "refused" and why.
func (g Guard) List(do pane.List, otherwise ...pane.Command) pane.List {
	l := pane.List{{"has-session", "-t", pane.Target}}
	if g.Token != "" {
		l = append(l, pane.Command{"set-option", "-poq", "-t", pane.Target, Option, own})
	}
	inMode := g
	inMode.Dialog = "" // searched once is enough
	facts, want := inMode.condition("#{?pane_in_mode,1,0}", "1")
	l = append(l,
		pane.If(equal(facts, want), pane.List{{pane.Leave}}, nil),
		g.choice(do, otherwise))
	if g.Token != "" {
		l = append(l, pane.If(equal("#{"+Option+"}", own), pane.List{{"set-option", "-pu", "-t", pane.Target, Option}}, nil))
	}
	return l
}

func (g Guard) choice(do, otherwise pane.List) pane.Command {
	facts, want := g.condition("", "")
	return pane.If(equal(facts, want), do, append(pane.List{pane.Say("refused " + facts)}, otherwise...))
}

func equal(a, b string) string { return "#{==:" + a + "," + b + "}" }

// condition is both sides of the comparison; mode, if not empty, stands for the
// mode's field with what is wanted of it.
func (g Guard) condition(mode, wantMode string) (facts, want string) {
	var a, b []string
	for _, f := range g.fields() {
		if mode != "" && strings.Contains(f.format, "pane_in_mode") {
			f.format, f.want = mode, wantMode
		}
		a = append(a, "<"+f.format+">")
		b = append(b, "<"+f.want+">")
	}
	return strings.Join(a, ""), strings.Join(b, "")
}

// Refusal reads the facts that a list of this guard printed behind "refused", and
// tells which of them did not hold. pid and id are those that the script named.
func (g Guard) Refusal(session, facts, paneID, pid string) error {
	got := strings.Split(strings.TrimSuffix(strings.TrimPrefix(facts, "<"), ">"), "><")
	for i, f := range g.fields() {
		if i >= len(got) {
			return errCutOff
		}
		want := strings.NewReplacer(pane.ID, paneID, pane.PID, pid).Replace(f.want)
		if got[i] != want {
			return f.refuse(session, got[i])
		}
	}
	return ErrMoved // it held when it was printed, a moment after it did not
}
