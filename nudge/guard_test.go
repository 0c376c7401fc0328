package nudge_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/tmuxtest"
	"github.com/gastownhall/tmux-carrier/nudge"
)

func reason(err error) fence.Reason {
	var r *fence.RefusedError
	if errors.As(err, &r) {
		return r.Reason
	}
	return ""
}

// NUD-8: a dialog on the screen refuses the nudge by name, before a byte is typed;
// --even-dialog answers it; keys are never gated.
func TestDialogRefuses(t *testing.T) {
	t.Parallel()
	p := tmuxtest.Start(t, tmuxtest.Options{Agent: []string{"--dialog-at-start"}})
	d, c := door(p)
	p.WaitScreen("1. Yes")
	r, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "no, not that"})
	if reason(err) != fence.Dialog || r.Stage != nudge.Nothing || c.Execs() != 1 {
		t.Fatalf("%+v, %v\n%s", r, err, p.Screen())
	}
	if got := p.Log().Bytes(); len(got) != 0 {
		t.Errorf("typed into a dialog: %q", got)
	}
	if b := p.Tmux("list-buffers"); b != "" {
		t.Errorf("buffers left: %s", b)
	}
	if _, err := nudge.Press(t.Context(), d, "s", nudge.Keys{Keys: []string{"Down"}}); err != nil {
		t.Error(err)
	}
	if _, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "x", EvenDialog: true}); err != nil {
		t.Error(err)
	}
	p.WaitEvent("dialog answered")
}

// NUD-8, NUD-5: a dialog that opens between the text and its Enter gets no Enter; when
// it is gone, the same ID presses it.
func TestDialogBetween(t *testing.T) {
	t.Parallel()
	p := tmuxtest.Start(t, tmuxtest.Options{Agent: []string{"--dialog-on-input"}})
	d, _ := door(p)
	m := nudge.Message{Text: "first", ID: "m", Settle: 500 * time.Millisecond}
	r, err := nudge.Deliver(t.Context(), d, "s", m)
	var partial *nudge.PartialError
	if !errors.As(err, &partial) || reason(err) != fence.Dialog || r.Stage != nudge.Typed {
		t.Fatalf("%+v, %v\n%s", r, err, p.Screen())
	}
	if strings.Contains(string(p.Log().Bytes()), "\r") {
		t.Error("an Enter reached the dialog")
	}
	if r, err := nudge.Lookup(t.Context(), d, "s", "m"); err != nil || r.Stage != nudge.Typed {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := nudge.Press(t.Context(), d, "s", nudge.Keys{Keys: []string{"Escape"}}); err != nil {
		t.Fatal(err)
	}
	p.WaitEvent("dialog answered")
	if r, err := nudge.Deliver(t.Context(), d, "s", m); err != nil || r.Stage != nudge.Submitted {
		t.Fatalf("%+v, %v", r, err)
	}
}

// NUD-6: an Enter that the agent read as part of the paste is pressed again, one exec
// more; nothing is typed twice.
func TestSwallowedEnter(t *testing.T) {
	t.Parallel()
	p := tmuxtest.Start(t, tmuxtest.Options{Agent: []string{"--burst", "2s"}})
	d, c := door(p)
	r, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "swallow this", Settle: time.Millisecond})
	if err != nil || r.Confirmed != nudge.Accepted || r.Execs < 2 || r.Execs > 3 || c.Execs() != r.Execs {
		t.Fatalf("%+v, %v\n%s", r, err, p.Screen())
	}
	if got := p.WaitSubmitted(1); strings.TrimSpace(got[0]) != "swallow this" {
		t.Errorf("submitted %q", got)
	}
}

// NUD-6: what stays in the composer after three Enters is a PartialError.
func TestNeverSubmitted(t *testing.T) {
	t.Parallel()
	p := tmuxtest.Start(t, tmuxtest.Options{Agent: []string{"--traps"}})
	d, _ := door(p)
	r, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: `ends in \`, SubmitKeys: []string{"BSpace", `\`, "Enter"}})
	var partial *nudge.PartialError
	if !errors.As(err, &partial) || partial.Enters != 3 || r.Confirmed != nudge.Drafted || r.Execs != 3 {
		t.Errorf("%+v, %v\n%s", r, err, p.Screen())
	}
}

// NUD-7: a person's draft refuses, or is cleared first; what we typed is none.
func TestDrafts(t *testing.T) {
	t.Parallel()
	p := tmuxtest.Start(t, tmuxtest.Options{Agent: []string{"--draft", "half a thought"}})
	d, _ := door(p)
	p.WaitScreen("half a thought")
	_, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "x", Draft: nudge.DraftRefuse})
	if reason(err) != fence.Draft {
		t.Errorf("refuse: %v", err)
	}
	if r, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "cleared first", Draft: nudge.DraftClear}); err != nil {
		t.Fatalf("%+v, %v\n%s", r, err, p.Screen())
	}
	if r, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "no draft", Draft: nudge.DraftRefuse}); err != nil || r.Execs != 2 {
		t.Fatalf("%+v, %v\n%s", r, err, p.Screen())
	}
	if got := p.WaitSubmitted(2); !slices.Equal(got, []string{"cleared first", "no draft"}) {
		t.Errorf("submitted %q", got)
	}
}

// FEN-1: a box without input-fence never hears of the fence; a fenced request there
// is refused without running anything, an unfenced one works.
func TestWithoutInputFence(t *testing.T) {
	t.Parallel()
	p := tmuxtest.Start(t, tmuxtest.Options{})
	c := p.Conn(tmuxtest.Command)
	d := box.Door{Conn: fencedConn{Conn: c, without: box.InputFence}}
	_, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "x", Fence: "tok"})
	if !errors.Is(err, fence.ErrUnsupported) || c.Execs() != 0 {
		t.Errorf("%v after %d execs", err, c.Execs())
	}
	if _, err := fence.Read(t.Context(), d, "s"); !errors.Is(err, fence.ErrUnsupported) || c.Execs() != 0 {
		t.Errorf("%v after %d execs", err, c.Execs())
	}
	if _, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "unfenced"}); err != nil {
		t.Error(err)
	}
	if _, err := nudge.Interrupt(t.Context(), d, "s", "", ""); err != nil {
		t.Error(err)
	}
	for _, argv := range c.Calls() {
		if line := strings.Join(argv, " "); strings.Contains(line, "gc_fence") {
			t.Errorf("the box heard of a fence: %s", line)
		}
	}
}

// CAR-1: the agent's own keys interrupt it, found by what tmux shows; once or twice.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		agent, named string
		flags        []string
		want         []string
	}{
		{"", "generic", nil, []string{"C-c"}},
		{"claude", "claude", nil, []string{"Escape"}},
		{"opencode", "opencode", []string{"--escape", "twice"}, []string{"Escape", "Escape"}},
	} {
		p := tmuxtest.Start(t, tmuxtest.Options{Agent: tt.flags})
		d, c := door(p)
		if _, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "/busy 60s"}); err != nil {
			t.Fatal(err)
		}
		p.WaitScreen("esc to interrupt")
		before := c.Execs()
		r, err := nudge.Interrupt(t.Context(), d, "s", tt.agent, "")
		if err != nil || r.Agent != tt.named || !slices.Equal(r.Keys, tt.want) || c.Execs() != before+1 {
			t.Errorf("%+v, %v, %d execs", r, err, c.Execs()-before)
		}
		p.WaitEvent("interrupt")
	}
}

// CAR-1: a word that is no key's name is refused, and not typed letter by letter.
func TestKeyNames(t *testing.T) {
	for _, key := range []string{"Enter", "C-c", "^C", "M-x", "C-M-a", "S-Up", "F12", "a", ";", "é", "PageDown", "C-Space", "BTab", "kp5"} {
		if got, err := nudge.KeyName(key); err != nil || got != key {
			t.Errorf("%s: %q, %v", key, got, err)
		}
	}
	if got, err := nudge.KeyName("S-Tab"); err != nil || got != "BTab" {
		t.Errorf("S-Tab: %q, %v", got, err)
	}
	for _, key := range []string{"", "Entr", "hello", "C-", "C-hello", "S-Enter", "\n", "ab", "0x41", "User0", "MouseDown1Pane", "C-é", "\xff"} {
		if got, err := nudge.KeyName(key); err == nil {
			t.Errorf("%q was taken for the key %q", key, got)
		}
	}
}
