package prompt

import (
	"strings"
	"testing"
)

// claudeScreen draws a Claude Code 2.1 screen: transcript, composer, footer.
func claudeScreen(width int, transcript, composer string, footer ...string) string {
	rule := strings.Repeat("─", width)
	return transcript + "\n\n" + rule + "\n❯\u00a0" + composer + "\n" + rule + "\n" + strings.Join(footer, "\n") + "\n"
}

func codexScreen(transcript, composer, footer string) string {
	return transcript + "\n\n\n› " + composer + "\n\n  " + footer + "\n"
}

// PRM-2: the traps of real agents, one by one.
func TestTraps(t *testing.T) {
	const answer = "❯ do it\n\n● Done.\n\n✻ Baked for 3s · done 6:05 PM"
	const foot = "  ⏸ manual mode on · ? for shortcuts"
	const codexFoot = "gpt default · /srv/x"
	for _, c := range []struct {
		name string
		seen Observation
		want Kind
	}{
		{"idle", Observation{Screen: claudeScreen(80, answer, "", foot)}, Idle},
		{"prose quotes the sign", Observation{Screen: claudeScreen(80, "❯ how?\n\n● Press esc to interrupt.\n  ✻ Crunching… (esc to interrupt)\n\n✻ Baked for 0s", "", foot)}, Idle},
		{"prose quotes the sign in its last row", Observation{Screen: claudeScreen(80, "❯ how?\n\n● Press esc to interrupt.", "", foot)}, Idle},
		{"prose has prompts", Observation{Screen: claudeScreen(80, "❯ how?\n\n● So:\n  ❯ echo hi\n  >\n  ❯", "", foot)}, Idle},
		{"prose quotes a menu", Observation{Screen: claudeScreen(80, "❯ how?\n\n● So:\n   ❯ 1. Yes\n     2. No\n   Esc to cancel", "", foot)}, Idle},
		{"the draft quotes the sign", Observation{Screen: claudeScreen(80, answer, "why does it say esc to interrupt", "  ⏸ manual mode on")}, Draft},
		{"a draft takes the hint out of the footer", Observation{Screen: claudeScreen(80, "❯ do it\n\n●\n\n✽ Churning… (3s · ↓ 16 tokens)", "next", "  ⏸ manual mode on")}, Busy},
		{"a placeholder", Observation{Screen: claudeScreen(80, answer, `Try "fix lint errors"`, foot)}, Idle},
		{"a queued message", Observation{Screen: claudeScreen(80, "❯ do it", "Press up to edit queued messages", foot)}, Busy},
		{"just submitted, no sign yet", Observation{Screen: claudeScreen(80, answer+"\n\n❯ next question", "", foot)}, Busy},
		{"a command with its result", Observation{Screen: claudeScreen(80, answer+"\n\n❯ /model\n  ⎿ \u00a0Kept model", "", foot)}, Idle},
		{"a background agent", Observation{Screen: claudeScreen(80, "● Agent(Sub work)\n\n✻ Waiting for 1 background agent to finish", "", foot)}, Busy},
		{"a background shell", Observation{Screen: claudeScreen(80, answer+" · 1 shell still running", "", "  ⏸ manual mode on · 1 shell · ↓ to manage")}, Idle},
		{"retrying", Observation{Screen: claudeScreen(80, "❯ do it\n\n✻ 529 Overloaded · retrying in 2s · attempt 3/10", "", "  ⏸ manual mode on")}, Busy},
		{"a menu at column 0", Observation{Screen: "● Which colour do you like?\n\n❯ 1. Red\n  2. Blue\n\nEnter to select · Esc to cancel\n"}, Dialog},
		{"a permission", Observation{Screen: "● I will run it.\n" + strings.Repeat("─", 80) + "\n Bash command\n\n   touch x\n\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend\n"}, Dialog},
		{"the refusal is highlighted", Observation{Screen: " Quick safety check: Is this a project you created or one you trust?\n\n ❯ No, exit\n   Yes, I trust this folder\n\n Enter to confirm · Esc to cancel\n"}, Dialog},
		{"shell mode", Observation{Screen: strings.Replace(claudeScreen(80, answer, "", "  ! for shell mode"), "❯\u00a0\n", "!\u00a0\n", 1)}, Draft},
		{"dead without a message", Observation{Screen: claudeScreen(80, answer, "", foot), Dead: true}, Dead},
		{"dead, said by tmux", Observation{Screen: claudeScreen(80, answer, "", foot) + "Pane is dead (status 1, Mon Nov 30 18:05:10 2026)\n"}, Dead},
		{"the shell is back", Observation{Screen: "Resume this session with:\nclaude --resume 1\nbash-5.2#\n", Command: "bash"}, Dead},
		{"the shell is back under a composer that stayed", Observation{Screen: claudeScreen(80, answer, "", foot) + "$ \n", Command: "-zsh"}, Dead},
		{"a script started the agent", Observation{Screen: claudeScreen(80, answer, "", foot), Command: "sh"}, Idle},
		{"a script started the agent, it works", Observation{Screen: claudeScreen(80, "✽ Churning… (3s · x)", "", foot), Command: "bash"}, Busy},
		{"a script started the agent, it asks", Observation{Screen: " Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel\n", Command: "bash"}, Dialog},
		{"the shell is back, without a prompt yet", Observation{Screen: "Resume this session with:\nclaude --resume 1\n", Command: "bash"}, Dead},
		{"the shell is back under a menu that stayed", Observation{Screen: " ❯ No, exit\n   Yes\n\n Enter to confirm · Esc to cancel\n\nbash-5.2# ", Command: "bash"}, Dead},
		{"blank", Observation{Screen: "\n\n\n", Command: "claude"}, Starting},
		{"nothing", Observation{}, Starting},
		{"Claude Code 2.0 works", Observation{Screen: "> do it\n\n✻ Puzzling… (esc to interrupt · 10s · ↓ 7 tokens)\n  ⎿ \u00a0Tip: Send messages\n\n" + strings.Repeat("─", 80) + "\n>\u00a0\n" + strings.Repeat("─", 80) + "\n  ? for shortcuts\n"}, Busy},
		{"Claude Code 2.0 has a list of things to do", Observation{Screen: "> do it\n\n✻ Puzzling… (esc to interrupt · ctrl+t to hide todos)\n  ⎿  ☐ First\n     ☐ Second\n\n" + strings.Repeat("─", 80) + "\n>\u00a0\n" + strings.Repeat("─", 80) + "\n"}, Busy},
		{"Claude Code 2.0 thought last", Observation{Screen: "> do it\n\n✻ Thinking…\n\n  Hmm.\n\n● Done.\n\n" + strings.Repeat("─", 80) + "\n>\u00a0Try \"edit x.py to...\"\n" + strings.Repeat("─", 80) + "\n  ? for shortcuts\n"}, Idle},

		{"codex without a title", Observation{Screen: codexScreen("• OK.", "Ask Codex to do anything", codexFoot)}, Unknown},
		{"codex", Observation{Screen: codexScreen("• OK.", "Ask Codex to do anything", codexFoot), Title: "task | work"}, Idle},
		{"codex streams, only the title tells", Observation{Screen: codexScreen("› do it\n\n• The quick", "Ask Codex to do anything", codexFoot), Title: "⠼ task | work"}, Busy},
		{"codex works, no title", Observation{Screen: codexScreen("• Working (3s • esc to interrupt)", "Ask Codex to do anything", codexFoot)}, Busy},
		{"codex thinks long, its clock is cut off", Observation{Screen: codexScreen("◦ The quick brown fox jumps over a watch…", "Ask Codex to do anything", codexFoot), Title: "task | work"}, Busy},
		{"codex starts: the prompt is there, the session is not", Observation{Screen: codexScreen("  >_ OpenAI Codex", "Ask Codex to do anything", "? for shortcuts"), Title: "vm"}, Starting},
		{"codex asks", Observation{Screen: codexScreen("• OK.", "Ask Codex to do anything", codexFoot), Title: "[ ! ] Action Required | task | work"}, Dialog},
		{"codex quotes the sign", Observation{Screen: codexScreen("• To stop it, press esc to interrupt.\n  The row reads (esc to interrupt).", "Ask Codex to do anything", codexFoot), Title: "task | work"}, Idle},
		{"codex menu", Observation{Screen: "› do it\n\n  Task is still running\n\n› 1. Cancel task        Stop\n  2. Run in background  Exit\n\n  enter select · esc back\n", Title: "⠙ task | work"}, Dialog},
		{"codex draft", Observation{Screen: codexScreen("• OK.", "a draft", codexFoot), Title: "task | work"}, Draft},
		{"codex, a submitted message", Observation{Screen: codexScreen("• OK.\n\n› next", "Ask Codex to do anything", codexFoot), Title: "task | work"}, Busy},

		{"an unknown agent", Observation{Screen: "hello\n❯ \n"}, Idle},
		{"an unknown agent's draft", Observation{Screen: "hello\n❯ text\n"}, Draft},
		{"an unknown agent's placeholder, the cursor in front of it", Observation{Screen: "hello\n❯ Type here\n", CursorKnown: true, CursorX: 2, CursorY: 1, Width: 80, Height: 24}, Idle},
		{"an unknown agent works", Observation{Screen: "⠙ Working\n\n❯ \n"}, Busy},
		{"an unknown agent works, its footer says", Observation{Screen: "hello\n❯ \n  esc to interrupt\n"}, Busy},
		{"an unknown agent asks", Observation{Screen: "Sure?\n❯ 1. Yes\n  2. No\n"}, Dialog},
		{"an unknown agent, its prompt far up", Observation{Screen: "❯ \n" + strings.Repeat("output\n", 20)}, Unknown},
		{"no agent", Observation{Screen: "some text\n"}, Unknown},
	} {
		if got := Classify(c.seen, Options{}); got.Kind != c.want {
			t.Errorf("%s: %v, want %v\n%s", c.name, got, c.want, c.seen.Screen)
		}
	}
}

// PRM-3: a configured prompt wins; blank and the default are no configuration.
func TestReadyPromptWins(t *testing.T) {
	idle := claudeScreen(80, "❯ hi\n\n● Hi.", "", "  ? for shortcuts")
	for _, c := range []struct {
		ready, screen string
		want          Kind
	}{
		{"", idle, Idle},
		{"  ", idle, Idle},
		{"❯", idle, Idle},
		{"❯ ", idle, Idle},
		{"❯\u00a0", idle, Idle},
		{"PROMPT> ", idle, Unknown},
		{"PROMPT> ", "text\nPROMPT>\n", Idle},
		{"PROMPT> ", "text\nPROMPT> draft\n", Draft},
		{"PROMPT>", "text\n│ PROMPT>   │\n", Idle},
		{"PROMPT> ", "text\nPROMPT>\n  esc to interrupt\n", Busy},
		{"e\u0301> ", "text\n\u00e9>\n", Idle}, // NFC
		{"\u00e9> ", "text\ne\u0301>\n", Idle},
		{"a\u00a0b> ", "text\na b>\n", Idle},
		{"> ", "> hi\n\n● Hi.\n\n" + strings.Repeat("─", 80) + "\n>\u00a0\n" + strings.Repeat("─", 80) + "\n  ? for shortcuts\n", Idle},
		{"PROMPT>", "PROMPT>>\n", Unknown},
	} {
		if got := Classify(Observation{Screen: c.screen}, Options{ReadyPrompt: c.ready}); got.Kind != c.want {
			t.Errorf("prompt %q: %v, want %v\n%s", c.ready, got, c.want, c.screen)
		}
	}
}

// A verdict names its sign, the row and its number, and the region that must not change.
func TestVerdictSaysWhy(t *testing.T) {
	screen := "one\ntwo\n" + claudeScreen(80, "❯ do it\n\n✽ Churning… (3s · ↓ 16 tokens)", "next", "  ⏸ manual mode on")
	v := Classify(Observation{Screen: screen}, Options{})
	if v.Kind != Busy || v.Agent != "claude" || v.Line != "✽ Churning… (3s · ↓ 16 tokens)" || v.LineNo != 5 || v.Text != "next" || v.Sign == "" {
		t.Errorf("%+v", v)
	}
	if !strings.HasPrefix(v.Live, "✽ Churning") || !strings.HasSuffix(v.Live, "manual mode on") {
		t.Errorf("live region %q", v.Live)
	}
	if got := Classify(Observation{Screen: strings.Replace(screen, "one\ntwo", "other", 1)}, Options{}); got.Live != v.Live {
		t.Errorf("what scrolled out of sight changes the live region: %q", got.Live)
	}
}

func TestUnchanged(t *testing.T) {
	a := Observation{Screen: claudeScreen(80, "❯ hi\n\n● Hi.", "", "  ? for shortcuts"), Title: "t", CursorKnown: true, CursorX: 2}
	same := func(b Observation) bool {
		return Unchanged(a, b, Classify(a, Options{}), Classify(b, Options{}))
	}
	if !same(a) {
		t.Error("the same observation")
	}
	for name, change := range map[string]func(*Observation){
		"title":  func(o *Observation) { o.Title = "⠋ t" },
		"cursor": func(o *Observation) { o.CursorX = 3 },
		"footer": func(o *Observation) { o.Screen = strings.Replace(o.Screen, "? for", "! for", 1) },
		"answer": func(o *Observation) { o.Screen = strings.Replace(o.Screen, "● Hi.", "● Hi. More", 1) },
		"dead":   func(o *Observation) { o.Dead = true },
	} {
		b := a
		change(&b)
		if same(b) {
			t.Errorf("%s changed", name)
		}
	}
}
