package runtimetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// RUN-5: an agent that has ended is not running, its last screen can be read, and
// the next start takes its place.
func deadAgent(t *testing.T, r *Rig) {
	r.MustStart(t, "dead", rpp.StartConfig{
		Command: "trap '' HUP; (sleep 1000 &) ; while [ ! -e end ]; do sleep 0.1; done; echo last words; exit 3",
		Env:     map[string]string{"GC_SESSION_ID": "first"},
	})
	if !r.Running(t, "dead") {
		t.Fatal("not running")
	}
	if err := os.WriteFile(filepath.Join(r.Work, "end"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.Wait(t, "dead", "the end of the agent", func() bool { return !r.Running(t, "dead") })
	if got := r.Must(t, "", "peek", "dead", "1"); !strings.Contains(got, "last words") {
		t.Errorf("its screen: %q", got)
	}
	if got := r.Must(t, "", "list-running", ""); strings.TrimSpace(got) != "" {
		t.Errorf("list-running: %q", got)
	}
	for _, op := range [][]string{{"nudge", "dead"}, {"send-keys", "dead", "x"}, {"interrupt", "dead"}} {
		if got := r.Run(t, "hello", op...); got.Code != 1 {
			t.Errorf("%v: %+v", op, got)
		}
	}
	r.MustStart(t, "dead", rpp.StartConfig{Command: "sleep 1000"})
	if !r.Running(t, "dead") {
		t.Error("started over a dead one, and not running")
	}
	if got := r.Must(t, "", "get-meta", "dead", "GC_SESSION_ID"); got != "" {
		t.Errorf("the dead one's identity: %q", got)
	}
}

// SES-6: an agent that ended before start did is a failure, which says why, unless
// it is a one_shot.
func endedAtOnce(t *testing.T, r *Rig) {
	wait := []string{"while ! tmux list-panes -t =main: -F '#{pane_dead}' | grep -q 1; do sleep 0.1; done"}
	cfg := rpp.StartConfig{Command: "echo it already exists; exit 7", SessionSetup: wait}
	got := r.Start(t, "brief", cfg)
	if got.Code != 1 || !strings.Contains(got.Err, "status 7") || strings.Contains(got.Err, "already exists") {
		t.Errorf("exit %d: %q", got.Code, got.Err)
	}
	if got := r.Run(t, "true", "exec", "brief"); got.Code == 0 {
		t.Error("the box of a failed start is there")
	}
	cfg.Lifecycle = rpp.LifecycleOneShot
	cfg.ProcessNames = []string{"long-gone"}
	r.MustStart(t, "brief", cfg)
	if r.Running(t, "brief") {
		t.Error("ended, and running")
	}
}

// FEN-4 needs it: a simple command is the root process of its pane itself, and that
// pane is recorded (CAR-4). Any other command runs as it stands.
func rootProcess(t *testing.T, r *Rig) {
	for name, command := range map[string]string{
		"simple": "sleep 1000", "quoted": `sleep "1000"`, "slow": "  sleep   1000 ", "redirected": "sleep 1000 </dev/null",
	} {
		r.MustStart(t, name, rpp.StartConfig{Command: command})
		r.Wait(t, name, "sleep as root process", func() bool {
			return r.Exec(t, name, `cat "/proc/$(tmux display-message -p -t =main: '#{pane_pid}')/comm"`) == "sleep\n"
		})
	}
	if got := r.Exec(t, "simple", "tmux show-environment -t =main GC_AGENT_PANE"); got != "GC_AGENT_PANE=%0\n" {
		t.Errorf("recorded pane: %q", got)
	}
	for name, command := range map[string]string{
		"list":       "echo 1 >list; sleep 1000",
		"assignment": "X=1 sh -c 'echo $X >assignment; sleep 1000'",
		"builtin":    "cd / && echo 1 >\"$OLDPWD/builtin\" && sleep 1000",
		"loop":       "while true; do echo 1 >loop; sleep 1000; done",
		"lines":      "echo 1 >lines\nsleep 1000",
		"semicolon":  "echo 1 >semicolon; sleep 1000;",
		"hash":       "echo 1 >hash # a comment\nsleep 1000",
		"long":       "echo 1 >long; : " + strings.Repeat("x", 60<<10) + "; sleep 1000",
	} {
		r.MustStart(t, name, rpp.StartConfig{Command: command})
		r.Wait(t, name, name, func() bool {
			data, _ := os.ReadFile(filepath.Join(r.Work, name))
			return string(data) == "1\n"
		})
	}
}

// RUN-2, RPP-11: process-alive looks at the agent's tree; process_names are waited
// for.
func processes(t *testing.T, r *Rig) {
	r.MustStart(t, "tree", rpp.StartConfig{
		Command:      "sh -c 'sleep 0.3; sh ./agent-script & wait'; true",
		PreStart:     []string{"printf 'sleep 1000\\necho\\n' >agent-script"},
		ProcessNames: []string{"no-such", "agent-script"},
	})
	for names, want := range map[string]string{
		"agent-script": "true", "sleep": "true", "no-such\nsleep": "true", "no-such": "false", "gent-script": "false", "tmux": "false", "": "true",
	} {
		if got := strings.TrimSpace(r.Must(t, names, "process-alive", "tree")); got != want {
			t.Errorf("process-alive %q: %s, want %s", names, got, want)
		}
	}
}
