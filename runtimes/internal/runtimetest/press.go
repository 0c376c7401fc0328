package runtimetest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// CAR-7, CAR-2: the dedicated send-keys waits for its turn as a carrier does, and
// presses nothing that is no key, and nothing into a window that would pass it on.
func keys(t *testing.T, r *Rig) {
	r.MustStart(t, "keys", rpp.StartConfig{Command: r.Agent("--burst", "0s")})
	r.Wait(t, "keys", "the agent is ready", func() bool { return slices.Contains(r.Log(t).Events(), "ready") })
	tmux := func(list string) string { return strings.TrimSpace(r.Exec(t, "keys", "tmux -u "+list)) }

	for _, wrong := range []string{"Entr", "-x", "yes", ""} {
		if got := r.Run(t, "", "send-keys", "keys", "a", wrong); got.Code != 1 {
			t.Errorf("the key %q: %+v", wrong, got)
		}
	}
	refused := func(why string) {
		t.Helper()
		for _, op := range [][]string{{"send-keys", "keys", "a"}, {"interrupt", "keys"}} {
			if got := r.Run(t, "", op...); got.Code != 1 || !strings.Contains(got.Err, why) {
				t.Errorf("%v, %s: %+v", op, why, got)
			}
		}
	}
	tmux("set-option -w -t =main: synchronize-panes on")
	refused("synchronized")
	tmux("set-option -w -t =main: synchronize-panes off ';' select-pane -d -t =main:")
	refused("input-off")
	tmux("select-pane -e -t =main:")

	// Another sender has put its text in and not pressed Enter yet.
	tmux("set-option -t =main: @gc_input \" abc.$(($(date +%s) + 500))\"")
	cmd := r.Command("send-keys", "keys", "b", "Enter")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r.Wait(t, "keys", "a second sender in the queue", func() bool {
		return len(strings.Fields(tmux("show-options -v -t =main: @gc_input"))) == 2
	})
	if got := r.Log(t).Bytes(); len(got) > 0 {
		t.Errorf("typed: %q", got)
	}
	tmux("set-option -u -t =main: @gc_input")
	if err := cmd.Wait(); err != nil {
		t.Errorf("send-keys that waited: %v", err)
	}
	r.Wait(t, "keys", "the keys", func() bool { return slices.Equal(r.Log(t).Submitted(), []string{"b"}) })
}

// The dedicated interrupt presses the agent's own keys: C-c, which stops most, ends
// OpenCode, whose turn Escape stops when it is pressed twice.
func interrupt(t *testing.T, r *Rig) {
	demo := strings.Fields(r.Demo)
	program := len(demo) - 1
	link := "ln -s \"$(command -v " + demo[program] + ")\" opencode"
	demo[program] = filepath.Join(r.Work, "opencode") // tmux drops the directories of an absolute path only
	r.Demo = strings.Join(demo, " ")
	r.MustStart(t, "int", rpp.StartConfig{Command: r.Agent("--ctrl-c", "first", "--escape", "twice", "--busy", "1h"), PreStart: []string{link}})
	r.Wait(t, "int", "the agent is ready", func() bool { return slices.Contains(r.Log(t).Events(), "ready") })
	r.Must(t, "work", "nudge", "int")
	r.Must(t, "", "interrupt", "int")
	r.Wait(t, "int", "the interrupt", func() bool { return slices.Contains(r.Log(t).Events(), "interrupt") })
	if strings.Contains(string(r.Log(t).Bytes()), "\x03") || !r.Running(t, "int") {
		t.Error("C-c was pressed")
	}
}
