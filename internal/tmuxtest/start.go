package tmuxtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/internal/agent"
)

// agentEnv makes a test binary the demo agent; see Main.
const agentEnv = "TMUX_CARRIER_TEST_AGENT"

// BinaryEnv names a tmux to test instead of the one on PATH.
const BinaryEnv = "TMUX_TEST_BINARY"

// Main runs the tests, or the demo agent if Start asked for that.
func Main(m *testing.M) {
	if os.Getenv(agentEnv) != "" {
		os.Exit(agent.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// Options say what runs in session main. The zero value is the demo agent on a
// screen of 120x40.
type Options struct {
	Agent         []string // flags of the demo agent, beside its log
	Command       []string // run this instead of the demo agent
	Width, Height int      // 0: 120, 40 (tmux 3.2a ignores both: 80x23)
	Conf          string   // ~/.tmux.conf of the server
	Env           []string // more environment for the server, NAME=value
	NoWait        bool     // do not wait until the agent reads and the pane shows something
}

// A Pane is the pane that Start made, on a server of its own.
type Pane struct {
	t     testing.TB
	dir   string   // holds the socket, the agent's log, and HOME
	env   []string // in which plain tmux reaches the server
	agent bool

	mu  sync.Mutex
	log agent.LogReader

	Server int    // process of the tmux server
	ID     string // of the pane, as in %0
}

// Start starts a tmux server with session main, and ends it with the test.
func Start(t testing.TB, o Options) *Pane {
	t.Helper()
	binary, err := exec.LookPath(or(os.Getenv(BinaryEnv), "tmux"))
	if err != nil {
		t.Fatalf("tmux is needed (or %s): %v", BinaryEnv, err)
	}
	// Not t.TempDir: a socket path is limited to about 100 bytes, and a test's
	// name makes part of that one.
	dir, err := os.MkdirTemp("", "tc")
	if err != nil {
		t.Fatal(err)
	}
	p := &Pane{t: t, dir: dir, agent: o.Command == nil}
	p.log.Path = p.LogPath()
	t.Cleanup(p.end)

	bin := filepath.Join(dir, "bin")
	p.must(os.Mkdir(bin, 0o700))
	p.must(os.Symlink(binary, filepath.Join(bin, "tmux")))
	p.must(os.WriteFile(filepath.Join(dir, ".tmux.conf"), []byte(o.Conf), 0o600))
	p.env = []string{
		"PATH=" + bin + ":" + os.Getenv("PATH"),
		"HOME=" + dir,
		"TMUX_TMPDIR=" + dir,
	}
	command := o.Command
	if p.agent {
		command = p.AgentCommand(o.Agent...)
	}
	args := []string{
		"-u", "new-session", "-d", "-P", "-F", "#{pid} #{pane_id}", "-s", "main",
		"-x", strconv.Itoa(or(o.Width, 120)), "-y", strconv.Itoa(or(o.Height, 40)), "--",
	}
	cmd := p.command(context.Background(), append([]string{"tmux"}, append(args, command...)...))
	cmd.Env = append(cmd.Env, o.Env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("tmux new-session: %v: %s", err, out)
	}
	if n, err := fmt.Sscanf(string(out), "%d %s", &p.Server, &p.ID); n != 2 {
		t.Fatalf("tmux new-session printed %q: %v", out, err)
	}
	if p.agent && !o.NoWait {
		p.WaitReady()
	}
	return p
}

// AgentCommand is the command that runs a demo agent with this pane's log, for
// a further pane or for respawn-pane.
func (p *Pane) AgentCommand(flags ...string) []string {
	self, err := os.Executable()
	p.must(err)
	return append([]string{"env", agentEnv + "=1", self, "--log", p.LogPath()}, flags...)
}

// WaitReady waits until the agent that was started last reads its input and the
// pane shows it.
func (p *Pane) WaitReady() {
	p.t.Helper()
	p.Wait("the agent is ready", func() bool {
		events := p.Log().Events()
		i := slices.Index(events, "ready")
		for i >= 0 && slices.Contains(events[i+1:], "start") {
			events = events[i+1:]
			i = slices.Index(events, "ready")
		}
		return i >= 0 && strings.TrimSpace(p.Screen()) != ""
	})
}

// Env is an environment, and nothing more, in which plain tmux reaches the
// server: what a command finds that a runtime executes in the box.
func (p *Pane) Env() []string { return slices.Clone(p.env) }

// Dir is a private directory of the server: HOME and TMUX_TMPDIR. It goes with
// the test.
func (p *Pane) Dir() string { return p.dir }

func (p *Pane) command(ctx context.Context, argv []string) *exec.Cmd {
	path := argv[0]
	if path == "tmux" {
		path = filepath.Join(p.dir, "bin", "tmux")
	}
	cmd := exec.CommandContext(ctx, path, argv[1:]...)
	cmd.Env = p.Env()
	cmd.Dir = p.dir
	cmd.WaitDelay = time.Second
	return cmd
}

func (p *Pane) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func or[T comparable](v, zero T) T {
	var none T
	if v == none {
		return zero
	}
	return v
}
