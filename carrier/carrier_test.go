package carrier_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/tmuxtest"
	"github.com/gastownhall/tmux-carrier/nudge"
)

func TestMain(m *testing.M) { tmuxtest.Main(m) }

// fenced declares everything.
type fenced struct{ *tmuxtest.Conn }

func (fenced) Has(context.Context, string) bool { return true }

func start(t *testing.T, o tmuxtest.Options) (*tmuxtest.Pane, *carrier.Session, *tmuxtest.Conn) {
	p := tmuxtest.Start(t, o)
	c := p.Conn(tmuxtest.Command)
	s := (&carrier.Carrier{Conn: fenced{c}}).Session("s")
	s.Agent = "claude"
	return p, s, c
}

// CAR-4: a split, a second window, a moved pane, another session of a like name: the
// input goes to the agent's pane, and never to the active one by accident.
func TestAgentPane(t *testing.T) {
	for _, how := range []string{"lowest", "recorded", "fence"} {
		t.Run(how, func(t *testing.T) {
			p, s, _ := start(t, tmuxtest.Options{Conf: "set -g base-index 3\nset -g pane-base-index 5\nset -g mouse on\n"})
			p.Tmux("new-session", "-d", "-s", "main2", "cat")
			agent := p.ID
			switch how {
			case "recorded", "fence":
				// The agent's is not the lowest id: another pane takes its place in main.
				agent = p.Tmux("split-window", "-t", p.ID, "-P", "-F", "#{pane_id}", "cat")
				if how == "fence" {
					p.Tmux("set-environment", "-t", "=main", "GC_AGENT_PANE", p.ID)
					p.Tmux("set-option", "-p", "-t", agent, "@gc_fence", "tok")
				} else {
					p.Tmux("set-environment", "-t", "=main", "GC_AGENT_PANE", agent)
				}
			}
			other := p.Tmux("split-window", "-t", p.ID, "-P", "-F", "#{pane_id}", "cat")
			p.Tmux("new-window", "-t", "=main:", "cat")
			p.Tmux("swap-pane", "-d", "-s", agent, "-t", other)
			r, err := s.Keys(t.Context(), nudge.Keys{Keys: []string{"m", "a", "r", "k"}})
			if err != nil || r.Execs != 1 {
				t.Fatal(r, err)
			}
			p.Wait("the keys in "+agent, func() bool {
				return strings.Contains(p.Tmux("capture-pane", "-p", "-t", agent), "mark")
			})
			for _, id := range strings.Fields(p.Tmux("list-panes", "-a", "-F", "#{pane_id}")) {
				if id != agent && strings.Contains(p.Tmux("capture-pane", "-p", "-t", id), "mark") {
					t.Errorf("the keys reached pane %s as well", id)
				}
			}
		})
	}
}

// CAR-4, BOX-2: main is absent while main2 lives; nothing is typed there.
func TestAbsent(t *testing.T) {
	p, s, c := start(t, tmuxtest.Options{})
	p.Tmux("rename-session", "-t", "=main", "main2")
	for verb, do := range verbs(t, s) {
		before := c.Execs()
		if err := do(); !errors.Is(err, box.ErrAbsent) {
			t.Errorf("%s: %v", verb, err)
		}
		if n := c.Execs() - before; n != 1 {
			t.Errorf("%s took %d execs", verb, n)
		}
	}
	if got := p.Log().Bytes(); len(got) != 0 {
		t.Errorf("typed: %q", got)
	}
}

func verbs(t *testing.T, s *carrier.Session) map[string]func() error {
	ctx := t.Context()
	return map[string]func() error{
		"nudge":     func() error { _, err := s.Nudge(ctx, nudge.Message{Text: "x"}); return err },
		"keys":      func() error { _, err := s.Keys(ctx, nudge.Keys{Keys: []string{"x"}}); return err },
		"interrupt": func() error { _, err := s.Interrupt(ctx, ""); return err },
		"peek":      func() error { _, err := s.Peek(ctx, carrier.View{}); return err },
		"clear":     func() error { return s.ClearScrollback(ctx) },
	}
}

// CAR-6: what the pane shows, blanks, NBSP and wide characters included.
func TestPeek(t *testing.T) {
	p, s, c := start(t, tmuxtest.Options{Width: 40, Height: 5, Command: []string{
		"sh", "-c",
		`for i in 1 2 3 4 5 6 7 8; do echo "line $i"; done; printf '\033[31mred\033[0m \033]8;;http://x\033\\link\033]8;;\033\\\n'; printf 'P>\302\240漢字  '; exec cat`,
	}})
	p.WaitScreen("P>")
	screen, err := s.Peek(t.Context(), carrier.View{})
	text := screen
	if err != nil || c.Execs() != 1 {
		t.Fatal(err, c.Execs())
	}
	want := "line 6\nline 7\nline 8\nred link\nP>\u00a0漢字  \n"
	if text = trim(text); trim(want) != text {
		t.Errorf("%q, want %q", text, want)
	}
	if v := p.Format("#{version}"); !strings.HasPrefix(v, "3.0") && !strings.Contains(screen, "漢字  ") {
		t.Errorf("tmux %s: the blanks at the end are lost: %q", v, screen)
	}
	if text, err = s.Peek(t.Context(), carrier.View{Lines: 2}); err != nil || !strings.HasPrefix(trim(text), "line 4\nline 5\nline 6\n") {
		t.Errorf("2 lines above: %q, %v", text, err)
	}
	if text, err = s.Peek(t.Context(), carrier.View{Tail: 3}); err != nil || !strings.HasPrefix(trim(text), "line 8\nred link\nP>") {
		t.Errorf("the last 3: %q, %v", text, err)
	}
	if text, err = s.Peek(t.Context(), carrier.View{Styled: true}); err != nil ||
		!strings.Contains(text, "\x1b[31mred\x1b[39m") && !strings.Contains(text, "\x1b[31mred\x1b[0m") || strings.Contains(text, "\x1b]") {
		t.Errorf("styled: %q, %v", text, err)
	}
	if err := s.ClearScrollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := p.Format("#{history_size}"); n != "0" {
		t.Errorf("%s lines of history after clear", n)
	}
}

// trim takes the blanks off the ends of the lines: all but 3.3 give every cell that a line
// ever had.
func trim(screen string) string {
	lines := strings.Split(screen, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// execless is a runtime without exec, but with operations of its own.
type execless struct {
	execs   int
	said    []string
	ignores bool
	fails   error
}

func (c *execless) Exec(context.Context, string, []string) ([]byte, int, error) {
	c.execs++
	return []byte("unknown operation\n"), 2, nil
}

func (c *execless) did(what string) (bool, error) {
	c.said = append(c.said, what)
	return !c.ignores, c.fails
}

func (c *execless) Nudge(_ context.Context, _, text string) (bool, error) {
	return c.did("nudge " + text)
}

func (c *execless) SendKeys(_ context.Context, _ string, keys ...string) (bool, error) {
	return c.did("keys " + strings.Join(keys, " "))
}

func (c *execless) Interrupt(context.Context, string) (bool, error)       { return c.did("interrupt") }
func (c *execless) ClearScrollback(context.Context, string) (bool, error) { return c.did("clear") }
func (c *execless) Peek(_ context.Context, _ string, _ int) (string, bool, error) {
	handled, err := c.did("peek")
	return "a screen\n", handled, err
}

// CAR-2, CAR-3: exit 2 of exec hands each verb to its operation, which confirms
// nothing; the answer is remembered; a fence is refused there.
func TestFallback(t *testing.T) {
	c := &execless{}
	var events []carrier.Event
	s := (&carrier.Carrier{Conn: c, Observe: func(_ context.Context, e carrier.Event) { events = append(events, e) }}).Session("s")
	r, err := s.Nudge(t.Context(), nudge.Message{Text: "a\r\nb\n"})
	if err != nil || r.Stage != nudge.HandedOver || r.Confirmed != nudge.Unconfirmed {
		t.Error(r, err)
	}
	if text, err := s.Peek(t.Context(), carrier.View{Tail: 1}); err != nil || text != "a screen\n" {
		t.Error(text, err)
	}
	if p, err := s.Keys(t.Context(), nudge.Keys{Keys: []string{"C-c", "Enter"}}); err != nil || p.Stage != nudge.HandedOver {
		t.Error(p, err)
	}
	if p, err := s.Interrupt(t.Context(), ""); err != nil || p.Stage != nudge.HandedOver {
		t.Error(p, err)
	}
	if err := s.ClearScrollback(t.Context()); err != nil {
		t.Error(err)
	}
	if want := []string{"nudge a\nb", "peek", "keys C-c Enter", "interrupt", "clear"}; !slices.Equal(c.said, want) {
		t.Errorf("%q, want %q", c.said, want)
	}
	if c.execs != 1 {
		t.Errorf("exec was tried %d times", c.execs)
	}
	if _, err := s.Nudge(t.Context(), nudge.Message{Text: "x", Fence: "tok"}); !errors.Is(err, fence.ErrUnsupported) {
		t.Error(err)
	}
	if len(events) != 6 || events[0].Verb != "nudge" || events[0].Bytes != 5 || events[5].Outcome == nil {
		t.Errorf("CAR-8: %+v", events)
	}
	c.ignores = true
	if r, err := s.Nudge(t.Context(), nudge.Message{Text: "x"}); err != nil || r.Stage != nudge.Ignored {
		t.Error(r, err)
	}
	if _, err := s.Peek(t.Context(), carrier.View{}); !errors.Is(err, box.ErrExecUnsupported) {
		t.Error(err)
	}
	c.fails = context.DeadlineExceeded
	if r, err := s.Nudge(t.Context(), nudge.Message{Text: "x"}); err == nil || r.Stage != nudge.Unknown {
		t.Error(r, err)
	}
}

// CAR-7, NUD-1: several senders at once; no message is mixed with another.
func TestSenders(t *testing.T) {
	p, s, _ := start(t, tmuxtest.Options{})
	const senders, each = 8, 3
	errs := make(chan error, senders*each)
	for i := range senders {
		go func() {
			for j := range each {
				text := strings.Repeat(string(rune('a'+i)), 40+j)
				_, err := s.Nudge(t.Context(), nudge.Message{Text: text, Settle: 50 * time.Millisecond})
				errs <- err
			}
		}()
	}
	for range senders * each {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	for _, text := range p.WaitSubmitted(senders * each) {
		if strings.Trim(text, text[:1]) != "" {
			t.Errorf("mixed: %q", text)
		}
	}
}
