package runtimetest

import (
	"bufio"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// A caller is a process that provisions and launches, as a start over exec does. It is
// told what to do a line at a time, and answers each with an exit code.
type caller struct {
	io.WriteCloser
	answers *bufio.Reader
	kill    func()
}

const callerScript = `config=$1; shift
while read -r op; do
	case $op in
	provision) printf %s "$config" | "$@" provision held 2>&1 ;;
	launch) echo "tmux new-session -d -s main sleep 1000" | "$@" exec held 2>&1 ;;
	esac
	echo "exit $?"
done`

func newCaller(t *testing.T, r *Rig) *caller {
	t.Helper()
	cmd := r.Command()
	cmd.Path = "/bin/sh"
	cmd.Args = append([]string{"sh", "-c", callerScript, "caller", Config(t, rpp.StartConfig{WorkDir: r.Work})}, r.Argv...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	t.Cleanup(kill)
	return &caller{in, bufio.NewReader(out), kill}
}

// do returns what an operation said, "exit CODE" at its end.
func (c *caller) do(t *testing.T, op string) (said string) {
	t.Helper()
	if _, err := io.WriteString(c, op+"\n"); err != nil {
		t.Error(err)
	}
	for {
		line, err := c.answers.ReadString('\n')
		if said += line; err != nil || strings.HasPrefix(line, "exit ") {
			return said
		}
	}
}

// SES-2, RUN-4, RUN-5: a box whose caller has not launched its agent yet is nobody
// else's to remove, as long as that caller lives; the same caller may begin again.
func heldBox(t *testing.T, r *Rig) {
	t.Cleanup(func() { r.Must(t, "", "stop", "held") })
	first := newCaller(t, r)
	for range 2 {
		if got := first.do(t, "provision"); got != "exit 0\n" {
			t.Fatalf("provision: %q", got)
		}
	}
	for _, op := range []string{"provision", "start"} {
		if got := r.Run(t, Config(t, rpp.StartConfig{WorkDir: r.Work}), op, "held"); got.Code != 1 || !strings.Contains(got.Err, "already exists") {
			t.Errorf("%s of another's box: %+v", op, got)
		}
	}
	if got := first.do(t, "launch"); got != "exit 0\n" || !r.Running(t, "held") {
		t.Errorf("launch in a box that others wanted: %q", got)
	}

	// An agent that has come and gone holds nothing, nor does a caller that is dead.
	r.Exec(t, "held", "tmux set-option -w -t =main: remain-on-exit on \\; respawn-pane -k -t =main: true")
	r.Wait(t, "held", "the end of the agent", func() bool { return !r.Running(t, "held") })
	second := newCaller(t, r)
	if got := second.do(t, "provision"); got != "exit 0\n" {
		t.Errorf("provision over a dead agent: %q", got)
	}
	second.kill()
	r.MustStart(t, "held", rpp.StartConfig{Command: "sleep 1000"})
}

// Of callers of one name at the same time one gets the box and keeps it.
func concurrentCallers(t *testing.T, r *Rig) {
	t.Cleanup(func() { r.Must(t, "", "stop", "held") })
	var callers [4]*caller
	for i := range callers {
		callers[i] = newCaller(t, r)
	}
	var wg sync.WaitGroup
	var got [len(callers)]string
	for i, c := range callers {
		wg.Go(func() {
			if got[i] = c.do(t, "provision"); got[i] == "exit 0\n" {
				got[i] += c.do(t, "launch")
			}
		})
	}
	wg.Wait()
	won := 0
	for _, said := range got {
		switch {
		case said == "exit 0\nexit 0\n":
			won++
		case !strings.Contains(said, "already exists"):
			t.Errorf("%q", said)
		}
	}
	if won != 1 || !r.Running(t, "held") {
		t.Errorf("%d callers won: %q", won, got)
	}
}
