package nudge_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/internal/tmuxtest"
	"github.com/gastownhall/tmux-carrier/nudge"
)

// amount is how much of a long run a test does: the value of the variable, which
// `make race` sets, or a few.
func amount(t *testing.T, variable string, few int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	t.Logf("%s is not set: %d instead of the whole run", variable, few)
	return few
}

// faulty is a box behind a bad line: calls are killed at any moment, on the host
// alone or with all that they started, and answers are lost, cut, late or asked for
// twice.
type faulty struct {
	env    []string
	faults atomic.Int64
	calm   atomic.Bool
}

func (c *faulty) Has(context.Context, string) bool { return true }

func (c *faulty) Exec(ctx context.Context, _ string, argv []string) ([]byte, int, error) {
	kind := rand.IntN(10)
	if c.calm.Load() {
		kind = 9
	}
	if kind < 6 {
		c.faults.Add(1)
	}
	switch kind {
	case 0, 1: // killed on the host: what it started in the box goes on
		return c.run(ctx, argv, time.Duration(rand.IntN(900))*time.Millisecond, false)
	case 2: // killed with all that it started
		return c.run(ctx, argv, time.Duration(rand.IntN(900))*time.Millisecond, true)
	case 3: // the answer is lost
		_, code, err := c.run(ctx, argv, 0, false)
		return nil, code, err
	case 4: // the answer is cut
		out, _, err := c.run(ctx, argv, 0, false)
		return out[:rand.IntN(len(out)+1)], 1, err
	case 5: // asked for twice
		_, _, _ = c.run(ctx, argv, 0, false)
		return c.run(ctx, argv, 0, false)
	default:
		return c.run(ctx, argv, 0, false)
	}
}

func (c *faulty) run(ctx context.Context, argv []string, kill time.Duration, group bool) ([]byte, int, error) {
	line, err := box.CommandLine(argv)
	if err != nil {
		return nil, 0, err
	}
	if kill > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, kill)
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Env = c.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 10 * time.Millisecond
	if group {
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	if ctx.Err() != nil {
		return out.Bytes(), 0, ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	return out.Bytes(), cmd.ProcessState.ExitCode(), err
}

// NUD-5, CAR-7: whatever happens to the calls, each message that is sent again with
// its ID until it is answered arrives once, whole, and apart from the others.
func TestExactlyOnceUnderFaults(t *testing.T) {
	t.Parallel()
	const senders = 4
	total := amount(t, "TMUX_CARRIER_FAULTS", 24)
	p := tmuxtest.Start(t, tmuxtest.Options{})
	c := &faulty{env: p.Env()}
	d := box.Door{Conn: c}
	var wg sync.WaitGroup
	var next atomic.Int64
	for s := range senders {
		wg.Go(func() {
			for {
				n := int(next.Add(1))
				if n > total || t.Failed() {
					return
				}
				m := nudge.Message{ID: fmt.Sprintf("id-%d", n), Text: fmt.Sprintf("message %d of sender %d\nwith a second line;", n, s), Agent: "claude"}
				for try := 0; ; try++ {
					r, err := nudge.Deliver(t.Context(), d, "s", m)
					if err == nil && r.Stage == nudge.Submitted {
						break
					}
					if try > 60 {
						t.Errorf("%s: still not answered: %+v, %v", m.ID, r, err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	got := p.WaitSubmitted(total)
	t.Logf("%d messages, %d faults", total, c.faults.Load())
	seen := map[string]int{}
	for _, text := range got {
		seen[text]++
	}
	for n := 1; n <= total; n++ {
		count := 0
		for s := range senders {
			text := fmt.Sprintf("message %d of sender %d\nwith a second line;", n, s)
			count += seen[text]
			delete(seen, text)
		}
		if count != 1 {
			t.Errorf("message %d was submitted %d times", n, count)
		}
	}
	for text := range seen {
		t.Errorf("nobody sent %q", text)
	}
	if len(got) != total {
		t.Errorf("%d messages submitted, %d sent: %q", len(got), total, got)
	}
	if b := p.Tmux("list-buffers"); c.calm.Swap(true) || b != "" {
		// The next delivery takes away what killed calls left.
		if _, err := nudge.Deliver(t.Context(), d, "s", nudge.Message{Text: "sweep"}); err != nil {
			t.Error(err)
		}
		if b := p.Tmux("list-buffers"); b != "" {
			t.Errorf("buffers left: %s", b)
		}
	}
}
