package prompt

import (
	"strings"
	"testing"
)

// PRM-4: what the plain rule calls busy by a live sign is never idle here. Each live sign is
// put where an agent would draw it, on every screen that is idle.
func TestNeverLessSafeThanThePlainRule(t *testing.T) {
	screens := 0
	for _, dir := range sets(t) {
		for _, c := range readIndex(t, dir) {
			before := Classify(c.Seen, Options{})
			if !PlainRule(c.Seen.Screen, plainPrompt(c)) && c.Truth == Busy && before.Kind == Idle {
				t.Errorf("%s: busy by the plain rule, and idle here: %v", c.File, before)
			}
			if before.Kind != Idle {
				continue
			}
			screens++
			for _, sign := range []string{"esc to interrupt", "  ⏸ manual mode on · esc to interrupt", "✻ Working… (3s · esc to interrupt)", "(12s • esc to interrupt)", "  ctrl+t · (1m 2s · thinking)"} {
				o := c.Seen
				o.Screen = strings.TrimRight(o.Screen, "\n") + "\n" + sign + "\n"
				o.CursorKnown = false // it would have moved
				if v := Classify(o, Options{}); v.Kind == Idle {
					t.Errorf("%s with %q in its footer: %v", c.File, sign, v)
				}
			}
			for _, sign := range []string{"✻ Working… (3s · ↓ 2 tokens)", "✽ Working… (esc to interrupt)", "⠋ Thinking... (esc to interrupt)"} {
				o := c.Seen
				top := strings.LastIndex(o.Screen, before.Line)
				if rule := strings.LastIndex(o.Screen[:top], "────"); rule >= 0 {
					top = strings.LastIndexByte(o.Screen[:rule], '\n') + 1
				}
				if before.Agent == "opencode" || before.Agent == "qwen" {
					continue // no rule above their composers: the row would fall into them
				}
				o.Screen = o.Screen[:top] + sign + "\n\n" + o.Screen[top:]
				o.CursorKnown = false
				if v := Classify(o, Options{}); v.Kind == Idle {
					t.Errorf("%s with %q above its composer: %v", c.File, sign, v)
				}
			}
		}
	}
	t.Logf("%d idle screens", screens)
}

// The plain rule itself is what the state of the art runs.
func TestPlainRule(t *testing.T) {
	for _, c := range []struct {
		screen string
		want   bool
	}{
		{"❯ \n", true},
		{"❯\n", true},
		{"❯\u00a0text\n", true},
		{"text\n❯ \nmore\n", true},
		{"❯x\n", false},
		{"nothing\n", false},
		{"❯ \nesc to interrupt\n", false},
		{"✻ Word… (3s · x)\n❯ \n", false},
		{"(1m 2s • x)\n❯ \n", false},
		{"(3 · x)\n❯ \n", true},
	} {
		if got := PlainRule(c.screen, DefaultReadyPrompt); got != c.want {
			t.Errorf("%q: %v, want %v", c.screen, got, c.want)
		}
	}
}
