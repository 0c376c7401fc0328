package local

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/internal/agent"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/internal/runtimetest"
)

// tampered makes the box's tmux do something else once, when a client's command line
// matches a shell pattern. $REAL is tmux itself.
func tampered(t *testing.T, r *runtimetest.Rig, pattern, instead string) map[string]string {
	t.Helper()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	once := filepath.Join(bin, "done")
	script := "#!/bin/sh\ncase \"$*\" in\n" + pattern + ")\n\tif [ ! -e " + once + " ]; then\n\t\t: >" + once + "\n\t\t" +
		instead + "\n\tfi\n\t;;\nesac\nexec \"$REAL\" \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "tmux"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"REAL": tmux, "PATH": bin + ":" + os.Getenv("PATH")}
}

// noWaiter waits until the session's waiter has ended by itself.
func noWaiter(t *testing.T, r *runtimetest.Rig, name string) {
	t.Helper()
	state := []byte("GC_EXEC_STATE_DIR=" + stateOf(r) + "\x00")
	r.Wait(t, name, "the end of the waiter", func() bool {
		environs, _ := filepath.Glob("/proc/[0-9]*/environ")
		return !slices.ContainsFunc(environs, func(path string) bool {
			env, err := os.ReadFile(path)
			return err == nil && bytes.Contains(env, state) && bytes.Contains(env, []byte("TMUX_CARRIER_WAITER="))
		})
	})
}

// SES-4, NUD-5: an answer that does not come, at any stage, does not lose the start
// config's nudge, nor double it.
func TestNudgeIsCut(t *testing.T) {
	for at, c := range map[string]struct{ pattern, instead string }{
		"before the text":  {"*paste-buffer*", "exit 1"},
		"after the text":   {"*paste-buffer*", `"$REAL" "$@" >/dev/null; exit 1`},
		"before the Enter": {"*send-keys*submitted*", "kill -9 $PPID; exit 1"},
		"after the Enter":  {"*send-keys*submitted*", `"$REAL" "$@" >/dev/null; exit 1`},
	} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			const text = "first line\nsecond line"
			r.MustStart(t, "cut", rpp.StartConfig{Command: r.Agent(), Nudge: text, Env: tampered(t, r, c.pattern, c.instead)})
			noWaiter(t, r, "cut")
			r.Wait(t, "cut", "the nudge", func() bool { return slices.Equal(r.Log(t).Submitted(), []string{text}) })
		})
	}
}

// SES-4, FEN-3: an agent that takes the pane between the waiter's look and its typing
// does not get the nudge of the one before.
func TestNudgeIsFenced(t *testing.T) {
	r := newRig(t)
	second := filepath.Join(r.Work, "second.log")
	env := tampered(t, r, "*@gc_input*", `"$REAL" respawn-pane -k -t =main: "$NEXT" ';' set-option -p -t =main: @gc_fence second`)
	env["NEXT"] = r.Demo + " --log " + second
	r.MustStart(t, "next", rpp.StartConfig{
		Command: r.Agent(), Nudge: "for the first", Env: env,
		SessionSetup: []string{"tmux set-option -p -t =main: @gc_fence first"},
	})
	noWaiter(t, r, "next")
	var log agent.Log
	r.Wait(t, "next", "the second agent", func() bool {
		log, _ = agent.ReadLog(second)
		return slices.Contains(log.Events(), "ready")
	})
	if got := log.Bytes(); len(got) > 0 {
		t.Errorf("the second agent got %q", got)
	}
	said, err := os.ReadFile(filepath.Join(stateOf(r), "gc-session-tmux-"+strconv.Itoa(os.Geteuid()), "next", "log"))
	if !strings.Contains(string(said), "not typed: the agent has ended") {
		t.Errorf("the waiter's last words: %q, %v", said, err)
	}
}
