package mark

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// What belongs to a box, by mark, descent and session.
func TestBelongs(t *testing.T) {
	all := map[int]relative{}
	add := func(pid, parent, session int, ours, other bool) {
		all[pid] = relative{process: process{pid: pid}, parent: parent, session: session, ours: ours, other: other}
	}
	add(1, 0, 1, false, false)    // init
	add(50, 1, 50, false, false)  // somebody's login shell
	add(51, 50, 50, true, false)  // a command of ours, typed there
	add(52, 50, 50, false, false) // and one that is not
	add(60, 1, 60, true, false)   // the agent, leader of its session
	add(61, 60, 60, false, false) // its child, which cleared its environment
	add(62, 1, 60, false, false)  // the same, its parent gone
	add(63, 61, 63, false, false) // a grandchild in a session of its own
	add(64, 60, 60, false, true)  // the start of another box
	add(65, 1, 65, false, true)   // that box
	add(66, 64, 64, false, false) // what that start runs
	add(70, 71, 70, false, false) // a loop, read while it changed
	add(71, 70, 70, false, false)
	for pid, want := range map[int]bool{
		1: false, 50: false, 51: true, 52: false, 60: true, 61: true, 62: true, 63: true, 64: false, 65: false, 66: false, 70: false,
	} {
		if got := all[pid].belongs(all); got != want {
			t.Errorf("%d: %v, want %v", pid, got, want)
		}
	}
}

// RUN-5: processes are asked first, and killed when they do not listen; those of
// another mark live on.
func TestEnd(t *testing.T) {
	start := func(id, script string) *exec.Cmd {
		cmd := exec.Command("sh", "-c", script)
		cmd.Env = append(cmd.Environ(), Variable+"="+id)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		if _, err := out.Read(make([]byte, 1)); err != nil { // it is up
			t.Fatal(err)
		}
		return cmd
	}
	id := strings.ReplaceAll(t.Name(), "/", "-") + time.Now().Format("150405.000000")
	polite := start(id, "trap 'exit 7' TERM; echo; while :; do sleep 0.1; done")
	stubborn := start(id, "trap '' TERM HUP; echo; while :; do sleep 0.1; done")
	longer := start(id+"0", "echo; exec sleep 1000")

	if err := End(t.Context(), id, 500*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	_, _ = polite.Process.Wait()
	if state, _ := stubborn.Process.Wait(); state == nil || state.ExitCode() != -1 {
		t.Errorf("the stubborn one: %v", state)
	}
	if Started(longer.Process.Pid) == "" {
		t.Error("a box whose id only begins alike was ended")
	}
	if err := End(t.Context(), id, 0); err != nil {
		t.Error(err)
	}
}
