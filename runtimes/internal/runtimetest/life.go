package runtimetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// RUN-5, RPP-8, RPP-12: a start, a second start, exec with its exit codes, the list,
// a stop and another.
func life(t *testing.T, r *Rig) {
	r.MustStart(t, "one", rpp.StartConfig{Command: "sleep 1000"})
	if !r.Running(t, "one") {
		t.Error("started, and is-running says false")
	}
	again := r.Start(t, "one", rpp.StartConfig{Command: "sleep 1000"})
	if again.Code == 0 || !strings.Contains(again.Err, "already exists") {
		t.Errorf("a second start: exit %d, %q", again.Code, again.Err)
	}
	for _, code := range []int{0, 1, 2, 75, 127, 255} {
		if got := r.Run(t, "exit "+itoa(code), "exec", "one"); got.Code != code {
			t.Errorf("exec of exit %d: exit %d", code, got.Code)
		}
	}
	if got := r.Exec(t, "one", "pwd; echo err >&2"); got != r.Work+"\nerr\n" {
		t.Errorf("exec: %q, in %s", got, r.Work)
	}
	long := strings.Repeat("x", 200<<10)
	if got := r.Exec(t, "one", "printf %s '"+long+"'"); got != long {
		t.Errorf("a command of 200 KiB came back as %d bytes", len(got))
	}
	if got := r.Exec(t, "one", "sleep 1000 & echo done"); got != "done\n" {
		t.Errorf("exec that leaves a daemon: %q", got)
	}
	if got := r.Exec(t, "one", "tmux list-sessions -F '#{session_name}'"); got != "main\n" {
		t.Errorf("plain tmux in the box sees %q", got)
	}

	r.MustStart(t, "one-more", rpp.StartConfig{Command: "sleep 1000"})
	r.MustStart(t, "another", rpp.StartConfig{Command: "sleep 1000"})
	if got := r.Must(t, "", "list-running", "one"); got != "one\none-more\n" {
		t.Errorf("list-running one: %q", got)
	}
	if got := r.Must(t, "", "list-running", ""); got != "another\none\none-more\n" {
		t.Errorf("list-running: %q", got)
	}
	r.Must(t, "", "stop", "one")
	if r.Running(t, "one") || !r.Running(t, "one-more") {
		t.Error("stop one stopped the wrong one, or none")
	}
	r.Must(t, "", "stop", "one")
	r.MustStart(t, "one", rpp.StartConfig{Command: "sleep 1000"})
}

// RUN-3, SES-2: provision leaves a box without an agent, which has the environment
// for the launch that comes over exec.
func warmBox(t *testing.T, r *Rig) {
	cfg := rpp.StartConfig{Command: "must not run", Env: map[string]string{"GC_SESSION_ID": "s1", "GC_A": "a b"}, SessionSetup: []string{"echo $GC_A >setup"}}
	if got := r.Provision(t, "warm", cfg); got != (Result{}) {
		t.Fatalf("provision: %+v", got)
	}
	if r.Running(t, "warm") {
		t.Error("a box without an agent is running")
	}
	if got := r.Must(t, "", "get-last-activity", "warm"); got != "" && got != "\n" {
		t.Errorf("activity of no agent: %q", got)
	}
	if got := r.WaitFile(t, "warm", "setup"); got != "a b\n" {
		t.Errorf("session_setup: %q", got)
	}
	if got := r.Must(t, "", "get-meta", "warm", "GC_SESSION_ID"); strings.TrimSuffix(got, "\n") != "s1" {
		t.Errorf("identity: %q", got)
	}
	r.Exec(t, "warm", `tmux new-session -d -s main 'printf %s "$GC_A" >launched; sleep 1000'`)
	if !r.Running(t, "warm") {
		t.Error("launched, and not running")
	}
	r.Wait(t, "warm", "the launch's environment", func() bool {
		data, _ := os.ReadFile(filepath.Join(r.Work, "launched"))
		return string(data) == "a b"
	})
	for _, op := range []string{"provision", "start"} {
		if got := r.Run(t, "{}", op, "warm"); got.Code == 0 || !strings.Contains(got.Err, "already exists") {
			t.Errorf("%s of a live session: %+v", op, got)
		}
	}
	r.Exec(t, "warm", "tmux kill-session -t =main")
	if r.Running(t, "warm") {
		t.Error("killed, and running")
	}
	if got := r.Exec(t, "warm", "echo $GC_A"); got != "a b\n" {
		t.Errorf("exec in a box without an agent: %q", got)
	}
}

// SES-5, RPP-11: identity is there from the start and goes with the box; keys may
// be anybody's text.
func metadata(t *testing.T, r *Rig) {
	get := func(key string) string { return strings.TrimSuffix(r.Must(t, "", "get-meta", "meta", key), "\n") }
	r.MustStart(t, "meta", rpp.StartConfig{Command: "sleep 1000", Env: map[string]string{
		"GC_SESSION_ID": "id", "GC_INSTANCE_TOKEN": "token", "GC_RUNTIME_EPOCH": "7", "GC_OTHER": "x",
	}})
	for key, want := range map[string]string{"GC_SESSION_ID": "id", "GC_INSTANCE_TOKEN": "token", "GC_RUNTIME_EPOCH": "7", "GC_OTHER": ""} {
		if got := get(key); got != want {
			t.Errorf("get-meta %s: %q, want %q", key, got, want)
		}
	}
	for _, key := range []string{"plain", "../../escape", "a/b", "a b", "日本", strings.Repeat("k", 4000), "'; touch owned"} {
		r.Must(t, "value of "+key, "set-meta", "meta", key)
		if got := get(key); got != "value of "+key {
			t.Errorf("get-meta %q: %q", key, got)
		}
		r.Must(t, "", "remove-meta", "meta", key)
		if got := get(key); got != "" {
			t.Errorf("removed %q: %q", key, got)
		}
		r.Must(t, "", "remove-meta", "meta", key)
	}
	r.Must(t, "kept", "set-meta", "meta", "key")
	r.Must(t, "", "stop", "meta")
	if got := get("GC_SESSION_ID") + get("key"); got != "" {
		t.Errorf("after stop: %q", got)
	}
}

// RPP-10, RPP-11: what a session that does not exist answers.
func absentSession(t *testing.T, r *Rig) {
	for _, c := range []struct {
		args []string
		out  string
		code int
	}{
		{[]string{"is-running", "no"}, "false\n", 0},
		{[]string{"is-attached", "no"}, "false\n", 0},
		{[]string{"process-alive", "no"}, "false\n", 0},
		{[]string{"stop", "no"}, "", 0},
		{[]string{"nudge", "no"}, "", 0},
		{[]string{"interrupt", "no"}, "", 0},
		{[]string{"send-keys", "no", "x"}, "", 0},
		{[]string{"clear-scrollback", "no"}, "", 0},
		{[]string{"get-meta", "no", "key"}, "", 0},
		{[]string{"remove-meta", "no", "key"}, "", 0},
		{[]string{"list-running", ""}, "", 0},
		{[]string{"peek", "no", "0"}, "", 1},
		{[]string{"exec", "no"}, "", 1},
		{[]string{"attach", "no"}, "", 1},
		{[]string{"set-meta", "no", "key"}, "", 1},
		{[]string{"no-such-operation", "no"}, "", 2},
	} {
		got := r.Run(t, "text", c.args...)
		if strings.TrimSuffix(got.Out, "\n") != strings.TrimSuffix(c.out, "\n") || got.Code != c.code {
			t.Errorf("%v: exit %d, %q, %q; want exit %d, %q", c.args, got.Code, got.Out, got.Err, c.code, c.out)
		}
	}
}
