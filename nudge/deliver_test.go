package nudge_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/tmuxtest"
	"github.com/gastownhall/tmux-carrier/nudge"
)

func TestMain(m *testing.M) {
	if os.Getenv(senderVariable) != "" {
		os.Exit(sender())
	}
	tmuxtest.Main(m)
}

// fencedConn is a box that declares its capabilities.
type fencedConn struct {
	*tmuxtest.Conn
	without string // a capability that it does not declare
}

func (c fencedConn) Has(_ context.Context, capability string) bool { return capability != c.without }

func door(p *tmuxtest.Pane) (box.Door, *tmuxtest.Conn) {
	c := p.Conn(tmuxtest.Command)
	return box.Door{Conn: fencedConn{Conn: c}}, c
}

// hostile are the kinds of text that lose something on the way elsewhere (NUD-1).
var hostile = []string{
	"go;", ";", "a; b;;", "-n", "--", "'", `"`, `it's "quoted"`, `\`, `back\slash\`, "#{pane_id}", "#(touch x)", "$(id)", "`id`", "$HOME ${HOME}",
	"a\tb", "tab\t", "漢字かな交じり", "👩‍👩‍👧‍👦 family", "e\u0301 combining", "nbsp\u00a0here", "Enter", "C-c", "%s %d %%", "*?[a]", "~root", "!x y", "{ } [ ]",
	"line one\nline two\n\nline four", "\u200bzero width", "שלום עולם", "\ufeffbom", "café\u2028sep",
}

// NUD-1, NUD-4: one exec each, and what the agent submitted is what was sent.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	p := tmuxtest.Start(t, tmuxtest.Options{})
	d, c := door(p)
	for i, text := range hostile {
		want := text
		before := c.Execs()
		r, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: text, Agent: "claude"})
		if err != nil {
			t.Fatalf("%q: %v\n%s", text, err, p.Screen())
		}
		if r.Stage != nudge.Submitted || r.Confirmed != nudge.Accepted || c.Execs()-before != 1 || r.Execs != 1 {
			t.Errorf("%q: %+v, %d execs", text, r, c.Execs()-before)
		}
		if got := p.WaitSubmitted(i + 1); got[i] != want {
			t.Fatalf("sent %q, submitted %q", text, got[i])
		}
	}
}

// BOX-3, NUD-1: long texts arrive whole, in as few execs as the parts need.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	p := tmuxtest.Start(t, tmuxtest.Options{})
	d, c := door(p)
	n := 0
	for _, tt := range []struct {
		text  string
		execs int
	}{
		{"x", 1},
		{strings.Repeat("0123456789abcde\n", 1<<10) + "end", 1},
		{strings.Repeat("0123456789abcde\n", 4<<10) + "end", 1},
		{strings.Repeat("ü23456789abcde\n", 8<<10) + "end", 3},
		{strings.Repeat("'", 64<<10), 5},
		{strings.Repeat("0123456789abcde\n", 64<<10) + "end", 12},
	} {
		before := c.Execs()
		r, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: tt.text})
		if err != nil {
			t.Fatalf("%d bytes: %v", len(tt.text), err)
		}
		n++
		got := p.WaitSubmitted(n)[n-1]
		if got != tt.text {
			t.Fatalf("%d bytes sent, %d bytes submitted", len(tt.text), len(got))
		}
		if execs := c.Execs() - before; execs != tt.execs || r.Execs != execs {
			t.Errorf("%d bytes: %d execs, want %d; receipt %+v", len(tt.text), execs, tt.execs, r)
		}
	}
}

// NUD-5: the same ID again types nothing; with another text it is a mistake.
func TestSameID(t *testing.T) {
	t.Parallel()
	p := tmuxtest.Start(t, tmuxtest.Options{})
	d, _ := door(p)
	m := nudge.Message{Text: "once", ID: "id-1"}
	for range 3 {
		r, err := nudge.Deliver(t.Context(), d, "s", m)
		if err != nil || r.Stage != nudge.Submitted {
			t.Fatal(r, err)
		}
	}
	m.Text = "twice"
	if _, err := nudge.Deliver(t.Context(), d, "s", m); !errors.Is(err, nudge.ErrIDReused) {
		t.Error(err)
	}
	if _, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "last"}); err != nil {
		t.Fatal(err)
	}
	if got := p.WaitSubmitted(2); !slices.Equal(got, []string{"once", "last"}) {
		t.Errorf("submitted %q", got)
	}
	for id, want := range map[string]nudge.Stage{"id-1": nudge.Submitted, "never": nudge.Unknown} {
		if r, err := nudge.Lookup(t.Context(), d, "s", id); err != nil || r.Stage != want {
			t.Errorf("receipt of %s: %+v, %v", id, r, err)
		}
	}
}

// FEN-4, FEN-5: each fence gives its answer, and nothing is typed where it is wrong.
func TestFences(t *testing.T) {
	t.Parallel()
	p := tmuxtest.Start(t, tmuxtest.Options{})
	d, _ := door(p)
	send := func(tok fence.Token) error {
		_, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "to " + string(tok), Fence: tok})
		_, err2 := nudge.Press(t.Context(), d, "s", nudge.Keys{Keys: []string{"F5"}, Fence: tok})
		if fmt.Sprint(err != nil) != fmt.Sprint(err2 != nil) {
			t.Errorf("nudge says %v, keys say %v", err, err2)
		}
		return err
	}
	want := func(err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	want(send("A"), fence.ErrUnset)
	for _, scope := range [][]string{{"-w"}, {}, {"-g"}, {"-wg"}} {
		p.Tmux(append(append([]string{"set-option"}, scope...), "@gc_fence", "A")...)
		want(send("A"), fence.ErrUnset)
		p.Tmux(append(append([]string{"set-option", "-u"}, scope...), "@gc_fence")...)
	}
	p.Tmux("set-option", "-s", "@gc_fence", "A")
	want(send("A"), fence.ErrStale)
	p.Tmux("set-option", "-su", "@gc_fence")

	if _, err := fence.Publish(t.Context(), d, "s", "A"); err != nil {
		t.Fatal(err)
	}
	want(send("A"), nil)
	want(send("B"), fence.ErrStale)
	p.Tmux("set-option", "-p", "@gc_fence_pid", "A 1") // bound to another process
	want(send("A"), fence.ErrStale)
	p.Tmux("set-option", "-p", "@gc_fence", "C") // published by somebody else: judged alone
	want(send("C"), nil)
	if got := p.WaitSubmitted(2); !slices.Equal(got, []string{"to A", "to C"}) {
		t.Errorf("submitted %q", got)
	}
	if b := p.Tmux("list-buffers"); b != "" {
		t.Errorf("buffers left: %s", b)
	}
}

// CAR-5: what refuses input does it by name, and no server dies.
func TestRefusals(t *testing.T) {
	t.Parallel()
	p := tmuxtest.Start(t, tmuxtest.Options{})
	d, _ := door(p)
	n := 0
	refused := func(reason fence.Reason) {
		t.Helper()
		n++
		_, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "no"})
		var r *fence.RefusedError
		if !errors.As(err, &r) || r.Reason != reason {
			t.Errorf("nudge: got %v, want %s", err, reason)
		}
		if _, err = nudge.Press(t.Context(), d, "s", nudge.Keys{Keys: []string{"x"}}); !errors.As(err, &r) || r.Reason != reason {
			t.Errorf("keys: got %v, want %s", err, reason)
		}
	}
	p.Tmux("select-pane", "-d", "-t", "main")
	refused(fence.InputOff)
	p.Tmux("select-pane", "-e", "-t", "main")
	p.Tmux("set-option", "-w", "-t", "main", "synchronize-panes", "on")
	refused(fence.Synchronized)
	p.Tmux("set-option", "-w", "-t", "main", "synchronize-panes", "off")
	for _, mode := range [][]string{{"copy-mode"}, {"clock-mode"}, {"choose-tree"}} {
		p.Tmux(append(mode, "-t", "main")...)
		if r, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "through " + mode[0]}); err != nil {
			t.Errorf("%s: %+v %v", mode[0], r, err)
		}
	}
	if got := p.WaitSubmitted(3); !slices.Equal(got, []string{"through copy-mode", "through clock-mode", "through choose-tree"}) {
		t.Errorf("submitted %q", got)
	}
	p.Tmux("set-option", "-w", "-t", "main", "remain-on-exit", "on")
	p.Tmux("respawn-pane", "-k", "-t", "main", "true")
	p.Wait("the pane to die", func() bool { return p.Format("#{pane_dead}") == "1" })
	refused(fence.Dead)
	if p.Format("#{session_name}") != "main" {
		t.Error("the server died")
	}
}
