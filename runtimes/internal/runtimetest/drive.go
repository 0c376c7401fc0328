package runtimetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// RPP-10, RPP-14: attached as long as a client is; activity follows what the agent
// prints.
func attachment(t *testing.T, r *Rig) {
	r.MustStart(t, "att", rpp.StartConfig{Command: "while read -r line; do echo \"$line\"; done"})
	attached := func() bool { return strings.TrimSpace(r.Must(t, "", "is-attached", "att")) == "true" }
	if attached() {
		t.Error("attached from the start")
	}
	cmd := r.Command("attach", "att")
	cmd.SysProcAttr = nil
	cmd.Env = append(cmd.Env, "TERM=xterm")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = terminal.WriteTo(discard{}) }()
	r.Wait(t, "att", "attached", attached)
	detached := func() bool { return !attached() }
	if _, err := terminal.WriteString("\x02d"); err != nil { // C-b d: detach
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("attach: %v", err)
	}
	r.Wait(t, "att", "detached", detached)

	// A terminal that goes away leaves nobody attached behind.
	gone := r.Command("attach", "att")
	gone.SysProcAttr = nil
	gone.Env = append(gone.Env, "TERM=xterm")
	if terminal, err = pty.StartWithSize(gone, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	r.Wait(t, "att", "attached again", attached)
	terminal.Close()
	_ = gone.Wait()
	r.Wait(t, "att", "detached by the end of its terminal", detached)

	activity := func() time.Time {
		at, err := time.Parse(time.RFC3339, strings.TrimSpace(r.Must(t, "", "get-last-activity", "att")))
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	before := activity()
	r.Wait(t, "att", "a later activity", func() bool {
		r.Must(t, "", "send-keys", "att", "x", "Enter")
		return activity().After(before)
	})
}

// The dedicated operations, as a carrier without exec uses them (CAR-2): the demo
// agent's log is the judge.
func driving(t *testing.T, r *Rig) {
	r.MustStart(t, "drive", rpp.StartConfig{Command: r.Agent("--burst", "0s"), SessionSetup: []string{"tmux split-window -d; tmux split-window sleep 1000"}})
	r.Wait(t, "drive", "the agent is ready", func() bool { return slices.Contains(r.Log(t).Events(), "ready") })
	const text = "-first; 'quoted' $(no)\nsecond line;"
	r.Must(t, text, "nudge", "drive")
	r.Wait(t, "drive", "the message", func() bool { return slices.Equal(r.Log(t).Submitted(), []string{text}) })
	r.Must(t, "", "send-keys", "drive", "-", "x", ";", "y", ";", "Enter")
	r.Wait(t, "drive", "the keys", func() bool { return slices.Equal(r.Log(t).Submitted(), []string{text, "-x;y;"}) })
	if got := r.Must(t, "", "peek", "drive", "50"); !strings.Contains(got, "second line;") {
		t.Errorf("peek: %q", got)
	}
	r.Exec(t, "drive", "tmux copy-mode -t =main:.%0")
	r.Must(t, "", "send-keys", "drive", "z", "Enter")
	r.Wait(t, "drive", "keys in copy mode", func() bool { return slices.Equal(r.Log(t).Submitted(), []string{text, "-x;y;", "z"}) })
	r.Must(t, "", "interrupt", "drive")
	r.Wait(t, "drive", "C-c", func() bool { return strings.Contains(string(r.Log(t).Bytes()), "\x03") })
	r.Wait(t, "drive", "no history", func() bool { // the agent may still be drawing
		r.Must(t, "", "clear-scrollback", "drive")
		return r.Exec(t, "drive", "tmux display-message -p -t =main:.%0 '#{history_size}'") == "0\n"
	})
}

// SES-4: start returns at once, and its nudge is typed when the agent is ready:
// once, whole, and never into a dialog.
func nudgeWaits(t *testing.T, r *Rig) {
	const text = "-start; \"here\"\nand $(here)\t日本;"
	r.MustStart(t, "wait", rpp.StartConfig{Command: r.Agent("--start-delay", "1s", "--dialog-at-start"), Nudge: text})
	if got := r.Log(t).Submitted(); len(got) > 0 {
		t.Errorf("start waited until %q was typed", got)
	}
	r.Wait(t, "wait", "the dialog", func() bool { return strings.Contains(r.Must(t, "", "peek", "wait", "0"), "proceed?") })
	// A waiter that did not mind the dialog would have typed before its third look.
	time.Sleep(time.Second)
	if got := r.Log(t).Bytes(); len(got) > 0 {
		t.Fatalf("typed into a dialog: %q", got)
	}
	r.Must(t, "", "send-keys", "wait", "Escape")
	r.Wait(t, "wait", "the nudge", func() bool { return len(r.Log(t).Submitted()) > 0 })
	if got := r.Log(t).Submitted(); !slices.Equal(got, []string{text}) {
		t.Errorf("submitted: %q", got)
	}
}

// watch-startup streams screens as they change, until it is killed.
func watch(t *testing.T, r *Rig) {
	r.MustStart(t, "watch", rpp.StartConfig{Command: "while read -r line; do echo \"got $line\"; done"})
	cmd := r.Command("watch-startup", "watch")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	lines := newLines(out)
	if got := lines.next(t); !strings.HasPrefix(got, `{"content":`) {
		t.Errorf("first line: %s", got)
	}
	r.Must(t, "", "send-keys", "watch", "h", "i", "Enter")
	for !strings.Contains(lines.next(t), "got hi") {
	}
}
