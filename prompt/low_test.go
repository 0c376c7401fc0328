package prompt

import (
	"strings"
	"testing"
)

// captures of the demo agent (tmux-carrier demo-agent) in low panes, by capture-pane -S -120
// after a resize: the old composers stand in the history.
const lowPanes = "testdata/low"

// PRM-2, IDL-2: what the visible screen shows decides, not the history above it; and where
// the pane has no room for a busy sign, nothing is idle.
func TestLowPanes(t *testing.T) {
	for _, c := range readIndex(t, lowPanes) {
		want := c.Truth
		if c.Seen.Height < low && !(want == Dialog || c.File == "busy-above-80x7.txt" || c.File == "busy-footer-80x5.txt") {
			want = Unknown
		}
		v := Classify(c.Seen, Options{})
		if v.Kind != want || (v.Kind == Unknown) != (v.Missing != "") {
			t.Errorf("%s is %v: %v, want %v\n%s", c.File, c.Truth, v, want, c.Seen.Screen)
		}
		if lines := strings.Count(c.Seen.Screen, "\n"); v.LineNo <= lines-c.Seen.Height {
			t.Errorf("%s: line %d of %d is history", c.File, v.LineNo, lines)
		}
		// The dialog is found too where nobody knows how high the pane is.
		bare := Classify(Observation{Screen: c.Seen.Screen}, Options{})
		if c.Truth == Dialog && (bare.Kind != Dialog || bare.Dialog != "permission") {
			t.Errorf("%s without a height: %v\n%s", c.File, bare, c.Seen.Screen)
		}
	}
}

// PRM-2: which rows are on the screen, and what a low one may hide.
func TestVisibleScreen(t *testing.T) {
	const foot = "  ⏸ manual mode on · ? for shortcuts"
	idle := claudeScreen(80, "❯ do it\n\n● Done.", "", foot)
	prose := claudeScreen(80, strings.Repeat("  one more row of the answer\n", 3), "", foot)
	const asks = " Bash command\n\n   touch x\n\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend\n"
	for _, c := range []struct {
		name string
		seen Observation
		want Kind
	}{
		{"a dialog below an old composer", Observation{Screen: idle + asks, Height: 9}, Dialog},
		{"it, in a pane that shows the composer too", Observation{Screen: idle + asks, Height: 16}, Dialog},
		{"it, the height not known", Observation{Screen: idle + asks}, Dialog},
		{"a trust dialog, the height not known", Observation{Screen: idle + " Quick safety check: one you trust?\n\n ❯ No, exit\n   Yes\n\n Enter to confirm · Esc to cancel\n"}, Dialog},
		{"an old dialog in the history", Observation{Screen: asks + strings.Repeat("\n", 9) + idle, Height: 9}, Idle},
		{"an old busy sign in the history", Observation{Screen: "✽ Churning… (3s · x)\n\n" + idle, Height: 9}, Idle},
		{"an old composer above a screen without one", Observation{Screen: idle + "some\noutput\n" + strings.Repeat("\n", 8), Height: 10}, Unknown},
		{"an old composer above a blank screen", Observation{Screen: idle + strings.Repeat("\n", 24), Height: 24}, Starting},
		{"the blank rows are rows of the pane", Observation{Screen: "✽ Churning… (3s · x)\n\n" + idle + strings.Repeat("\n", 15), Height: 24}, Idle},
		{"the pane is higher than the capture", Observation{Screen: idle, Height: 50}, Idle},
		{"a negative height", Observation{Screen: idle, Height: -1}, Idle},
		{"7 rows", Observation{Screen: idle, Height: 7}, Unknown},
		{"7 rows, a draft", Observation{Screen: claudeScreen(80, "● Done.", "a draft", foot), Height: 7}, Draft},
		{"7 rows, busy", Observation{Screen: claudeScreen(80, "● Done.", "", foot+" · esc to interrupt"), Height: 7}, Busy},
		{"the head of the answer is out of sight", Observation{Screen: "● Done.\n" + prose, Height: 9}, Unknown},
		{"it is in sight", Observation{Screen: "● Done.\n" + prose, Height: 10}, Idle},
		{"an unknown agent, nothing above", Observation{Screen: "❯ \n" + strings.Repeat("  a hint\n", 7), Height: 8}, Unknown},
		{"an unknown agent, rows to spare below", Observation{Screen: "❯ \n" + strings.Repeat("\n", 7), Height: 8}, Idle},
	} {
		if got := Classify(c.seen, Options{}); got.Kind != c.want {
			t.Errorf("%s: %v, want %v\n%s", c.name, got, c.want, c.seen.Screen)
		}
	}
}

// An agent is known by what it drew before, also where that has left the screen.
func TestFindInHistory(t *testing.T) {
	screen := "✦ Hi. GEMINI.md\n" + strings.Repeat("\n", 20) + "nothing that names it\n"
	if p := Find(Observation{Screen: screen, Height: 10}); p != &gemini {
		t.Errorf("taken for %s", p.Name)
	}
}

// drawnRows are the rows of a capture without the blank ones at the end.
func drawnRows(c Capture) []string {
	return strings.SplitAfter(strings.TrimRight(c.Seen.Screen, " \n")+"\n", "\n")
}

// IDL-2: no screen of an agent that works or asks is idle when only its lowest rows are
// left, with the rest in the history or without it.
func TestNoFalseIdleInLowPanes(t *testing.T) {
	for _, dir := range sets(t) {
		for _, c := range readIndex(t, dir) {
			if c.Truth != Busy && c.Truth != Dialog || cannot[c.File] != "" {
				continue
			}
			if c.Agent == "opencode" && strings.HasPrefix(c.State, "menu-") {
				continue // they float in the middle of any pane: a cut takes away what no pane does
			}
			rows := drawnRows(c)
			for h := 1; h < len(rows); h++ {
				cut := strings.Join(rows[max(0, len(rows)-1-h):], "")
				for _, o := range []Observation{
					{Screen: cut, Height: h},
					{Screen: cut, Height: h, Title: c.Seen.Title, Command: c.Seen.Command},
					{Screen: strings.Join(rows, ""), Height: h, Title: c.Seen.Title},
				} {
					if v := Classify(o, Options{}); v.Kind == Idle {
						t.Errorf("%s is %v; in %d rows, title %q: %v\n%s", c.File, c.Truth, h, o.Title, v, cut)
					}
				}
			}
		}
	}
}

// PRM-2: with an idle screen of the same agent in the history, the verdict is the same;
// where the height is not known, a dialog below it is still no idleness.
func TestHistoryDecidesNothing(t *testing.T) {
	captures := readIndex(t, ours)
	for _, old := range captures {
		if old.Truth != Idle {
			continue
		}
		history := strings.Join(drawnRows(old), "")
		for _, c := range captures {
			if c.Agent != old.Agent || c.Version != old.Version {
				continue
			}
			want := Classify(c.Seen, Options{Agent: c.Agent})
			o := c.Seen
			o.Screen = history + o.Screen
			if got := Classify(o, Options{Agent: c.Agent}); got.Kind != want.Kind || got.Live != want.Live || got.Missing != want.Missing {
				t.Errorf("%s above %s: %v, without: %v", old.File, c.File, got, want)
			}
			if c.Truth != Dialog || cannot[c.File] != "" {
				continue
			}
			if got := Classify(Observation{Screen: o.Screen, Title: o.Title}, Options{}); got.Kind == Idle {
				t.Errorf("%s above %s, the height not known: %v", old.File, c.File, got)
			}
		}
	}
}
