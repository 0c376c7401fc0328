package fence_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/tmuxtest"
)

func TestMain(m *testing.M) { tmuxtest.Main(m) }

type declared struct{ *tmuxtest.Conn }

func (declared) Has(context.Context, string) bool { return true }

// FEN-2: the alphabet, and nothing that a format, a list or a shell could read.
func TestParseToken(t *testing.T) {
	for _, good := range []string{"a", "A-Z_0.9:/=+@-", strings.Repeat("x", 128), "-", "@"} {
		if got, err := fence.ParseToken(good); err != nil || string(got) != good {
			t.Errorf("%q: %q, %v", good, got, err)
		}
	}
	for _, bad := range []string{"", strings.Repeat("x", 129), "a b", "a,b", "#{x}", "#(id)", "a;", "a'b", "é", "a\n", "a!", "$x", "a\x00"} {
		if _, err := fence.ParseToken(bad); err == nil {
			t.Errorf("%q was taken for a token", bad)
		}
	}
	if _, err := fence.ParseToken(string(fence.NewToken())); err != nil {
		t.Error("random tokens", err)
	}
	if a, b := fence.NewToken(), fence.NewToken(); a == b {
		t.Error("a random token came twice")
	}
	id := fence.IdentityToken("s", "1", "secret")
	if _, err := fence.ParseToken(string(id)); err != nil || id != fence.IdentityToken("s", "1", "secret") || strings.Contains(string(id), "secret") {
		t.Error(id, err)
	}
	for _, other := range []fence.Token{
		fence.IdentityToken("s", "2", "secret"), fence.IdentityToken("s1", "", "secret"), fence.IdentityToken("s", "1s", "ecret"),
	} {
		if other == id {
			t.Error("two incarnations have one token")
		}
	}
}

// FEN-4 to FEN-7: read, publish, clear and restore, an exec each.
func TestState(t *testing.T) {
	p := tmuxtest.Start(t, tmuxtest.Options{Command: []string{"cat"}})
	c := p.Conn(tmuxtest.Command)
	d := box.Door{Conn: declared{c}}
	is := func(s fence.State, err error) func(want fence.Token, wantErr error) {
		return func(want fence.Token, wantErr error) {
			t.Helper()
			if s.Token != want || !errors.Is(err, wantErr) || (err == nil) != (wantErr == nil) {
				t.Errorf("%+v, %v; want %q, %v", s, err, want, wantErr)
			}
		}
	}
	is(fence.Read(t.Context(), d, "s"))("", nil)
	p.Tmux("set-option", "-w", "@gc_fence", "inherited")
	is(fence.Read(t.Context(), d, "s"))("", nil)
	is(fence.Publish(t.Context(), d, "s", "one"))("one", nil)
	p.Tmux("set-option", "-p", "@gc_journal", "kept")

	old, err := fence.Clear(t.Context(), d, "s")
	is(old, err)("one", nil)
	is(fence.Read(t.Context(), d, "s"))("", nil)
	is(fence.Restore(t.Context(), d, old))("one", nil)
	if got := p.Tmux("show-options", "-pqv", "@gc_journal"); got != "kept" {
		t.Errorf("NUD-5: the memory of messages is %q", got)
	}
	if got, want := p.Tmux("show-options", "-pqv", "@gc_fence_pid"), "one "+p.Format("#{pane_pid}"); got != want {
		t.Errorf("bound to %q, want %q", got, want)
	}

	is(fence.Publish(t.Context(), d, "s", "two"))("two", nil)
	if got := p.Tmux("show-options", "-pqv", "@gc_journal"); got != "" {
		t.Errorf("NUD-5: a new incarnation remembers %q", got)
	}
	is(fence.Restore(t.Context(), d, old))("two", fence.ErrStale) // another fence is there
	if _, err := fence.Clear(t.Context(), d, "s"); err != nil {
		t.Fatal(err)
	}
	p.Tmux("respawn-pane", "-k", "-t", p.ID, "cat")
	is(fence.Restore(t.Context(), d, old))("", fence.ErrMoved) // another process

	p.Tmux("set-option", "-s", "@gc_fence", "everywhere")
	is(fence.Read(t.Context(), d, "s"))("", fence.ErrStale)
	p.Tmux("set-option", "-su", "@gc_fence")
	if n := c.Execs(); n != 11 {
		t.Errorf("%d execs for 11 calls", n)
	}
	if _, err := fence.Publish(t.Context(), d, "s", "no token"); err == nil || c.Execs() != 11 {
		t.Error("a bad token went to the box")
	}
	p.Tmux("set-option", "-w", "-t", "main", "remain-on-exit", "on")
	p.Tmux("respawn-pane", "-k", "-t", p.ID, "true")
	p.Wait("the pane to die", func() bool { return p.Format("#{pane_dead}") == "1" })
	var refused *fence.RefusedError
	if _, err := fence.Publish(t.Context(), d, "s", "three"); !errors.As(err, &refused) || refused.Reason != fence.Dead {
		t.Errorf("publish on a dead pane: %v", err)
	}
	p.Tmux("rename-session", "-t", "=main", "main2")
	is(fence.Read(t.Context(), d, "s"))("", box.ErrAbsent)
}

// unsure is a runtime whose handshake cannot be had now.
type unsure struct{ box.Conn }

var errNotNow = errors.New("not now")

func (unsure) Has(context.Context, string) bool               { return false }
func (unsure) Declares(context.Context, string) (bool, error) { return false, errNotNow }

// FEN-1: "it does not declare it" and "it cannot be asked now" are two answers.
func TestRequire(t *testing.T) {
	for _, tt := range []struct {
		conn box.Conn
		t    fence.Token
		want error
	}{
		{unsure{}, "", nil},
		{unsure{}, "tok", box.ErrUnavailable},
		{declared{}, "tok", nil},
		{nil, "tok", fence.ErrUnsupported},
	} {
		if err := fence.Require(t.Context(), box.Door{Conn: tt.conn}, "s", tt.t); !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
			t.Errorf("%T %q: %v", tt.conn, tt.t, err)
		}
	}
	if err := fence.Require(t.Context(), box.Door{Conn: declared{}}, "s", "x#(touch /tmp/x)"); err == nil {
		t.Error("a format was taken for a token")
	}
}
