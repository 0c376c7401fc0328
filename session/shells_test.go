package session_test

import (
	"context"
	"fmt"
	"os/exec"
	"testing"

	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/internal/tmuxtest"
	"github.com/gastownhall/tmux-carrier/session"
)

// capable is a Conn whose runtime declares everything.
type capable struct{ *tmuxtest.Conn }

func (capable) Has(context.Context, string) bool { return true }

// BOX-4, PRM-1: a launch works in every shell of a box, under set -eu, in the C locale, in
// a box with a tmux.conf of its own; into a pane, and into a box without a session.
func TestLaunchInEveryShell(t *testing.T) {
	shells := [][]string{{"dash", "-eu"}, {"bash", "--posix", "-eu"}, {"busybox", "ash", "-eu"}, {"mksh", "-eu"}}
	for _, shell := range shells {
		t.Run(fmt.Sprint(shell), func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(shell[0]); err != nil {
				t.Skipf("%s is not installed: %v", shell[0], err)
			}
			pane := tmuxtest.Start(t, tmuxtest.Options{Command: []string{"cat"}, Env: []string{"LC_ALL=C"},
				Conf: "set -g base-index 3\nset -g pane-base-index 2\nset -g mouse on\nset -g remain-on-exit on\n"})
			conn := pane.Conn(tmuxtest.Command, shell...)
			conn.Env = []string{"LC_ALL=C"}
			o := session.Options{Runtime: newRig(t, full).runtime, Carrier: &carrier.Carrier{Conn: capable{conn}}, Name: "s"}
			o.Config.Command, o.Config.ReadyPromptPrefix = "sleep 600", "❯\u00a0;"
			for _, gone := range []bool{false, true} {
				if gone {
					// Another session keeps the server, whose name main is a prefix of.
					pane.Tmux("new-session", "-d", "-s", "main2", "sleep 600", ";", "kill-session", "-t", "=main")
				}
				got, err := session.Relaunch(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				want := fmt.Sprintf("%d|sleep|%s|%s %[1]d", got.PID, got.Token, got.Token)
				pane.Wait(want, func() bool {
					return pane.Tmux("display-message", "-p", "-t", "=main:."+got.Pane, "#{pane_pid}|#{pane_current_command}|#{@gc_fence}|#{@gc_fence_pid}") == want
				})
				if env := pane.Tmux("show-environment", "-t", "=main", "GC_READY_PROMPT_PREFIX"); env != "GC_READY_PROMPT_PREFIX=❯\u00a0;" {
					t.Errorf("stored %q", env)
				}
				if len(got.Warnings) > 0 {
					t.Error(got.Warnings)
				}
			}
			if n := conn.Execs(); n != 2 {
				t.Errorf("%d execs", n)
			}
		})
	}
}
