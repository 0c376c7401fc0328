package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/internal/agent"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/internal/runtimetest"
)

// as makes the test binary something else.
const as = "TMUX_CARRIER_TEST_AS"

func TestMain(m *testing.M) {
	switch os.Getenv(as) {
	case "runtime":
		rpp.Main(Runtime())
	case "agent":
		os.Exit(agent.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

func TestSuite(t *testing.T) { runtimetest.Suite(t, newRig) }

// newRig has a state directory of its own, of which nothing may be left.
func newRig(t *testing.T) *runtimetest.Rig {
	state, err := os.MkdirTemp("", "gc") // short: a socket has to fit into it
	if err != nil {
		t.Fatal(err)
	}
	return rigIn(t, state)
}

func rigIn(t *testing.T, state string) *runtimetest.Rig {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &runtimetest.Rig{
		Argv: []string{self},
		Work: t.TempDir(),
		Demo: "env " + as + "=agent " + self,
	}
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "TMUX") && !strings.HasPrefix(entry, "GC_") {
			r.Env = append(r.Env, entry)
		}
	}
	// Without GORACE each operation of a race-enabled binary ends with a second of sleep.
	r.Env = append(r.Env, "GORACE=atexit_sleep_ms=0", as+"=runtime", "GC_EXEC_STATE_DIR="+state, "TMUX=/nowhere,1,0", "TMUX_PANE=%7")
	t.Cleanup(func() {
		runtimetest.NoProcesses(t, state)
		if left, _ := filepath.Glob(filepath.Join(state, "*", "*")); len(left) > 0 {
			t.Errorf("files are left: %v", left)
		}
		if err := os.RemoveAll(state); err != nil {
			t.Error(err)
		}
	})
	return r
}
