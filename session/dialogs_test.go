package session_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/session"
)

// SES-3: real dialogs are accepted where they are known, with as few keys as it takes,
// in a quick program and in a slow one; what is not known is left alone and named.
func TestStartupDialogs(t *testing.T) {
	tests := []struct {
		name    string
		shows   []string
		lag     time.Duration
		picked  []string
		keys    int
		warning string
	}{
		{"claude 2.1", []string{"claude-2.1-trust", "claude-2.1-bypass", "claude-2.1-idle"}, 0,
			[]string{"Yes, I trust this folder", "Yes, I accept"}, 4, ""},
		{"claude 2.1, slow", []string{"claude-2.1-trust", "claude-2.1-bypass", "claude-2.1-idle"}, 700 * time.Millisecond,
			[]string{"Yes, I trust this folder", "Yes, I accept"}, 4, ""},
		{"claude 2.1, narrow", []string{"claude-2.1-trust-80x24", "claude-2.1-idle"}, 0, []string{"Yes, I trust this folder"}, 2, ""},
		{"claude 1.0", []string{"claude-1.0-trust", "claude-2.1-idle"}, 0, []string{"1. Yes, proceed"}, 1, ""},
		{"gemini", []string{"gemini-trust", "claude-2.1-idle"}, 0, []string{"1. Trust folder (work-u8104)"}, 1, ""},
		{"qwen", []string{"qwen-trust", "claude-2.1-idle"}, 0, []string{"1. Trust folder (work-u8101)"}, 1, ""},
		{"copilot", []string{"copilot-trust", "claude-2.1-idle"}, 0, []string{"1. Yes"}, 1, ""},

		{"a permission", []string{"claude-2.1-permission"}, 0, nil, 0, "permission of claude (left)"},
		{"a permission after trust", []string{"claude-2.1-trust", "claude-2.1-permission"}, 0,
			[]string{"Yes, I trust this folder"}, 2, "permission of claude (left)"},
		{"codex's login", []string{"codex-login"}, 0, nil, 0, "login of "},
		{"amp's login", []string{"amp-login"}, 0, nil, 0, "login of amp (left)"},
		{"a promotion", []string{"cline-promo"}, 0, nil, 0, "promo of cline (left)"},
		{"no dialog", []string{"claude-2.1-idle"}, 0, nil, 0, ""},
	}
	for _, streamed := range []bool{true, false} {
		for _, tt := range tests {
			name := tt.name + ", streamed"
			if !streamed {
				name = tt.name + ", looked at"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				r := newRig(t, full)
				if !streamed {
					r.faults(fault{Op: "watch-startup", How: "fail"})
				}
				o := r.options()
				o.Config.Command = r.replayed(tt.lag, tt.shows...)
				o.Config.ProcessNames = []string{"session.test"}
				got := r.start(o)
				picked, keys := r.picked()
				if !slices.Equal(picked, tt.picked) || keys != tt.keys {
					t.Errorf("picked %q by %d keys, want %q by %d", picked, keys, tt.picked, tt.keys)
				}
				if text := strings.Join(got.Warnings, "\n"); !strings.Contains(text, tt.warning) || tt.warning == "" && text != "" {
					t.Errorf("warnings %q, want %q", text, tt.warning)
				}
				if !r.running() {
					t.Error("the agent has ended")
				}
			})
		}
	}
}

// SES-3: dialogs are answered only where process_names or a bypass dialog is declared,
// and the override wins.
func TestDialogPolicy(t *testing.T) {
	tests := []struct {
		name   string
		policy session.DialogPolicy
		names  []string
		bypass bool
		want   int
	}{
		{"nothing is declared", session.DialogsDeclared, nil, false, 0},
		{"process names", session.DialogsDeclared, []string{"x"}, false, 1},
		{"a bypass dialog", session.DialogsDeclared, nil, true, 1},
		{"always", session.DialogsAnswer, nil, false, 1},
		{"never", session.DialogsLeave, []string{"x"}, true, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, full)
			o := r.options()
			o.Config.Command = r.replayed(0, "claude-1.0-trust", "claude-2.1-idle")
			o.Config.ProcessNames, o.BypassDialog, o.Dialogs = tt.names, tt.bypass, tt.policy
			r.start(o)
			if _, keys := r.picked(); keys != tt.want {
				t.Errorf("%d keys, want %d", keys, tt.want)
			}
		})
	}
}

// SES-3: a dialog in the middle of a session is named, and answered on request; the
// keys of another incarnation's caller reach nobody.
func TestDialogsOnRequest(t *testing.T) {
	r := newRig(t, welded)
	o := r.options()
	o.Config.Command = r.replayed(0, "claude-2.1-trust", "claude-2.1-permission")
	first := r.start(o)
	r.wait("the dialog", func() bool {
		met, err := session.Dialogs(t.Context(), o, false)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Equal(met, []session.DialogReport{{Session: r.name, Agent: "claude", Dialog: "trust",
			Answer: "Yes, I trust this folder", Outcome: session.DialogLeft}})
	})
	o.Token = "stale"
	if met, err := session.Dialogs(t.Context(), o, true); err == nil || len(met) != 1 || met[0].Outcome != session.DialogLeft {
		t.Errorf("another's: %v, %v", met, err)
	}
	if _, keys := r.picked(); keys > 0 {
		t.Errorf("%d keys were read", keys)
	}
	o.Token = first.Token
	met, err := session.Dialogs(t.Context(), o, true)
	if err != nil || len(met) != 2 || met[0].Outcome != session.DialogAnswered || met[1].Dialog != "permission" || met[1].Outcome != session.DialogLeft {
		t.Errorf("%v, %v", met, err)
	}
	if picked, keys := r.picked(); keys != 2 || len(picked) != 1 {
		t.Errorf("picked %q by %d keys", picked, keys)
	}
}

// SES-3: a program that does not react gets each key once, and its dialog is reported.
func TestDialogStuck(t *testing.T) {
	t.Parallel()
	r := newRig(t, full)
	o := r.options()
	o.Config.Command = r.replayed(time.Hour, "claude-2.1-trust")
	o.Dialogs = session.DialogsAnswer
	got := r.start(o)
	if text := strings.Join(got.Warnings, "\n"); !strings.Contains(text, "trust of claude (stuck)") {
		t.Errorf("warnings %q", text)
	}
	if _, keys := r.picked(); keys != 1 {
		t.Errorf("%d keys", keys)
	}
}

// An agent that says no, by another's key, is found dead at once (SES-3, issue 5).
func TestAgentExitsAtDialog(t *testing.T) {
	r := newRig(t, full)
	r.faults(fault{Op: "exec", Nth: 2, Box: `tmux set-option -gw remain-on-exit on; tmux send-keys -t =main: Escape; sleep 0.3`})
	o := r.options()
	o.Config.Command = r.replayed(0, "claude-2.1-trust")
	o.Config.ProcessNames = []string{"session.test"}
	_, err := session.Start(t.Context(), o)
	var ended *session.EndedError
	if !errors.As(err, &ended) || ended.Status != 1 {
		t.Errorf("%v", err)
	}
}

// A pane that takes no input is a warning, not the end of the agent.
func TestDialogRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t, full)
	r.faults(fault{Op: "exec", Nth: 2, Box: `tmux select-pane -d -t =main:`})
	o := r.options()
	o.Config.Command, o.Dialogs = r.replayed(0, "claude-2.1-trust"), session.DialogsAnswer
	got := r.start(o)
	if text := strings.Join(got.Warnings, "\n"); !strings.Contains(text, "input-off") || !r.running() {
		t.Errorf("warnings %q", text)
	}
}
