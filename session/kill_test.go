package session_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/agent"
	"github.com/gastownhall/tmux-carrier/nudge"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/session"
)

// killsEnv is how many kills TestKilledOrchestrator tries, instead of 30.
const killsEnv = "TMUX_CARRIER_KILLS"

// orchestrate starts or relaunches an incarnation. Arguments: VERB DIR NUMBER.
func orchestrate(args []string) int {
	n, _ := strconv.Atoi(args[2])
	o := incarnation(&rpp.Provider{Command: []string{os.Args[0], "be-runtime"}}, args[1], n)
	do := session.Start
	if args[0] == "relaunch" {
		do = session.Relaunch
	}
	if _, err := do(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// incarnation n has its own token and its own log.
func incarnation(runtime *rpp.Provider, dir string, n int) session.Options {
	command := fmt.Sprintf("%s be-agent --log %s", runtime.Command[0], incarnationLog(dir, n))
	return session.Options{Runtime: runtime, Name: "s", Token: incarnationToken(n),
		Config: rpp.StartConfig{Command: command, WorkDir: dir}}
}

func incarnationToken(n int) fence.Token { return fence.Token("life-" + strconv.Itoa(n)) }

func incarnationLog(dir string, n int) string {
	return filepath.Join(dir, fmt.Sprintf("agent-%d.log", n))
}

// FEN-6, FEN-7, SES-1, SES-2, RUN-4: an orchestrator that is killed in the middle of a
// start or a relaunch leaves what the next start can deal with. No fence lets input for
// another incarnation in, no live session is torn down by a start, and when the name is
// stopped, nothing is left.
func TestKilledOrchestrator(t *testing.T) {
	kills := 30
	if testing.Short() {
		kills = 6
	}
	if n, err := strconv.Atoi(os.Getenv(killsEnv)); err == nil {
		kills = n
	}
	for name, caps := range map[string][]string{"welded": welded, "separable": full} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &killing{rig: newRig(t, caps), seen: map[string]int{}}
			k.faults()
			k.longest = 300 * time.Millisecond
			for range kills / 2 {
				k.round()
				if t.Failed() {
					break
				}
			}
			t.Logf("%v", k.seen)
			if err := session.Stop(t.Context(), k.runtime, k.name); err != nil {
				t.Error(err)
			}
			k.wait("nothing is left", func() bool { return len(k.processes()) == 0 })
			if left, _ := filepath.Glob(filepath.Join(k.dir, "gc-session-tmux-*", "*")); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

type killing struct {
	*rig
	last    int // the last incarnation that somebody tried to start
	longest time.Duration
	seen    map[string]int
}

// round kills an orchestrator at a random moment, checks what it left, starts again, and
// checks that.
func (k *killing) round() {
	k.t.Helper()
	live, pid := k.live(), ""
	if live != 0 {
		pid = k.pid()
	}
	verb := "start"
	if live != 0 && rand.IntN(3) > 0 {
		verb = "relaunch"
	}
	k.last++
	cmd := exec.Command(k.runtime.Command[0], "be-orchestrator", verb, k.dir, strconv.Itoa(k.last))
	cmd.Env = k.runtime.Env
	var said bytes.Buffer
	cmd.Stderr = &said
	began := time.Now()
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	killed := time.AfterFunc(rand.N(k.longest), func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	what := verb + " killed"
	if killed.Stop() {
		what, k.longest = verb+" came first", time.Since(began)*5/4
	}
	k.seen[what]++

	// Again, at once: what was killed may still be going on.
	k.last++
	o := incarnation(k.runtime, k.dir, k.last)
	o.Runtime = k.runtime
	_, err := session.Start(k.t.Context(), o)
	switch {
	case err == nil:
		k.seen["started again"]++
	case errors.Is(err, rpp.ErrExists):
		k.seen["it exists"]++
	default:
		k.t.Errorf("%s, then start: %v", what, err)
	}
	now := k.live()
	if live != 0 && verb == "start" && (now != live || k.pid() != pid) {
		k.t.Errorf("%s of a live session: incarnation %d (process %s) has given way to %d", what, live, pid, now)
	}
	if now == 0 {
		k.t.Errorf("%s, then start (%v): nothing lives", what, err)
		return
	}
	k.check(now)
	if rand.IntN(4) == 0 {
		if err := session.Stop(k.t.Context(), k.runtime, k.name); err != nil {
			k.t.Error(err)
		}
	}
}

// check sends keys for the last incarnations: only the one that lives may take its own.
func (k *killing) check(live int) {
	k.t.Helper()
	for n := max(1, k.last-2); n <= k.last; n++ {
		_, err := nudge.Press(k.t.Context(), door(k.rig), k.name, nudge.Keys{Keys: []string{"a"}, Fence: incarnationToken(n)})
		switch {
		case err == nil && n != live && k.live() != n: // else the killed relaunch has come through meanwhile
			k.t.Errorf("incarnation %d took a key for %d", live, n)
		case err == nil:
			k.seen["took its own key"]++
		case errors.Is(err, fence.ErrUnset):
			k.seen["has no fence"]++
		case !errors.Is(err, fence.ErrStale):
			k.t.Errorf("a key for %d, with %d alive: %v", n, live, err)
		}
	}
}

// live is the incarnation whose process is the root of the agent pane; 0: none lives.
func (k *killing) live() int {
	k.t.Helper()
	running, err := k.runtime.IsRunning(k.t.Context(), k.name)
	if err != nil {
		k.t.Fatal(err)
	}
	if !running {
		return 0
	}
	found := 0
	k.wait("the agent has logged its start", func() bool {
		pid, _ := strconv.Atoi(k.pid())
		for n := k.last; n > 0 && found == 0; n-- {
			log, _ := agent.ReadLog(incarnationLog(k.dir, n))
			for _, e := range log {
				if e.PID == pid {
					found = n
				}
			}
		}
		return found > 0
	})
	return found
}

// processes are those of the rig, but for this one.
func (k *killing) processes() (pids []string) {
	mark := []byte(rigEnv + "=" + k.dir + "\x00")
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environs {
		if env, err := os.ReadFile(path); err == nil && bytes.Contains(env, mark) {
			pids = append(pids, filepath.Base(filepath.Dir(path)))
		}
	}
	return pids
}
