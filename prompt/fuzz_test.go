package prompt

import (
	"strings"
	"testing"
)

// Any bytes as a screen, any size: no panic, and a verdict whose parts are on the screen.
func FuzzClassify(f *testing.F) {
	for _, c := range readIndex(f, ours) {
		if len(c.Seen.Screen) < 4000 {
			f.Add(c.Seen.Screen, c.Seen.Title, "", 2, 3, 80, 24)
		}
	}
	f.Add("", "", "", 0, 0, 0, 0)
	f.Add("\n❯", "⠋", "❯ ", -1, -1, -1, -1)
	f.Add("────────\n❯\u00a0\n────────\n", "", "$ ", 1<<30, 1<<30, 1, 1)
	f.Add("╭─╮\n╰─╯", "", "", 0, 0, 3, 2)
	f.Add("┃\n╹▀▀▀", "OpenCode", "", 0, 0, 3, 2)
	f.Add("\x1b[\x1b]\x1bP", "", "\x1b", 0, 0, 3, 2)
	f.Fuzz(func(t *testing.T, screen, title, ready string, x, y, width, height int) {
		o := Observation{Screen: screen, Title: title, CursorX: x, CursorY: y, CursorKnown: true, Width: width, Height: height}
		for _, agent := range []string{"", "claude", "codex", "gemini", "qwen", "opencode", "copilot", "cline", "amp", "generic"} {
			v := Classify(o, Options{Agent: agent, ReadyPrompt: ready})
			if shown := plain(screen); v.Live != "" && !strings.Contains(shown, v.Live) {
				t.Errorf("the live region %q is not on the screen", v.Live)
			}
			if v.LineNo < 0 || v.LineNo > strings.Count(screen, "\n")+1 {
				t.Errorf("line %d of %d", v.LineNo, strings.Count(screen, "\n")+1)
			}
			if v.Kind == Dialog && v.Dialog == "" {
				t.Error("a dialog without a name")
			}
			if v.Kind == Idle && v.Missing != "" {
				t.Errorf("idle, though %s is missing", v.Missing)
			}
			Confirm(o, title, Options{Agent: agent, ReadyPrompt: ready})
		}
		ParseNotes(title)
		PlainRule(screen, ready)
	})
}
