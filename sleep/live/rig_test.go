package live_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/gastownhall/tmux-carrier/internal/agent"
	"github.com/gastownhall/tmux-carrier/internal/engine"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/docker"
	"github.com/gastownhall/tmux-carrier/runtimes/local"
	"github.com/gastownhall/tmux-carrier/sleep"
	"github.com/gastownhall/tmux-carrier/sleep/live"
)

// The test binary is, by its first argument, also the runtime under test, the agent in a
// box of this machine, and a controller to be killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "be-runtime":
			os.Exit(beRuntime(os.Args[2:]))
		case "be-agent":
			os.Exit(agent.Main(os.Args[2:]))
		case "be-controller":
			os.Exit(beController(os.Args[2]))
		}
	}
	os.Exit(m.Run())
}

const (
	patience = 60 * time.Second // many times what a loaded machine needs
	rigEnv   = "TMUX_CARRIER_LIVE_RIG"
	imageEnv = "GC_SESSION_DOCKER_IMAGE"
)

// A rig is a shipped runtime whose operations can be made to go wrong, in a state
// directory of its own, and a log of what was asked of it.
type rig struct {
	t       testing.TB
	dir     string
	runtime *rpp.Provider
	demo    string // the agent's command in a box
	config  string // its [[session]] tables so far
	names   []string
}

// newRig is of the local runtime for an empty image, else of docker. Every session that
// it adds is stopped with the test.
func newRig(t testing.TB, image string) *rig {
	t.Helper()
	// Not t.TempDir: a socket's path is limited to about 100 bytes.
	dir, err := os.MkdirTemp("", "tcl")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o711); err != nil { // a container's agent is another user
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, dir: dir, demo: self + " be-agent", runtime: &rpp.Provider{Command: []string{self, "be-runtime"}}}
	// A program with the race detector sleeps for 1 s at its end, unless it is told.
	r.runtime.Env = append(os.Environ(), "GC_EXEC_STATE_DIR="+dir, rigEnv+"="+dir, "GORACE=atexit_sleep_ms=0", imageEnv+"="+image)
	if image != "" {
		r.demo = "demo-agent"
	}
	t.Cleanup(func() {
		faults, _ := filepath.Glob(filepath.Join(dir, "fault-*"))
		for _, f := range faults {
			os.Remove(f)
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		var stops sync.WaitGroup
		for _, name := range r.names {
			stops.Go(func() {
				if _, err := r.runtime.Stop(ctx, name); err != nil {
					t.Errorf("cleaning up: %v", err)
				}
			})
		}
		stops.Wait()
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return r
}

// add puts a session into the config, with the demo agent and a work_dir of its own.
func (r *rig) add(name, class, after string, flags ...string) {
	r.t.Helper()
	work := filepath.Join(r.dir, "work-"+name)
	if err := os.Mkdir(work, 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Chmod(work, 0o777); err != nil { // whatever the umask
		r.t.Fatal(err)
	}
	command := strings.Join(append([]string{r.demo, "--log", filepath.Join(work, "log")}, flags...), " ")
	r.config += fmt.Sprintf("[[session]]\nname = %q\nclass = %q\nsleep_after_idle = %q\n[session.start]\ncommand = %q\nwork_dir = %q\n",
		name, class, after, command, "work-"+name)
	r.names = append(r.names, name)
}

// sessions are those of the config so far; each call's are as another process's would be.
func (r *rig) sessions() *live.Sessions {
	r.t.Helper()
	s, err := open(r.runtime, r.config, r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

func open(runtime *rpp.Provider, config, dir string) (*live.Sessions, error) {
	c, warnings, err := sleep.Parse([]byte(config))
	if err != nil {
		return nil, err
	}
	if len(warnings) > 0 {
		return nil, fmt.Errorf("warnings: %v", warnings)
	}
	return live.New(runtime, c, dir)
}

// start starts all sessions of the config, and waits until each agent has drawn itself.
func (r *rig) start(s *live.Sessions) {
	r.t.Helper()
	var group sync.WaitGroup
	for _, name := range r.names {
		group.Go(func() {
			if err := s.Start(r.t.Context(), name, ""); err != nil {
				r.t.Error(err)
			}
		})
	}
	group.Wait()
	if r.t.Failed() {
		r.t.FailNow()
	}
	for _, name := range r.names {
		r.wait(name+" is ready", func() bool { return r.log(name).Count("ready") > 0 })
	}
}

func (r *rig) state() string { return filepath.Join(r.dir, "sleep.state") }

func (r *rig) log(name string) agent.Log {
	r.t.Helper()
	log, err := agent.ReadLog(filepath.Join(r.dir, "work-"+name, "log"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.t.Fatal(err)
	}
	return log
}

func (r *rig) running(name string) bool {
	r.t.Helper()
	yes, err := r.runtime.IsRunning(r.t.Context(), name)
	if err != nil {
		r.t.Fatal(err)
	}
	return yes
}

// wait waits until ok; when it gives up it tells what was asked of the runtime.
func (r *rig) wait(what string, ok func() bool) {
	r.t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			asked := r.asked()
			r.t.Fatalf("gave up waiting: %s\nlast asked: %q", what, asked[max(0, len(asked)-30):])
		}
	}
}

// attach attaches a terminal until the function that it returns is called.
func (r *rig) attach(name string) (detach func()) {
	r.t.Helper()
	cmd := exec.Command(r.runtime.Command[0], "be-runtime", "attach", name)
	cmd.Env = append(r.runtime.Env, "TERM=xterm")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 200})
	if err != nil {
		r.t.Fatal(err)
	}
	go func() {
		for b := make([]byte, 4096); ; {
			if _, err := terminal.Read(b); err != nil {
				return
			}
		}
	}()
	r.wait(name+" is attached", func() bool {
		yes, err := r.runtime.IsAttached(r.t.Context(), name)
		return err == nil && yes
	})
	return sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = terminal.Close()
	})
}

// asked are the operations so far, "OP NAME" each, without the handshake.
func (r *rig) asked() []string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, "asked"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

func (r *rig) count(op, name string) (n int) {
	r.t.Helper()
	for _, a := range r.asked() {
		if a == op+" "+name {
			n++
		}
	}
	return n
}

// fault makes an operation of a session go wrong: "hang", "exit 2", or else an answer.
func (r *rig) fault(op, name, how string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, "fault-"+op+"-"+name), []byte(how), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// beRuntime is one operation of the rig's runtime.
func beRuntime(args []string) int {
	dir := os.Getenv(rigEnv)
	op, name := args[0], ""
	if len(args) > 1 {
		name = args[1]
	}
	if op != "protocol" {
		log, err := os.OpenFile(filepath.Join(dir, "asked"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(log, op, name)
		log.Close()
	}
	switch how, _ := os.ReadFile(filepath.Join(dir, "fault-"+op+"-"+name)); string(how) {
	case "":
	case "exit 2":
		return 2
	case "hang":
		time.Sleep(time.Hour) // until somebody ends it
	default:
		fmt.Println(string(how))
		return 0
	}
	if os.Getenv(imageEnv) != "" {
		return rpp.Run(docker.Runtime(docker.FromEnv()), args)
	}
	return rpp.Run(local.Runtime(), args)
}

// everywhere runs a test on boxes of this machine, and in containers where there is an
// engine.
func everywhere(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Parallel()
	t.Run("local", func(t *testing.T) {
		t.Parallel()
		test(t, newRig(t, ""))
	})
	t.Run("docker", func(t *testing.T) {
		t.Parallel()
		test(t, newRig(t, engine.Box(t, "bookworm")))
	})
}

// seen keeps a controller's decisions.
type seen struct {
	mu  sync.Mutex
	all []sleep.Event
}

func (s *seen) add(e sleep.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, e)
}

func (s *seen) of(name string) (events []sleep.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.all {
		if e.Session == name {
			events = append(events, e)
		}
	}
	return events
}

// rule is the last one of a session.
func (s *seen) rule(name string) sleep.Rule {
	events := s.of(name)
	if len(events) == 0 {
		return ""
	}
	return events[len(events)-1].Rule
}

// run runs a controller until the function that it returns is called.
func (r *rig) run(c *sleep.Controller) (end func()) {
	r.t.Helper()
	if err := c.Open(); err != nil {
		r.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = c.Run(ctx)
	}()
	end = sync.OnceFunc(func() {
		cancel()
		<-ended
		if err := c.Close(); err != nil {
			r.t.Error(err)
		}
	})
	r.t.Cleanup(end)
	return end
}
