package prompt

import (
	"strings"
	"testing"
)

// PRM-5 and the odd panes: what a pane's size and a user's taste do to a screen does not
// change the verdict.
func TestOddPanes(t *testing.T) {
	const answer = "❯ do it\n\n● Done.\n\n✻ Baked for 3s"
	const foot = "  ⏸ manual mode on · ? for shortcuts"
	boxed := func(text string) string {
		return "> hi\n\n✦ Hi.\n\n╭" + strings.Repeat("─", 60) + "╮\n│ " + text + strings.Repeat(" ", 50) + "│\n╰" + strings.Repeat("─", 60) + "╯\n/srv/x   no sandbox (see /docs)   model\n"
	}
	for _, c := range []struct {
		name string
		seen Observation
		want Kind
	}{
		{"40 columns, the hint is cut", Observation{Screen: claudeScreen(40, "● The quick", "", "  ⏵⏵ accept edits on · esc to interru…")}, Busy},
		{"30 columns, three letters are left", Observation{Screen: claudeScreen(30, "● The quick", "", "  ⏵⏵ accept edits on · esc…")}, Busy},
		{"40 columns, another hint is cut", Observation{Screen: claudeScreen(40, answer, "", "  ⏸ manual mode on · ? for shortc…")}, Idle},
		{"40 columns, the mode's hint is cut", Observation{Screen: claudeScreen(40, answer, "", "  ⏵⏵ bypass permissions on (shift+tab t…")}, Idle},
		{"20 columns, all that would tell is cut", Observation{Screen: claudeScreen(20, answer, "", "  ⏵⏵ accept edits on…")}, Unknown},
		{"the clock wraps", Observation{Screen: claudeScreen(20, "❯ do it\n\n✽ Hullaballooing…\n  (12s · ↓ 2 tokens)", "", "  ⏸ manual mode on")}, Busy},
		{"300 columns", Observation{Screen: claudeScreen(300, answer, "", foot)}, Idle},
		{"300 columns, busy", Observation{Screen: claudeScreen(300, answer, "", "  ⏸ manual mode on · esc to interrupt")}, Busy},
		{"10 rows", Observation{Screen: claudeScreen(40, "● Done.", "", foot), Width: 40, Height: 10}, Idle},
		{"the composer and nothing above", Observation{Screen: "╭────────────╮\n│ >   Type your message   │\n╰────────────╯\n/srv/x   no sandbox (see /docs)\n"}, Unknown},
		{"a user's status line", Observation{Screen: claudeScreen(80, answer, "", "  ~/src · main ✗ · 42% · $0.12", "  12:00:01", foot)}, Idle},
		{"a user's status line, busy", Observation{Screen: claudeScreen(80, answer, "", "  ~/src · main", "  ⏸ manual mode on · esc to interrupt")}, Busy},
		{"a status line with a prompt in it", Observation{Screen: claudeScreen(80, answer, "a draft", "  ❯ src")}, Draft},
		{"wide characters", Observation{Screen: claudeScreen(80, "❯ 日本語\n\n● 了解しました。🙂", "", foot), CursorKnown: true, CursorX: 2, CursorY: 6, Width: 80, Height: 24}, Idle},
		{"a wide draft", Observation{Screen: claudeScreen(80, "❯ 日本語\n\n● 了解。", "日本", foot)}, Draft},
		{"NBSP became a space", Observation{Screen: strings.ReplaceAll(claudeScreen(80, answer, "", foot), "\u00a0", " "), Title: "✳ Claude Code"}, Idle},
		{"the space behind the prompt is trimmed", Observation{Screen: strings.ReplaceAll(claudeScreen(80, answer, "", foot), "\u00a0", ""), Title: "✳ Claude Code"}, Idle},
		{"style", Observation{Screen: strings.ReplaceAll(claudeScreen(80, answer, "", foot), "❯", "\x1b[38;5;153m❯\x1b[0m")}, Idle},
		{"style and a hyperlink, busy", Observation{Screen: claudeScreen(80, answer, "", "  \x1b[2m⏸ manual mode on\x1b]8;;https://x\x1b\\ · \x1b]8;;\x1b\\\x1b[1mesc\x1b[0m to interrupt")}, Busy},
		{"carriage returns", Observation{Screen: strings.ReplaceAll(claudeScreen(80, answer, "", foot), "\n", "\r\n")}, Idle},
		{"a rule with a name in it", Observation{Screen: strings.Replace(claudeScreen(80, answer, "", foot), "────────\n❯", "── my session ──\n❯", 1)}, Idle},
		{"a rule that a menu hides a part of", Observation{Screen: strings.Replace(claudeScreen(80, answer, "", foot), "────────────\n❯", "────     ────\n❯", 1)}, Unknown},
		{"a box", Observation{Screen: boxed(">   Type your message or @path/to/file")}, Idle},
		{"a box with a draft", Observation{Screen: boxed("> a draft")}, Draft},
		{"a screen without its last newline", Observation{Screen: strings.TrimSuffix(claudeScreen(80, answer, "", foot), "\n")}, Idle},
		{"blank rows below", Observation{Screen: claudeScreen(80, answer, "", foot) + strings.Repeat("\n", 30)}, Idle},
		{"a title with colour", Observation{Screen: codexScreen("• OK.", "Ask Codex to do anything", "gpt · /srv"), Title: "⠋"}, Busy},
		{"the cursor outside of the composer", Observation{Screen: codexScreen("• OK.", "Ask Codex to do anything", "gpt · /srv"), Title: "t", CursorKnown: true, CursorX: 9, CursorY: 6, Width: 80, Height: 7}, Unknown},
		{"the cursor parked at the corner", Observation{Screen: codexScreen("• OK.", "Ask Codex to do anything", "gpt · /srv"), Title: "t", CursorKnown: true, CursorX: 80, CursorY: 6, Width: 80, Height: 24}, Idle},
		{"a draft that reads like the placeholder", Observation{Screen: codexScreen("• OK.", "Ask Codex to do anything", "gpt · /srv"), Title: "t", CursorKnown: true, CursorX: 26, CursorY: 3, Width: 80, Height: 6}, Draft},
	} {
		if got := Classify(c.seen, Options{}); got.Kind != c.want {
			t.Errorf("%s: %v, want %v\n%s", c.name, got, c.want, c.seen.Screen)
		}
	}
}

// The footer may have more rows or fewer: none of ours hangs on their number.
func TestFooterRows(t *testing.T) {
	for _, c := range readIndex(t, ours) {
		want := Classify(c.Seen, Options{})
		if want.Kind != Idle {
			continue
		}
		o := c.Seen
		o.Screen = strings.TrimRight(o.Screen, "\n") + "\n  ~/src main\n  12:00\n"
		o.CursorKnown = false
		if got := Classify(o, Options{}); got.Kind != Idle {
			t.Errorf("%s with two rows more in its footer: %v, without: %v", c.File, got, want)
		}
	}
}

func TestPlainTakesStyleAway(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                          "plain",
		"\x1b[1;31mred\x1b[0m":           "red",
		"\x1b]8;;u\x1b\\link\x1b]8;;\a.": "link.",
		"\x1b(Bx":                        "x",
		"a\r\nb":                         "a\nb",
		"\x1b":                           "",
		"\x1b[":                          "",
		"\x1b[31\nrow":                   "\nrow",
		"\x1b]never ended\nrow":          "\nrow",
		"\x1bPdcs\x1b\\x\x1b7y\x1b\nz":   "xy\nz",
	} {
		if got := plain(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"❯ ":           "❯",
		"❯\u00a0x":     "❯ x",
		"│ > x  │":     "> x",
		"  a\u3000b  ": "a b",
		"e\u0301":      "\u00e9",
		"| x |":        "x",
		"| x":          "| x",
		"":             "",
	} {
		if got := fold(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
