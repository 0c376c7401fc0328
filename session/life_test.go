package session_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/agent"
	"github.com/gastownhall/tmux-carrier/nudge"
	"github.com/gastownhall/tmux-carrier/prompt"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/session"
)

// SES-2: the launch's command arrives as it is, however it is made and however long,
// and the box's environment with it; nothing stays behind in the box.
func TestLaunchCommand(t *testing.T) {
	long := strings.Repeat("it's $HOME; ", 1500) // 18 KB, above tmux's 16 KiB
	tests := []struct {
		name, args, want string
		root             bool // it is the pane's root process: nothing of sh's stands around it
	}{
		{"quotes", `'a  b' "c;" \; 'd"e' '#{pane_id}' '#(id)' !PANE! '%H' ;`, "a  b|c;|;|d\"e|#{pane_id}|#(id)|!PANE!|%H|", false},
		{"two lines", "one\n", "one|", true},
		{"long", shellQuote(long), long + "|", true},
		{"long, at a semicolon", shellQuote(long) + ";", long + "|", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, full)
			out := filepath.Join(r.dir, "out")
			script := filepath.Join(r.dir, "script")
			code := fmt.Sprintf("#!/bin/sh\nprintf '%%s|' \"$@\" >%[1]s.new\necho \"env $SAID <${UNSET-none}> $$\" >>%[1]s.new\nmv %[1]s.new %[1]s\nexec sleep 600\n", out)
			if err := os.WriteFile(script, []byte(code), 0o700); err != nil {
				t.Fatal(err)
			}
			o := r.options()
			o.Config.Command = script + " " + tt.args
			o.Config.Env = map[string]string{"SAID": "so", "UNSET": "", "TMPDIR": r.dir}
			got := r.start(o)
			r.wait("the program has started", func() bool { _, err := os.Stat(out); return err == nil })
			data, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			args, env, _ := strings.Cut(string(data), "env ")
			if args != tt.want {
				t.Errorf("%d bytes %.200q, want %d bytes %.200q", len(args), args, len(tt.want), tt.want)
			}
			if want := fmt.Sprintf("so <none> %d\n", got.PID); !strings.HasPrefix(env, "so <none> ") || tt.root && env != want {
				t.Errorf("env %q, want %q", env, want)
			}
			if left, _ := filepath.Glob(filepath.Join(r.dir, "gc-launch.*")); len(left) > 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'" }

// SES-2: a runtime that provisions a session main of its own gets the agent into that
// pane, with remain-on-exit as the runtime had it.
func TestLaunchIntoPane(t *testing.T) {
	r := newRig(t, full)
	r.faults(fault{Op: "exec", Nth: 1, Box: `tmux new-session -d -s main 'sleep 600' ';' set-option -p -t =main: remain-on-exit on ';' set-option -p -t =main: @gc_fence stale`})
	got := r.start(r.options())
	if r.fence() != string(got.Token) || got.Token == "stale" {
		t.Errorf("fence %s, %+v", r.fence(), got)
	}
	if n := r.tmux("list-panes", "-a", "-F", "x"); n != "x" {
		t.Errorf("panes %q", n)
	}
	if kept := r.tmux("show-options", "-pqv", "-t", "=main:", "remain-on-exit"); kept != "on" {
		t.Errorf("remain-on-exit %q", kept)
	}
	r.wait("the agent", func() bool { return r.log().PID() == got.PID })
}

// Relaunch also takes a pane whose agent is dead, and a box whose session is gone.
func TestRelaunchOfTheDead(t *testing.T) {
	for name, command := range map[string]string{
		"dead pane": "tmux set-option -gw remain-on-exit on; tmux respawn-pane -k -t =main: 'exit 3'; sleep 0.2",
		"gone":      "tmux kill-session -t =main",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, full)
			r.start(r.options())
			r.faults(fault{Op: "exec", Nth: 1, Box: command})
			got, err := session.Relaunch(t.Context(), r.options())
			if err != nil {
				t.Fatal(err)
			}
			if r.fence() != string(got.Token) || !r.running() {
				t.Errorf("fence %s, %+v", r.fence(), got)
			}
		})
	}
}

// A relaunch that fails stops nothing, and never leaves the old fence on a new process.
func TestRelaunchFails(t *testing.T) {
	tests := []struct {
		name    string
		fault   fault
		command string
		want    error
		left    string
	}{
		{name: "not run", fault: fault{Op: "exec", Nth: 1, How: "fail"}, want: box.ErrUnavailable, left: "old"},
		{name: "not answered", fault: fault{Op: "exec", Nth: 1, How: "fail", After: true}, want: box.ErrUnavailable, left: "new"},
		{name: "ends at once", command: "echo alas; exit 3", left: "new"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, full)
			o := r.options()
			o.Token = "old"
			r.start(o)
			if tt.command != "" {
				o.Config.Command, o.Dialogs = tt.command, session.DialogsAnswer
				r.tmux("set-option", "-gw", "remain-on-exit", "on")
			}
			r.faults(tt.fault)
			o.Token = "new"
			_, err := session.Relaunch(t.Context(), o)
			var ended *session.EndedError
			if tt.want == nil && (!errors.As(err, &ended) || ended.Status != 3 || !strings.Contains(ended.Screen, "alas")) || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("error %v", err)
			}
			if r.count("stop") > 0 {
				t.Errorf("asked %v", r.asked())
			}
			if got := r.left(); got != tt.left {
				t.Errorf("left %s, want %s", got, tt.left)
			}
		})
	}
}

// FEN-3, FEN-6: keys for one incarnation, sent while it is being replaced, reach that one
// or nobody. Each incarnation has a key of its own.
func TestRelaunchUnderInput(t *testing.T) {
	r := newRig(t, full)
	const lives = 4
	options := func(n int) session.Options {
		o := incarnation(r.runtime, r.dir, n)
		o.Runtime = r.runtime
		return o
	}
	key := func(n int) string { return string(rune('a' + n)) }
	r.start(options(0))
	ctx, stop := context.WithCancel(t.Context())
	var senders sync.WaitGroup
	for n := range lives {
		senders.Go(func() {
			for ctx.Err() == nil {
				_, _ = nudge.Press(ctx, door(r), r.name, nudge.Keys{Keys: []string{key(n)}, Fence: incarnationToken(n)})
			}
		})
	}
	for n := 1; n < lives; n++ {
		r.wait("the incarnation has taken a key", func() bool {
			log, _ := agent.ReadLog(incarnationLog(r.dir, n-1))
			return len(log.Bytes()) > 0
		})
		if _, err := session.Relaunch(t.Context(), options(n)); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	senders.Wait()
	for n := range lives {
		log, err := agent.ReadLog(incarnationLog(r.dir, n))
		if err != nil {
			t.Fatal(err)
		}
		if others := strings.ReplaceAll(string(log.Bytes()), key(n), ""); others != "" {
			t.Errorf("incarnation %d read %q", n, others)
		}
	}
}

// A runtime without exec: no fence, no prompt; dialogs by its own peek and send-keys.
func TestWithoutExec(t *testing.T) {
	r := newRig(t, nil)
	r.faults(fault{Op: "exec", How: "unknown"})
	o := r.options()
	o.Config.Command = r.replayed(0, "claude-2.1-trust", "claude-2.1-idle")
	o.Dialogs = session.DialogsAnswer
	o.Token = "asked-for"
	var told []string
	o.Warn = func(text string) { told = append(told, text) }
	got := r.start(o)
	if got.Token != "" || got.Pane != "" || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "no fence was set") || !slices.Equal(told, got.Warnings) {
		t.Errorf("%+v", got)
	}
	if picked, keys := r.picked(); keys != 2 || !slices.Equal(picked, []string{"Yes, I trust this folder"}) {
		t.Errorf("picked %q by %d keys", picked, keys)
	}
}

// PRM-1, FEN-1: what is not declared is not touched.
func TestNothingDeclared(t *testing.T) {
	for want, caps := range map[string][]string{
		"is-running start": {rpp.CapExec},
		"provision exec":   {rpp.CapExec, rpp.CapProvision},
	} {
		r := newRig(t, caps)
		r.faults()
		got := r.start(r.options())
		if asked := strings.Join(r.asked(), " "); asked != want {
			t.Errorf("asked %s, want %s", asked, want)
		}
		if left := r.left(); left != "none" || got.Token != "" {
			t.Errorf("fence %s, %+v", left, got)
		}
		if env := r.tmux("show-environment", "-t", "=main"); strings.Contains(env, "READY_PROMPT") {
			t.Errorf("%s: stored %q", want, env)
		}
	}
}

// A runtime that cannot stop has not stopped; an absent session is stopped.
func TestStop(t *testing.T) {
	r := newRig(t, full)
	if err := session.Stop(t.Context(), r.runtime, r.name); err != nil {
		t.Error(err)
	}
	r.faults(fault{Op: "stop", How: "unknown"})
	if err := session.Stop(t.Context(), r.runtime, r.name); err == nil {
		t.Error("it says stopped")
	}
}

// RPP-6: a handshake that is malformed declares nothing; one that cannot be had now fails
// the start before anything is touched.
func TestHandshake(t *testing.T) {
	r := newRig(t, nil)
	if err := os.WriteFile(filepath.Join(r.dir, "capabilities"), []byte(`"broken"`), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r.faults()
	if _, err := session.Start(ctx, r.options()); !errors.Is(err, context.Canceled) || len(r.asked()) > 0 {
		t.Errorf("%v, asked %v", err, r.asked())
	}
	r.runtime.Command[0] += "-that-is-not-there"
	if _, err := session.Start(t.Context(), r.options()); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	r.runtime.Command[0] = strings.TrimSuffix(r.runtime.Command[0], "-that-is-not-there")
	o := r.options()
	o.Name = "-flag"
	if _, err := session.Start(t.Context(), o); !errors.Is(err, rpp.ErrName) || r.count("start")+r.count("stop") > 0 {
		t.Errorf("%v, asked %v", err, r.asked())
	}
}

// SES-5, RPP-11: unset is told from "cannot tell"; the instance token makes the fence.
func TestIdentity(t *testing.T) {
	r := newRig(t, full)
	if id, err := session.Identity(t.Context(), r.runtime, r.name); err != nil || id != (session.ID{}) {
		t.Errorf("of nobody: %+v, %v", id, err)
	}
	r.faults(fault{Op: "get-meta", Nth: 2, How: "fail"})
	if id, err := session.Identity(t.Context(), r.runtime, r.name); err == nil || id != (session.ID{}) {
		t.Errorf("cannot tell: %+v, %v", id, err)
	}
	one := session.IDOf(map[string]string{"GC_SESSION_ID": "a", "GC_INSTANCE_TOKEN": "b", "GC_RUNTIME_EPOCH": "1"})
	two := one
	two.Epoch = "2"
	if one.Token() == two.Token() || one.Token() == "" || (session.ID{Session: "a", Epoch: "1"}).Token() != "" {
		t.Error(one.Token(), two.Token())
	}
}

// Observe takes it all in one exec, and the screen alone where there is none.
func TestObserve(t *testing.T) {
	r := newRig(t, full)
	r.start(r.options("--title", "title"))
	c := &carrier.Carrier{Conn: r.runtime}
	r.wait("the prompt", func() bool {
		r.faults()
		seen, err := session.Observe(t.Context(), c, r.name)
		if err != nil {
			t.Fatal(err)
		}
		if asked := r.asked(); !slices.Equal(asked, []string{"exec"}) {
			t.Fatalf("asked %v", asked)
		}
		return prompt.Classify(seen, prompt.Options{}).Kind == prompt.Idle && seen.Title == "title" && seen.CursorKnown
	})
}

// Launch stops the box that it could not launch in, whoever provisioned it.
func TestProvisionThenLaunch(t *testing.T) {
	r := newRig(t, full)
	o := r.options()
	if err := session.Provision(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if r.running() {
		t.Error("a box without an agent runs")
	}
	o.Token = "not a token"
	r.faults()
	if _, err := session.Launch(t.Context(), o); err == nil || r.count("stop") != 1 {
		t.Errorf("%v, asked %v", err, r.asked())
	}
	o.Token = ""
	if err := session.Provision(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	got, err := session.Launch(t.Context(), o)
	if err != nil || !r.running() || fence.Token(r.fence()) != got.Token {
		t.Errorf("%+v, %v", got, err)
	}
}
