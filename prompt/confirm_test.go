package prompt

import (
	"errors"
	"strings"
	"testing"
)

// NUD-6: what became of a message, from the screen after its Enter.
func TestConfirm(t *testing.T) {
	const foot = "  ⏸ manual mode on"
	gpt := "gpt default · /srv/x"
	for _, c := range []struct {
		name, text string
		seen       Observation
		want       Outcome
	}{
		{"emptied, busy", "do it", Observation{Screen: claudeScreen(80, "❯ do it\n\n✽ Churning… (0s)", "", foot+" · esc to interrupt")}, Accepted},
		{"emptied", "do it", Observation{Screen: claudeScreen(80, "❯ do it\n\n● Done.", "", foot)}, Accepted},
		{"emptied, no title", "do it", Observation{Screen: codexScreen("› do it", "Ask Codex to do anything", gpt)}, Accepted},
		{"it stands there", "do it", Observation{Screen: claudeScreen(80, "● Hi.", "do it", foot)}, Drafted},
		{"the Enter became a newline", "do it", Observation{Screen: codexScreen("• OK.", "do it\n", gpt)}, Drafted},
		{"glued to the next", "do it", Observation{Screen: claudeScreen(80, "● Hi.", "do it and more", foot)}, Drafted},
		{"a backslash at the end", `do it\`, Observation{Screen: claudeScreen(80, "● Hi.", "do it\\\n  ", foot)}, Drafted},
		{"it stands there while busy", "do it", Observation{Screen: claudeScreen(80, "✽ Churning… (3s · x)", "do it", foot)}, Drafted},
		{"wrapped", "one two three four five six seven", Observation{Screen: claudeScreen(20, "● Hi.", "one two three\n  four five six", foot)}, Drafted},
		{"its end alone", "one\ntwo\nthree", Observation{Screen: claudeScreen(20, "● Hi.", "…three", foot)}, Drafted},
		{"a long paste", strings.Repeat("line\n", 12), Observation{Screen: claudeScreen(80, "● Hi.", "[Pasted text #1 +11 lines]", "  paste again to expand")}, Drafted},
		{"a long paste in Copilot", "a\nb", Observation{Screen: strings.Replace(claudeScreen(80, " ● Hi.", "[Paste #1 - 12 lines]", " Interactive · Manual Approval · gpt"), "\u00a0", " ", 1), Title: "GitHub Copilot"}, Drafted},
		{"composed and without tabs", "e\u0301\tx", Observation{Screen: claudeScreen(80, "● Hi.", "\u00e9    x", foot)}, Drafted},
		{"queued", "do it", Observation{Screen: claudeScreen(80, "❯ do it\n  ⎿  Queued · ctrl+x ctrl+s to send now\n\n· Churning… (3s · x)", "Press up to edit queued messages", foot+" · esc to interrupt")}, Queued},
		{"queued in Codex", "do it", Observation{Screen: codexScreen("• Queued follow-up inputs\n  ↳ do it", "Ask Codex to do anything", gpt), Title: "⠙ t | w"}, Queued},
		{"another's draft", "do it", Observation{Screen: claudeScreen(80, "● Hi.", "something else", foot)}, Unconfirmed},
		{"another's draft, busy", "do it", Observation{Screen: claudeScreen(80, "❯ do it\n\n✽ Churning… (0s)", "something else", foot)}, Accepted},
		{"a dialog opened", "do it", Observation{Screen: " Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel\n"}, Unconfirmed},
		{"dead", "do it", Observation{Screen: claudeScreen(80, "● Hi.", "", foot), Dead: true}, Unconfirmed},
		{"blank", "do it", Observation{Screen: "\n\n"}, Unconfirmed},
		{"an unknown agent, emptied", "do it", Observation{Screen: "❯ do it\nok\n❯ \n"}, Accepted},
		{"an unknown agent, drafted", "do it", Observation{Screen: "ok\n❯ do it\n"}, Drafted},
		{"nothing that tells", "do it", Observation{Screen: "do it\n"}, Unconfirmed},
	} {
		got, sign := Confirm(c.seen, c.text, Options{})
		if got != c.want || sign == "" {
			t.Errorf("%s: %v (%s), want %v\n%s", c.name, got, sign, c.want, c.seen.Screen)
		}
	}
}

// A message on a real screen: the drafts are drafts, and an empty composer has taken it.
func TestConfirmOnCaptures(t *testing.T) {
	for _, c := range readIndex(t, ours) {
		got, sign := Confirm(c.Seen, "a message that is on no screen", Options{})
		if got == Drafted && !strings.Contains(c.State, "pasted-placeholder") && !strings.Contains(c.State, "multiline") {
			t.Errorf("%s: %v (%s)", c.File, got, sign)
		}
		if v := Classify(c.Seen, Options{}); v.Kind == Idle && got != Accepted {
			t.Errorf("%s: %v (%s), but %v", c.File, got, sign, v)
		}
		if c.State == "idle-draft" && c.Truth == Idle && cannot[c.File] == "" {
			if got, sign := Confirm(c.Seen, "a draft that is not sent", Options{}); got != Drafted {
				t.Errorf("%s: %v (%s), want drafted", c.File, got, sign)
			}
		}
	}
}

// NUD-7: text that an agent would take for a command is made prose or refused.
func TestLiteral(t *testing.T) {
	for _, c := range []struct {
		agent, text, want string // want empty: refused
	}{
		{"claude", "hello", "hello"},
		{"claude", "!ls", " !ls"},
		{"claude", "/compact", " /compact"},
		{"claude", " !ls", " !ls"},
		{"claude", `a\`, `a\ `},
		{"claude", `!a\`, ` !a\ `},
		{"codex", "!ls", ""},
		{"codex", "  !ls", ""},
		{"codex", "\u00a0/model", ""},
		{"codex", `a\`, `a\`},
		{"codex", "?x", "?x"},
		{"gemini", "!ls", "!ls"},
		{"gemini", "/help", ""},
		{"gemini", `a\`, `a\ `},
		{"opencode", "!ls", "!ls"},
		{"opencode", "/models", "/models"},
		{"generic", "/x", ""},
		{"generic", "x/", "x/"},
		{"amp", "!x", ""},
	} {
		got, err := Lookup(c.agent).Literal(c.text)
		if got != c.want || (err != nil) != (c.want == "") || err != nil && !errors.Is(err, ErrNotLiteral) {
			t.Errorf("%s %q: %q %v, want %q", c.agent, c.text, got, err, c.want)
		}
	}
}
