package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/session"
)

// SES-1, SES-2, FEN-6, PRM-1: both ways to start leave the same: an agent that is its
// pane's root process, its fence, its pane on record, its prompt; in start + 1 exec, and
// in one.
func TestStart(t *testing.T) {
	for name, caps := range map[string][]string{"welded": welded, "separable": full} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, caps)
			o := r.options()
			o.Config.Env = map[string]string{"GC_SESSION_ID": "sid", "GC_INSTANCE_TOKEN": "secret", "GC_RUNTIME_EPOCH": "7"}
			o.Config.ReadyPromptPrefix = "-é\u00a0> ;"
			r.faults()
			got := r.start(o)
			want := []string{"is-running", "start", "exec"}
			if name == "separable" {
				want = []string{"provision", "exec"}
			}
			if asked := r.asked(); !slices.Equal(asked, want) {
				t.Errorf("asked %v, want %v", asked, want)
			}
			if len(got.Warnings) > 0 {
				t.Errorf("warnings %q", got.Warnings)
			}
			if want := fence.IdentityToken("sid", "7", "secret"); got.Token != want || r.fence() != string(want) {
				t.Errorf("token %s, fence %s, want %s", got.Token, r.fence(), want)
			}
			state, err := fence.Read(t.Context(), door(r), r.name)
			if err != nil || state.PID != got.PID || state.Pane != got.Pane || state.PID == 0 {
				t.Errorf("result %+v, state %+v, %v", got, state, err)
			}
			if bound := r.tmux("show-options", "-pqv", "-t", "=main:", "@gc_fence_pid"); bound != string(got.Token)+" "+r.pid() {
				t.Errorf("bound to %q", bound)
			}
			r.wait("the agent reads", func() bool { return len(r.log()) > 0 })
			if r.log().PID() != got.PID {
				t.Errorf("the agent is process %d, its pane's root %d", r.log().PID(), got.PID)
			}
			if env := r.tmux("show-environment", "-t", "=main", "GC_READY_PROMPT_PREFIX"); env != "GC_READY_PROMPT_PREFIX=-é\u00a0> ;" {
				t.Errorf("stored %q", env)
			}
			if env := r.tmux("show-environment", "-t", "=main", "GC_AGENT_PANE"); env != "GC_AGENT_PANE="+got.Pane {
				t.Errorf("recorded %q", env)
			}
			if kept := r.tmux("show-options", "-pqv", "-t", "=main:", "remain-on-exit"); name == "separable" && kept != "" {
				t.Errorf("remain-on-exit is left %q", kept)
			}
			if !r.running() {
				t.Error("is-running says false")
			}
			id, err := session.Identity(t.Context(), r.runtime, r.name)
			if err != nil || id != session.IDOf(o.Config.Env) {
				t.Errorf("identity %+v, %v", id, err)
			}
		})
	}
}

// SES-2, FEN-3, FEN-6: a relaunch takes one exec, keeps the pane, makes a new fence and
// a new process; the old token reaches nobody.
func TestRelaunch(t *testing.T) {
	r := newRig(t, full)
	o := r.options()
	o.Config.ReadyPromptPrefix = "> "
	first := r.start(o)
	r.tmux("split-window", "-t", "=main:", "sleep", "600") // the active pane is another one now
	r.faults()
	o.Config.ReadyPromptPrefix = ""
	second, err := session.Relaunch(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if asked := r.asked(); !slices.Equal(asked, []string{"exec"}) {
		t.Errorf("asked %v", asked)
	}
	if second.Pane != first.Pane || second.PID == first.PID || second.Token == first.Token {
		t.Errorf("first %+v, second %+v", first, second)
	}
	if bound := r.tmux("show-options", "-pqv", "-t", "=main:."+second.Pane, "@gc_fence_pid"); !strings.HasPrefix(bound, string(second.Token)+" ") {
		t.Errorf("bound to %q", bound)
	}
	r.wait("the second agent", func() bool { return r.log().PID() == second.PID })
	if env := r.tmux("show-environment", "-t", "=main", "GC_READY_PROMPT_PREFIX"); env != "GC_READY_PROMPT_PREFIX=> " {
		t.Errorf("stored %q", env)
	}

	// The same token once more would let the old one's senders in.
	o.Token = second.Token
	r.faults()
	if _, err := session.Relaunch(t.Context(), o); !isError(err, session.ErrTokenInUse) {
		t.Errorf("the same token: %v", err)
	}
	if r.log().PID() != second.PID || r.count("stop") > 0 {
		t.Error("the refused relaunch did something")
	}
}

// RUN-2: a launched agent's process names are waited for, as a welded start's are; not to
// see one is a warning, and no failed start.
func TestProcessNames(t *testing.T) {
	r := newRig(t, full)
	o := r.options()
	o.Dialogs = session.DialogsLeave
	o.Config.ProcessNames = []string{"session.test"}
	if got := r.start(o); len(got.Warnings) > 0 {
		t.Errorf("warnings %q", got.Warnings)
	}
	r = newRig(t, full)
	o = r.options()
	o.Dialogs = session.DialogsLeave
	o.Config.ProcessNames = []string{"never-seen"}
	if got := r.start(o); len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "never-seen") {
		t.Errorf("warnings %q", got.Warnings)
	}
}
