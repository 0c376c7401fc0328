package prompt

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// panes of every size that the captures have, one server each.
type screens map[[2]int]*screenTmux

func (s screens) of(t *testing.T, o Observation) *screenTmux {
	t.Helper()
	size := [2]int{o.Width, o.Height}
	if s[size] == nil {
		s[size] = newScreenTmux(t, size[0], size[1])
	}
	return s[size]
}

// NUD-8: the server itself sees every dialog, and takes no idle or busy screen for one.
func TestDialogFormat(t *testing.T) {
	servers := screens{}
	for _, dir := range sets(t) {
		dialogs, seen, others := 0, 0, 0
		for _, c := range readIndex(t, dir) {
			got := servers.of(t, c.Seen).show(c.Seen.Screen, c.Seen.Title, DialogFormat())
			switch {
			case c.Truth == Dialog:
				dialogs++
				if got != "" {
					seen++
				} else if cannot[c.File] == "" {
					t.Errorf("%s: no dialog seen", c.File)
				}
				if v := Classify(c.Seen, Options{}); got != "" && got != "menu" && got != v.Dialog {
					t.Errorf("%s: the server says %q, Classify %v", c.File, got, v)
				}
			case c.Truth == Idle || c.Truth == Busy:
				others++
				if got != "" && Classify(c.Seen, Options{}).Kind != Dialog {
					t.Errorf("%s is %v: the server says %q", c.File, c.Truth, got)
				}
			}
		}
		t.Logf("%s: %d of %d dialogs seen, %d idle and busy screens", dir, seen, dialogs, others)
	}
}

// NUD-8: a transcript that quotes a menu refuses nothing while the composer is drawn, and a
// dialog over a transcript that quotes a composer is still seen.
func TestDialogFormatQuoted(t *testing.T) {
	s := newScreenTmux(t, 80, 24)
	rule := strings.Repeat("─", 80)
	quote := "● The menu was:\n ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend\n"
	for _, c := range []struct{ name, screen, want string }{
		{"menu quoted, composer drawn", quote + rule + "\n❯\u00a0\n" + rule + "\n  ? for shortcuts\n", ""},
		{"menu quoted, draft in the composer", quote + rule + "\n❯\u00a0text\n" + rule + "\n", ""},
		{"menu", quote, "menu"},
		{"permission", "Do you want to proceed?\n ❯ 1. Yes\n   2. No\n", "permission"},
		{"permission in a box", "│ Do you want to proceed?     │\n│ ❯ 1. Yes                    │\n", "permission"},
		{"menu at the margin", "Which colour?\n❯ 1. Red\n  2. Blue\n\nEnter to select · ↑/↓ to navigate · Esc to cancel\n", "menu"},
		{"menu at the margin, cut", "Which colour?\n❯ 1. Red\n  2. Blue\n\nEnter to select · ↑/↓ to nav…\n", "menu"},
		{"a numbered list as a message", "❯ 1. Fix the test\n  2. Commit it\n● Done.\n" + rule + "\n❯ next\n" + rule + "\n", ""},
		{"menu quoted, plain composer empty", quote + rule + "\n❯ \n" + rule + "\n", ""},
		{"a message in the transcript", "❯ hello\n● Hi.\n", ""},
		{"codex menu quoted", "• It was:\n  › 1. Yes, proceed (y)\n\n› Ask Codex to do anything\n\n  gpt default · /srv/x\n", ""},
		{"codex menu", "› run it\n\n  Would you like to run the following command?\n\n› 1. Yes, proceed (y)\n  2. No\n\n  Press enter to confirm or esc to cancel\n", "permission"},
		{"blank", "", ""},
	} {
		if got := s.show(c.screen, "", DialogFormat()); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := s.show("anything", "✋  Action Required (work)", DialogFormat()); got == "" {
		t.Error("the title alone says nothing")
	}
}

// NUD-8: a message that looks like a menu is no dialog while it stands in the composer; what
// it does not show refuses still.
func TestDialogFormatBehind(t *testing.T) {
	s := newScreenTmux(t, 80, 24)
	const permission = " Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend\n"
	for _, text := range []string{
		"1. Yes, first\n2. No", "Enter to confirm · Esc to cancel", "see:\n❯ 1. Yes", "a\nEnter to confirm · Esc to cancel",
		"press: Esc to cancel", strings.Repeat("x", 80) + " ❯ 2. No", "1. Fix the test\n2. Commit it",
	} {
		screen := "────\n❯ " + strings.ReplaceAll(text, "\n", "\n  ") + "\n────\n"
		if got := s.show(screen, "", DialogFormatBehind(text, false)); got != "" {
			t.Errorf("%q in the composer is taken for a dialog: %q", text, got)
		}
		if f := DialogFormatBehind(text, false); len(f) > len(DialogFormat()) {
			t.Errorf("%q makes the format longer", text)
		}
	}
	transcript := "❯ 1. Yes, fix it\n  2. No\n● Done.\n────\n❯ "
	if got := s.show(transcript+"\n────\n", "", QuotedFormat()); got != "1" {
		t.Errorf("a quoted menu above an empty composer: %q", got)
	}
	for screen, what := range map[string]string{
		transcript + "text\n────\n": "text in the composer", permission: "a dialog", "❯\n": "an empty composer",
		strings.ReplaceAll(transcript, "❯ ", "❯\u00a0") + "\n": "Claude Code's composer",
	} {
		if got := s.show(screen, "", QuotedFormat()); got != "" {
			t.Errorf("%s: quoted %q", what, got)
		}
	}
	if got := s.show(transcript+"next\n────\n", "", DialogFormatBehind("next", true)); got != "" {
		t.Errorf("a menu that was quoted before: %q", got)
	}
	for _, text := range []string{"hello", "1. Fix the test\n2. Commit it", "say: Esc to cancel", "see:\n❯ 1. Yes"} {
		if got := s.show(permission, "", DialogFormatBehind(text, false)); got != "permission" {
			t.Errorf("behind %q a permission dialog is %q", text, got)
		}
	}
}

// The server tells the agent as Find does, wherever it is told by title or screen.
func TestAgentFormat(t *testing.T) {
	servers := screens{}
	for _, c := range readIndex(t, ours) {
		got := servers.of(t, c.Seen).show(c.Seen.Screen, c.Seen.Title, AgentFormat())
		if got != "" && got != c.Agent {
			t.Errorf("%s: %q", c.File, got)
		}
		if got == "" && c.Truth == Idle && Classify(c.Seen, Options{}).Kind == Idle {
			t.Errorf("%s: an idle screen without its agent", c.File)
		}
	}
}

// NUD-6: the screen is settled when the composer is empty, and not while text stands in it.
func TestSettledFormat(t *testing.T) {
	servers := screens{}
	for _, c := range readIndex(t, ours) {
		v := Classify(c.Seen, Options{})
		got := servers.of(t, c.Seen).show(c.Seen.Screen, c.Seen.Title, SettledFormat(""))
		switch {
		case got == "" && v.Kind == Idle && c.Agent == "opencode":
			// Its empty composer is a bar like any other row of its screen.
		case got == "" && v.Kind == Idle:
			t.Errorf("%s: not settled, but %v", c.File, v)
		case got != "" && v.Kind == Draft && v.Sign != "the composer is in another mode":
			t.Errorf("%s: settled, but %v", c.File, v)
		}
	}
	s := newScreenTmux(t, 80, 24)
	for _, c := range []struct{ ready, screen, want string }{
		{"", "❯ \n", "1"},
		{"", "❯ text\n", ""},
		{"PROMPT> ", "PROMPT> \n", "1"},
		{"PROMPT> ", "PROMPT> text\n", ""},
		{"PROMPT> ", "│ PROMPT>      │\n", "1"},
		{"PROMPT> ", "XPROMPT> \n", ""},
		{"[a,b}#{x}.*^$|(c)+? ", "[a,b}#{x}.*^$|(c)+?\n", "1"},
		{"$ ", "$ \n", "1"},
		{"a b ", "a\u00a0b\n", "1"},
		{"名前> ", "名前>\n", "1"},
	} {
		if got := s.show(c.screen, "", SettledFormat(c.ready)); got != c.want {
			t.Errorf("prompt %q on %q: %q, want %q", c.ready, c.screen, got, c.want)
		}
	}
}

// The formats stay short, and hold nothing that a quote or strftime would change.
func TestFormatsAreSafeToQuote(t *testing.T) {
	for name, f := range map[string]string{"dialog": DialogFormat(), "settled": SettledFormat("❯ "), "agent": AgentFormat()} {
		if strings.ContainsAny(f, "'\";%\\`\n\r\t") {
			t.Errorf("%s: %q", name, f)
		}
		if len(f) > 3000 {
			t.Errorf("%s: %d bytes", name, len(f))
		}
		depth, deepest := 0, 0
		for i := 0; i < len(f); i++ {
			switch {
			case f[i] == '#' && i+1 < len(f) && (f[i+1] == '}' || f[i+1] == ','):
				i++
			case f[i] == '#' && i+1 < len(f) && f[i+1] == '{':
				depth++
				deepest = max(deepest, depth)
			case f[i] == '}':
				depth--
			}
		}
		if depth != 0 || deepest > 6 {
			t.Errorf("%s: braces end at %d, deepest %d", name, depth, deepest)
		}
		t.Logf("%s: %d bytes, %d deep", name, len(f), deepest)
	}
}

// EscapeFormat: what tmux finds with the escaped regex is what the regex means.
func TestEscapeFormat(t *testing.T) {
	s := newScreenTmux(t, 80, 24)
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", ",", "}", "{", "#", ":", ".", "[a,}]", "[^#]", "[]#]", "(a|b)", "#[", "##", "#,", "#}", "x+", "y?", "^", "$", "é", "❯", "a{1,2}", "[{]", "!", "=", "@"}
	for range 150 {
		var regex, line strings.Builder
		for range 1 + rng.IntN(5) {
			regex.WriteString(pieces[rng.IntN(len(pieces))])
		}
		for range 1 + rng.IntN(6) {
			line.WriteString([]string{"a", "b", ",", "}", "{", "#", ":", "x", "é", "❯", "!", "="}[rng.IntN(12)])
		}
		want, err := regexp.CompilePOSIX(regex.String())
		if err != nil || strings.Contains(regex.String(), "{") && !strings.Contains(regex.String(), "a{1,2}") {
			continue // not a regex, or one that libcs read differently
		}
		got := s.show(line.String(), "", "#{C/r:"+EscapeFormat(regex.String())+"}")
		if (got != "0") != want.MatchString(line.String()) {
			t.Errorf("%q as %q on %q: tmux says %s, Go %v", regex.String(), EscapeFormat(regex.String()), line.String(), got, want.MatchString(line.String()))
		}
	}
	if got := s.show("a#b", "", "#{C/r:"+EscapeFormat("^a#b$")+"}"); got != "1" {
		t.Errorf("a#b: %s", got)
	}
}
