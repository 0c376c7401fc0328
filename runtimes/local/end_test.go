package local

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/internal/runtimetest"
)

// daemons are things that an agent leaves behind, each with a file that shows that
// it runs: one that ignores HUP and TERM, one in a session of its own, one that was
// started twice removed, one without an environment, one that is stopped.
const daemons = `
(trap '' HUP TERM; echo >up1; while :; do sleep 1; done) &
setsid sh -c 'trap "" HUP TERM; echo >up2; while :; do sleep 1; done' &
(setsid sh -c '(echo >up3; exec sleep 1000) & exit' &)
env -i sh -c 'trap "" HUP; echo >up4; while :; do /bin/sleep 1; done' &
sh -c 'echo >up5; kill -STOP $$' &
echo >up0; trap '' HUP TERM; while :; do sleep 1; done`

func allUp(r *runtimetest.Rig) func() bool {
	return func() bool {
		up, _ := filepath.Glob(filepath.Join(r.Work, "up?"))
		return len(up) == 6
	}
}

// running lists what of the test's own binaries and daemons is left. The one without
// an environment is known by its working directory.
func inside(dir string) []string {
	var all []string
	cwds, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, cwd := range cwds {
		if at, err := os.Readlink(cwd); err == nil && at == dir {
			cmdline, _ := os.ReadFile(filepath.Join(filepath.Dir(cwd), "cmdline"))
			all = append(all, strings.ReplaceAll(string(cmdline), "\x00", " "))
		}
	}
	return all
}

func noneInside(t *testing.T, dir string) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); len(inside(dir)) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("processes are left: %q", inside(dir))
		}
	}
}

// RUN-5: stop leaves no process, whatever it ignores and wherever it went; an agent
// can stop its own session.
func TestStopLeavesNothing(t *testing.T) {
	t.Run("from outside", func(t *testing.T) {
		r := newRig(t)
		r.MustStart(t, "wild", rpp.StartConfig{Command: daemons})
		r.Wait(t, "wild", "the daemons", allUp(r))
		r.Must(t, "", "stop", "wild")
		noneInside(t, r.Work)
	})
	t.Run("from inside", func(t *testing.T) {
		r := newRig(t)
		stop := fmt.Sprintf("env %s=runtime %s stop wild; echo not reached", as, r.Argv[0])
		r.MustStart(t, "wild", rpp.StartConfig{Command: "while [ ! -e go ]; do sleep 0.1; done; " + stop})
		if err := os.WriteFile(filepath.Join(r.Work, "go"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		r.Wait(t, "wild", "no process", func() bool { return len(inside(r.Work)) == 0 })
		if r.Running(t, "wild") {
			t.Error("stopped, and running")
		}
	})
	t.Run("another box", func(t *testing.T) {
		r := newRig(t)
		start := fmt.Sprintf("echo '{\"command\":\"sleep 1000\",\"work_dir\":\"%s\"}' | env %s=runtime %s start inner; >started; sleep 1000", r.Work, as, r.Argv[0])
		r.MustStart(t, "outer", rpp.StartConfig{Command: start})
		t.Cleanup(func() { r.Must(t, "", "stop", "inner") })
		// Before its end, a start that goes with the outer box takes back what it made.
		r.Wait(t, "outer", "the start of the inner box", func() bool {
			_, err := os.Stat(filepath.Join(r.Work, "started"))
			return err == nil
		})
		r.Must(t, "", "stop", "outer")
		if !r.Running(t, "inner") {
			t.Error("the box that an agent started went with it")
		}
	})
	t.Run("a stopped server", func(t *testing.T) {
		r := newRig(t)
		r.MustStart(t, "hung", rpp.StartConfig{Command: "sleep 1000"})
		r.Exec(t, "hung", "kill -STOP $(tmux display-message -p '#{pid}')")
		r.Must(t, "", "stop", "hung")
		noneInside(t, r.Work)
	})
}

// slow are starts that stay where they are until the file "there" tells so.
var slow = map[string]rpp.StartConfig{
	"pre_start":     {PreStart: []string{"(trap '' TERM; sleep 1000) & echo >there; sleep 1000"}},
	"session_setup": {SessionSetup: []string{"echo >there; trap '' TERM HUP; while :; do sleep 1; done"}},
	"process_names": {Command: "echo >there; trap '' TERM HUP; while :; do sleep 1; done", ProcessNames: []string{"no-such"}},
}

// RUN-4: a start that is asked to end has undone everything within 2 s, wherever it
// was.
func TestCanceledStart(t *testing.T) {
	for at, cfg := range slow {
		t.Run(at, func(t *testing.T) {
			r := newRig(t)
			took, code := canceled(t, r, cfg, syscall.SIGTERM)
			if took > 2*time.Second || code <= 0 {
				t.Errorf("took %v, exit %d", took, code)
			}
			if left := inside(r.Work); len(left) > 0 {
				t.Errorf("processes are left: %q", left)
			}
			if left, _ := filepath.Glob(filepath.Join(stateOf(r), "*", "*")); len(left) > 0 {
				t.Errorf("files are left: %q", left)
			}
		})
	}
}

// RUN-4: what a killed start leaves behind, the next start replaces and stop removes.
func TestKilledStart(t *testing.T) {
	for at, cfg := range slow {
		t.Run(at, func(t *testing.T) {
			r := newRig(t)
			canceled(t, r, cfg, syscall.SIGKILL)
			if r.Running(t, "s") { // it came as far as the agent: it is adopted
				if got := r.Start(t, "s", cfg); !strings.Contains(got.Err, "already exists") {
					t.Errorf("start: %+v", got)
				}
			} else {
				r.MustStart(t, "s", rpp.StartConfig{Command: "sleep 1000"})
			}
			r.Must(t, "", "stop", "s")
			noneInside(t, r.Work)
		})
	}
}

func canceled(t *testing.T, r *runtimetest.Rig, cfg rpp.StartConfig, sig syscall.Signal) (time.Duration, int) {
	t.Helper()
	cfg.WorkDir = r.Work
	t.Cleanup(func() { r.Must(t, "", "stop", "s") })
	return r.Canceled(t, runtimetest.Config(t, cfg), func() bool {
		_, err := os.Stat(filepath.Join(r.Work, "there"))
		return err == nil
	}, sig, "start", "s")
}

// RUN-4: killed at any moment, by either signal, the next start runs.
func TestCanceledAtAnyMoment(t *testing.T) {
	r := newRig(t)
	cfg := rpp.StartConfig{Command: "sleep 1000", PreStart: []string{"true"}, SessionSetup: []string{"true"}, Nudge: "x", ProcessNames: []string{"sleep"}}
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range 20 {
		sig := []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL}[i%2]
		until := time.Now().Add(time.Duration(random.IntN(120)) * time.Millisecond)
		cfg.WorkDir = r.Work
		_, code := r.Canceled(t, runtimetest.Config(t, cfg), func() bool { return time.Now().After(until) }, sig, "start", "any")
		running := r.Running(t, "any")
		// Below 0 the signal came before there was a handler, or after start was done.
		if code >= 0 && running != (code == 0) {
			t.Fatalf("seed %d, %d: start exits %d, running %v", seed, i, code, running)
		}
		if running {
			r.Must(t, "", "stop", "any")
		}
		got := r.Start(t, "any", cfg)
		// What a killed start has begun in the box may have come to its end since.
		adopted := sig == syscall.SIGKILL && strings.Contains(got.Err, "already exists")
		if (got.Code != 0 && !adopted) || !r.Running(t, "any") {
			t.Fatalf("seed %d, %d: the next start: %+v", seed, i, got)
		}
		r.Must(t, "", "stop", "any")
		noneInside(t, r.Work)
	}
}

// Of starts of one name at the same time one wins, and the others are told.
func TestConcurrentStarts(t *testing.T) {
	r := newRig(t)
	cfg := runtimetest.Config(t, rpp.StartConfig{Command: "sleep 1000", WorkDir: r.Work, PreStart: []string{"sleep 0.2"}})
	t.Cleanup(func() { r.Must(t, "", "stop", "race") })
	var wg sync.WaitGroup
	results := make([]runtimetest.Result, 4)
	for i := range results {
		wg.Go(func() { results[i] = r.Run(t, cfg, "start", "race") })
	}
	wg.Wait()
	won := 0
	for _, got := range results {
		if got.Code == 0 {
			won++
		} else if !strings.Contains(got.Err, "already exists") {
			t.Errorf("%+v", got)
		}
	}
	if won != 1 || !r.Running(t, "race") {
		t.Errorf("%d starts won", won)
	}
}

// No value of the environment is ever on a command line, in a log or readable by
// others.
func TestSecrets(t *testing.T) {
	r := newRig(t)
	const secret = "s3cret-of-the-session"
	stop := make(chan struct{})
	var seen sync.Map
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			cmdlines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
			for _, path := range cmdlines {
				if line, err := os.ReadFile(path); err == nil && bytes.Contains(line, []byte(secret)) {
					seen.Store(string(line), true)
				}
			}
		}
	})
	got := r.Start(t, "sec", rpp.StartConfig{
		Command: "sleep 1000", Env: map[string]string{"GC_SECRET": secret, "GC_INSTANCE_TOKEN": secret, "bad.name": secret},
		PreStart: []string{"echo $GC_SECRET; exit 1"}, SessionSetup: []string{"true"},
	})
	r.Exec(t, "sec", "true")
	r.Must(t, secret, "set-meta", "sec", "key")
	close(stop)
	wg.Wait()
	seen.Range(func(line, _ any) bool {
		t.Errorf("on a command line: %q", line)
		return true
	})
	if got.Code != 0 || strings.Contains(got.Err, secret) || !strings.Contains(got.Err, "bad.name") {
		t.Errorf("start: %+v", got)
	}
	if got := r.Start(t, "sec2", rpp.StartConfig{Env: map[string]string{"A": secret + "\x00"}}); got.Code != 1 || strings.Contains(got.Err, secret) {
		t.Errorf("a NUL: %+v", got)
	}
	_ = filepath.Walk(stateOf(r), func(path string, info os.FileInfo, err error) error {
		if err != nil || path == stateOf(r) {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 && info.Mode()&os.ModeSocket == 0 {
			t.Errorf("%s is open to others: %v", path, info.Mode())
		}
		return nil
	})
}

func stateOf(r *runtimetest.Rig) string {
	for _, entry := range r.Env {
		if dir, ok := strings.CutPrefix(entry, "GC_EXEC_STATE_DIR="); ok {
			return dir
		}
	}
	return ""
}
