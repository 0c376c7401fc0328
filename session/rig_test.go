package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/internal/agent"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/local"
	"github.com/gastownhall/tmux-carrier/session"
)

// The test binary is, by its first argument, also the runtime under test, the agent in
// a box, a program that replays an agent's dialog, and an orchestrator to be killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "be-runtime":
			os.Exit(rpp.Run(faulty(local.Runtime()), os.Args[2:]))
		case "be-agent":
			os.Exit(agent.Main(os.Args[2:]))
		case "be-dialog":
			os.Exit(replay(os.Args[2:]))
		case "be-orchestrator":
			os.Exit(orchestrate(os.Args[2:]))
		}
	}
	session.HurryAnswers(3 * time.Second)
	session.HurryProcesses(3 * time.Second)
	os.Exit(m.Run())
}

// A rig is the local runtime with real tmux, whose operations can be made to fail, one
// session of it, and a log of what was asked of it.
type rig struct {
	t       testing.TB
	dir     string
	name    string
	runtime *rpp.Provider
}

const rigEnv = "TMUX_CARRIER_SESSION_RIG"

var full = []string{rpp.CapExec, rpp.CapProvision, rpp.CapInputFence, rpp.CapReportActivity, rpp.CapReportAttachment}

var welded = []string{rpp.CapExec, rpp.CapInputFence, rpp.CapReportActivity, rpp.CapReportAttachment}

// newRig ends whatever is left of the session with the test.
func newRig(t testing.TB, capabilities []string) *rig {
	t.Helper()
	// Not t.TempDir: a socket's path is limited to about 100 bytes.
	dir, err := os.MkdirTemp("", "tc")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, dir: dir, name: "s", runtime: &rpp.Provider{Command: []string{self, "be-runtime"}}}
	// A program with the race detector sleeps for 1 s at its end, unless it is told.
	r.runtime.Env = append(os.Environ(), "GC_EXEC_STATE_DIR="+dir, rigEnv+"="+dir, "GORACE=atexit_sleep_ms=0")
	r.write("capabilities", capabilities)
	t.Cleanup(func() {
		r.faults()
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := session.Stop(ctx, r.runtime, r.name); err != nil {
			t.Errorf("cleaning up: %v", err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *rig) write(file string, v any) {
	r.t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = os.WriteFile(filepath.Join(r.dir, file), data, 0o600)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// A fault makes an operation go wrong.
type fault struct {
	Op    string
	Nth   int    // of the calls from now on; 0: each
	Box   string // a command that is run in the box first
	After bool   // the operation is done before it fails
	How   string // "fail", "exists", "temporary", "hang", "ok" (it says so and does nothing), "unknown" (exit 2), "" (only Box)
}

// faults sets what goes wrong from now on, and forgets what was asked.
func (r *rig) faults(f ...fault) {
	r.t.Helper()
	r.write("faults", f)
	if err := os.Remove(filepath.Join(r.dir, "asked")); err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
}

// asked are the operations that were run since, without the handshake.
func (r *rig) asked() []string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, "asked"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
	return strings.Fields(string(data))
}

func (r *rig) count(op string) int {
	r.t.Helper()
	return count(r.asked(), op)
}

func count(asked []string, op string) (n int) {
	for _, a := range asked {
		if a == op {
			n++
		}
	}
	return n
}

// options start the demo agent.
func (r *rig) options(flags ...string) session.Options {
	return session.Options{Runtime: r.runtime, Name: r.name, Config: rpp.StartConfig{
		Command: r.agent(flags...), WorkDir: r.dir,
	}}
}

func (r *rig) agent(flags ...string) string {
	return r.self("be-agent", append([]string{"--log", r.logPath()}, flags...)...)
}

func (r *rig) self(what string, args ...string) string {
	return strings.Join(append([]string{r.runtime.Command[0], what}, args...), " ")
}

func (r *rig) logPath() string { return filepath.Join(r.dir, "agent.log") }

func (r *rig) start(o session.Options) session.Result {
	r.t.Helper()
	result, err := session.Start(r.t.Context(), o)
	if err != nil {
		r.t.Fatal(err)
	}
	return result
}

// tmux runs a tmux command in the box.
func (r *rig) tmux(args ...string) string {
	r.t.Helper()
	out, code, err := r.runtime.Exec(r.t.Context(), r.name, append([]string{"tmux", "-u"}, args...))
	if err != nil || code != 0 {
		r.t.Fatalf("tmux %v: %d %v: %s", args, code, err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

func (r *rig) fence() string {
	r.t.Helper()
	return r.tmux("show-options", "-pqv", "-t", "=main:", "@gc_fence")
}

func (r *rig) running() bool {
	r.t.Helper()
	yes, err := r.runtime.IsRunning(r.t.Context(), r.name)
	if err != nil {
		r.t.Fatal(err)
	}
	return yes
}

func (r *rig) pid() string { return r.tmux("display-message", "-p", "-t", "=main:", "#{pane_pid}") }

// wait waits until ok, and prints the screen when it gives up.
func (r *rig) wait(what string, ok func() bool) {
	r.t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			screen, _, err := r.runtime.Peek(context.Background(), r.name, 0)
			r.t.Fatalf("gave up waiting: %s\n--- screen (%v)\n%s", what, err, strings.TrimRight(screen, "\n"))
		}
	}
}

// faulty is a runtime that fails as the rig says.
func faulty(rt rpp.Runtime) rpp.Runtime {
	dir := os.Getenv(rigEnv)
	read := func(file string, v any) {
		if data, err := os.ReadFile(filepath.Join(dir, file)); err == nil {
			_ = json.Unmarshal(data, v)
		}
	}
	inner := rt
	around := func(ctx context.Context, op, name string, do func() error) error {
		asked, _ := os.OpenFile(filepath.Join(dir, "asked"), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
		defer asked.Close()
		fmt.Fprintln(asked, op)
		log, _ := os.ReadFile(asked.Name())
		nth := count(strings.Fields(string(log)), op)
		var faults []fault
		read("faults", &faults)
		for _, f := range faults {
			if f.Op != op || f.Nth != 0 && f.Nth != nth {
				continue
			}
			if f.Box != "" {
				if _, err := inner.Exec(ctx, name, f.Box, io.Discard); err != nil {
					return err
				}
			}
			if f.After {
				if err := do(); err != nil {
					return err
				}
			}
			switch f.How {
			case "fail":
				return errors.New("a fault")
			case "exists":
				return rpp.ErrExists
			case "temporary":
				return rpp.ErrTemporary
			case "hang":
				<-ctx.Done()
				return ctx.Err()
			case "ok":
				return nil
			case "unknown":
				os.Exit(2)
			}
		}
		return do()
	}
	rt.Capabilities = func(context.Context) (all []string, err error) {
		read("capabilities", &all)
		return all, nil
	}
	type starter = func(context.Context, string, rpp.StartConfig, func(string, ...any)) error
	starting := func(op string, do starter) starter {
		return func(ctx context.Context, name string, cfg rpp.StartConfig, warn func(string, ...any)) error {
			return around(ctx, op, name, func() error { return do(ctx, name, cfg, warn) })
		}
	}
	rt.Start, rt.Provision = starting("start", inner.Start), starting("provision", inner.Provision)
	rt.Stop = func(ctx context.Context, name string) error {
		return around(ctx, "stop", name, func() error { return inner.Stop(ctx, name) })
	}
	rt.IsRunning = func(ctx context.Context, name string) (yes bool, err error) {
		err = around(ctx, "is-running", name, func() error { yes, err = inner.IsRunning(ctx, name); return err })
		return yes, err
	}
	rt.Exec = func(ctx context.Context, name, command string, out io.Writer) (code int, err error) {
		var said strings.Builder // the answer of an exec that fails after it was done is lost
		err = around(ctx, "exec", name, func() error { code, err = inner.Exec(ctx, name, command, &said); return err })
		if err == nil {
			_, err = io.WriteString(out, said.String())
		}
		return code, err
	}
	rt.GetMeta = func(ctx context.Context, name, key string) (value string, err error) {
		err = around(ctx, "get-meta", name, func() error { value, err = inner.GetMeta(ctx, name, key); return err })
		return value, err
	}
	rt.WatchStartup = func(ctx context.Context, name string, emit func(string) error) error {
		return around(ctx, "watch-startup", name, func() error { return inner.WatchStartup(ctx, name, emit) })
	}
	return rt
}

func (r *rig) log() agent.Log {
	r.t.Helper()
	log, err := agent.ReadLog(r.logPath())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
	return log
}

func door(r *rig) box.Door { return box.Door{Conn: r.runtime} }

func isError(err, want error) bool { return errors.Is(err, want) }
