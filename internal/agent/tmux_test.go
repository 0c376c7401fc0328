package agent_test

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/internal/tmuxtest"
)

func TestMain(m *testing.M) { tmuxtest.Main(m) }

func start(t *testing.T, flags ...string) *tmuxtest.Pane {
	t.Helper()
	t.Parallel()
	return tmuxtest.Start(t, tmuxtest.Options{Agent: flags})
}

// list runs one tmux command list on the pane, which %P stands for.
func list(p *tmuxtest.Pane, args ...string) {
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "%P", p.ID)
	}
	p.Tmux(args...)
}

// enterUntil presses Enter, however often the burst rule makes it a newline,
// until an event starts with prefix.
func enterUntil(p *tmuxtest.Pane, prefix string) {
	p.Wait("event "+prefix, func() bool {
		p.Enter()
		return p.Log().Count(prefix) > 0
	})
}

// An Enter in one list with typed text is swallowed; the second one submits the
// exact text.
func TestTypedBurst(t *testing.T) {
	p := start(t)
	list(p, "send-keys", "-l", "-t", "%P", "hello", ";", "send-keys", "-t", "%P", "Enter")
	p.WaitEvent("newline for an Enter in a burst")
	if got := p.Log().Submitted(); len(got) != 0 {
		t.Errorf("submitted %q", got)
	}
	if got := p.Submit(); got != "hello" {
		t.Errorf("submitted %q", got)
	}
}

// The same behind a paste, as Gemini CLI does.
func TestPasteBurst(t *testing.T) {
	p := start(t)
	text := strings.Repeat("line\n", 9) + "end"
	p.Tmux("set-buffer", "-b", "b", text)
	list(p, "paste-buffer", "-p", "-r", "-b", "b", "-t", "%P", ";", "send-keys", "-t", "%P", "Enter")
	p.WaitEvent("newline for an Enter in a burst")
	if got := p.Submit(); got != text {
		t.Errorf("submitted %q", got)
	}
}

// 1 MiB with tabs, wide characters and quotes arrives byte for byte.
func TestLargePaste(t *testing.T) {
	for _, flags := range [][]string{{"--placeholders"}, {"--alternate"}, {"--no-brackets"}} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			p := start(t, flags...)
			text := strings.Repeat("世界\té ❯ esc to interrupt 'quoted' \\\n", 1<<20/43) + "end"
			p.Paste(text)
			if got := p.Submit(); got != text {
				t.Errorf("submitted %d bytes, pasted %d", len(got), len(text))
			}
		})
	}
}

// Text for a dialog is dropped, its Enter picks the highlighted option.
func TestPermissionDialog(t *testing.T) {
	p := start(t, "--dialog-at-start", "--nbsp")
	p.WaitScreen(" ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend")
	p.Type("no it is not")
	p.Paste("nor this")
	p.WaitEvent("dialog dropped 8 bytes")
	p.Press("Down")
	p.WaitScreen(" ❯ 2. No")
	p.Press("Up", "Enter")
	p.WaitEvent("dialog answered: 1. Yes")
	p.WaitScreen("❯\u00a0")
	if got := p.Log().Submitted(); len(got) != 0 {
		t.Errorf("submitted %q", got)
	}
	p.Type("/dialog")
	p.Submit()
	p.WaitScreen("Do you want to proceed?")
	p.Type("2")
	p.WaitEvent("dialog answered: 2. No")
	p.WaitEvent("interrupt")
}

// A dialog that comes up between a paste and its Enter takes the Enter, and the
// draft is still there afterwards.
func TestDialogOnInput(t *testing.T) {
	p := start(t, "--dialog-on-input")
	p.Tmux("set-buffer", "-b", "b", "the draft")
	list(p, "paste-buffer", "-p", "-r", "-b", "b", "-t", "%P", ";", "send-keys", "-t", "%P", "Enter")
	p.WaitEvent("dialog answered: 1. Yes")
	p.WaitScreen("❯ the draft")
	if got := p.Submit(); got != "the draft" {
		t.Errorf("submitted %q", got)
	}
}

// An Enter on the trust dialog ends the agent: "No, exit" is highlighted.
func TestTrustDialog(t *testing.T) {
	p := start(t, "--trust")
	p.Tmux("set-option", "-w", "-t", p.ID, "remain-on-exit", "on")
	p.WaitScreen(" ❯ No, exit\n   Yes, I trust this folder")
	p.Press("Enter")
	p.WaitEvent("exit 1")
	// Not pane_dead_status: tmux 3.1c and 3.3a leave it empty, and the process a
	// zombie, in one death of ten until another child of the server ends.
	p.Wait("the pane is dead", func() bool { return p.Format("#{pane_dead}") == "1" })

	list(p, append([]string{"respawn-pane", "-k", "-t", "%P", "--"}, p.AgentCommand("--trust")...)...)
	p.WaitReady()
	p.Press("Down", "Enter")
	p.WaitEvent("dialog answered: Yes, I trust this folder")
	p.WaitScreen("manual mode on")
}

// What C-c and Escape do, by flag: the events that follow the keys.
func TestInterruptKeys(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags []string
		busy  bool
		draft string
		keys  []string
		want  string // event
		not   string // event that must not be there
	}{
		{"C-c interrupts a turn", nil, true, "", []string{"C-c"}, "interrupt", "exit"},
		{"C-c clears a draft", nil, false, "draft", []string{"C-c"}, "draft cleared", "exit"},
		{"the second C-c exits", nil, false, "", []string{"C-c", "C-c"}, "exit 0", ""},
		{"C-c never interrupts", []string{"--ctrl-c", "never"}, true, "", []string{"C-c", "C-c"}, "exit 0", "interrupt"},
		{"the first C-c exits", []string{"--ctrl-c", "first"}, false, "", []string{"C-c"}, "exit 0", ""},
		{"the first C-c exits from a turn", []string{"--ctrl-c", "first"}, true, "", []string{"C-c"}, "exit 0", "interrupt"},
		{"C-c asks", []string{"--ctrl-c", "menu"}, true, "", []string{"C-c"}, "dialog shown: menu", "interrupt"},
		{"C-c asks, cancel", []string{"--ctrl-c", "menu"}, true, "", []string{"C-c", "Enter"}, "interrupt", "exit"},
		{"C-c is ignored", []string{"--ctrl-c", "ignore"}, true, "", []string{"C-c", "Escape"}, "interrupt", "exit"},
		{"Escape interrupts", nil, true, "", []string{"Escape"}, "interrupt", "exit"},
		{"Escape twice interrupts", []string{"--escape", "twice"}, true, "", []string{"Escape", "Escape"}, "interrupt", "exit"},
		{"Escape twice clears a draft", nil, false, "draft", []string{"Escape", "Escape"}, "draft cleared", ""},
		{"Escape exits", []string{"--escape", "exit"}, false, "", []string{"Escape"}, "exit 0", ""},
		{"C-d exits", nil, false, "", []string{"C-d"}, "exit 0", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(t, append([]string{"--burst", "0", "--draft", c.draft}, c.flags...)...)
			p.Tmux("set-option", "-w", "-t", p.ID, "remain-on-exit", "on")
			if c.busy {
				p.Type("/busy 1m")
				p.Submit()
				p.WaitScreen("esc to interrupt")
			}
			for _, k := range c.keys {
				n := len(p.Log().Bytes())
				p.Press(k)
				p.Wait("the key is read", func() bool { return len(p.Log().Bytes()) > n })
			}
			p.WaitEvent(c.want)
			if c.not != "" && p.Log().Count(c.not) > 0 {
				t.Errorf("events %q", p.Log().Events())
			}
		})
	}
}

// Escape and Enter in one list are Alt+Enter, a newline.
func TestEscapeEnter(t *testing.T) {
	p := start(t, "--draft", "a")
	list(p, "send-keys", "-t", "%P", "Escape", "Enter")
	p.WaitScreen("❯ a\n\n─")
	p.Type("b")
	if got := p.Submit(); got != "a\nb" {
		t.Errorf("submitted %q", got)
	}
}

// A message during a turn is queued, and its turn follows.
func TestQueue(t *testing.T) {
	p := start(t, "--busy-sign", "above", "--title", "work")
	p.Type("/busy 1m")
	p.Submit()
	p.WaitScreen("… (0s · esc to interrupt)")
	p.Wait("a spinner in the title", func() bool {
		title := p.Format("#{pane_title}")
		return strings.HasSuffix(title, " work") && title != "work"
	})
	p.Type("next")
	p.Submit()
	p.WaitScreen("❯ next\n  ⎿  Queued")
	p.Press("Escape")
	p.Wait("both turns are over", func() bool { return p.Log().Count("turn done") == 1 && p.Log().Count("interrupt") == 1 })
	p.Wait("the title is idle", func() bool { return p.Format("#{pane_title}") == "work" })
	var queued []bool
	for _, e := range p.Log() {
		if e.Submit != nil {
			queued = append(queued, e.Queued)
		}
	}
	if !slices.Equal(queued, []bool{false, true}) {
		t.Errorf("queued %v", queued)
	}
}

// The footer's busy sign is not there while there is a draft, nor at all if it
// is off.
func TestBusySign(t *testing.T) {
	p := start(t)
	p.Type("/busy 1m")
	p.Submit()
	p.WaitScreen("manual mode on · esc to interrupt")
	p.Type("draft")
	p.Wait("the sign is gone", func() bool { return !strings.Contains(p.Screen(), "esc to interrupt") })
	p.WaitScreen("Churning… (")
}

// The alternate screen has no scrollback, the main one has.
func TestScreens(t *testing.T) {
	for _, alternate := range []string{"0", "1"} {
		t.Run(alternate, func(t *testing.T) {
			p := start(t, "--alternate="+alternate)
			p.Type("/lines 300")
			p.Submit()
			p.WaitScreen("300. Line number 300 of a long answer.")
			p.WaitScreen("? for shortcuts")
			got := p.Format("#{alternate_on} #{?#{==:#{history_size},0},none,some}")
			want := map[string]string{"0": "0 some", "1": "1 none"}[alternate]
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
			if x := p.Format("#{cursor_x}"); x != "2" {
				t.Errorf("cursor in column %s of an empty composer", x)
			}
			p.Tmux("resize-window", "-t", p.ID, "-x", "60", "-y", "20")
			p.Wait("the screen is drawn anew", func() bool {
				return strings.Contains(p.Screen(), "\n"+strings.Repeat("─", 60)+"\n❯")
			})
		})
	}
}

// A frozen agent merges text and a late Enter: no fixed pause helps.
func TestFreeze(t *testing.T) {
	p := start(t, "--busy", "0")
	p.Type("/freeze 1s")
	p.Submit()
	p.WaitEvent("freeze")
	p.Type("text")
	time.Sleep(200 * time.Millisecond) // far longer than the burst window
	p.Press("Enter")
	p.WaitEvent("newline for an Enter in a burst")
	if got := p.Submit(); got != "text" {
		t.Errorf("submitted %q", got)
	}
}

// Without brackets the lines of a paste are typed, and none submits.
func TestNoBrackets(t *testing.T) {
	p := start(t, "--no-brackets")
	p.Paste("one\n\ttwo")
	if got := p.Submit(); got != "one\n\ttwo" {
		t.Errorf("submitted %q", got)
	}
	if strings.Contains(string(p.Log().Bytes()), "\x1b[200~") {
		t.Error("brackets were sent")
	}
}

// What is typed before the first frame is lost; what is typed at a prompt that
// is drawn early is read in one go.
func TestSlowStart(t *testing.T) {
	t.Parallel()
	p := tmuxtest.Start(t, tmuxtest.Options{Agent: []string{"--start-delay", "1s"}, NoWait: true})
	p.WaitEvent("start")
	p.Type("lost")
	p.WaitReady()
	p.Type("kept")
	if got := p.Submit(); got != "kept" {
		t.Errorf("submitted %q", got)
	}

	p = tmuxtest.Start(t, tmuxtest.Options{Agent: []string{"--deaf-for", "1s"}, NoWait: true})
	p.WaitScreen("❯")
	p.Type("kept")
	p.Press("Enter")
	p.WaitEvent("newline for an Enter in a burst")
}

// HUP ends the agent, or is ignored.
func TestSignals(t *testing.T) {
	p := start(t)
	if err := syscall.Kill(p.Log().PID(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.Wait("exit", func() bool { return p.Log().Count("exit 143") == 1 })

	p = tmuxtest.Start(t, tmuxtest.Options{Agent: []string{"--ignore-signals"}})
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		if err := syscall.Kill(p.Log().PID(), s); err != nil {
			t.Fatal(err)
		}
	}
	p.Wait("both are ignored", func() bool { return p.Log().Count("ignored ") == 2 })
	p.Type("alive")
	if got := p.Submit(); got != "alive" {
		t.Errorf("submitted %q", got)
	}
}

// Traps: drafts that Enter does not send as they stand.
func TestTraps(t *testing.T) {
	p := start(t, "--traps", "--placeholders", "--placeholder", `Try "fix the build"`)
	p.WaitScreen(`❯ Try "fix the build"`)
	p.Paste(`ends in \`)
	enterUntil(p, "newline for a backslash")
	p.Press("C-c")
	p.WaitEvent("draft cleared")
	for _, text := range []string{"!ls", "/unknown"} {
		p.Paste(text)
		enterUntil(p, "not a message: starts with "+text[:1])
	}
	p.Paste(strings.Repeat("line\n", 11))
	p.WaitScreen("❯ [Pasted text #1 +11 lines]")
	if got := p.Log().Submitted(); len(got) != 0 {
		t.Errorf("submitted %q", got)
	}
}

// An interrupted message comes back into the composer.
func TestRestore(t *testing.T) {
	p := start(t, "--restore", "--busy", "1m")
	p.Type("the message")
	p.Submit()
	p.WaitScreen("esc to interrupt")
	p.Press("Escape")
	p.WaitEvent("interrupt")
	p.Wait("the text is back", func() bool { return strings.Count(p.Screen(), "❯ the message") == 2 })
}
