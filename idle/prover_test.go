package idle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/idle"
	"github.com/gastownhall/tmux-carrier/internal/tmuxtest"
	"github.com/gastownhall/tmux-carrier/nudge"
	"github.com/gastownhall/tmux-carrier/prompt"
)

func TestMain(m *testing.M) { tmuxtest.Main(m) }

// real is a real box that declares all but one capability.
type real struct {
	*tmuxtest.Conn
	without string
}

func (c real) Has(_ context.Context, capability string) bool { return capability != c.without }

func check(t *testing.T, c box.Conn) (idle.Proof, error) {
	t.Helper()
	p := idle.Prover{Carrier: &carrier.Carrier{Conn: c}}
	return p.Check(t.Context(), "s")
}

// IDL-1: without an idle boundary nothing is run.
func TestUnsupported(t *testing.T) {
	p := tmuxtest.Start(t, tmuxtest.Options{})
	for _, without := range []string{box.ReportActivity, box.ReportAttachment, box.ProcExec} {
		c := real{p.Conn(tmuxtest.Command), without}
		if _, err := check(t, c); !errors.Is(err, idle.ErrUnsupported) || c.Execs() != 0 {
			t.Errorf("without %s: %v after %d execs", without, err, c.Execs())
		}
	}
}

// IDL-2, IDL-3, PRM-1: one exec proves a real agent idle, and a busy one is not; the
// stored ready prompt is read in the same exec.
func TestCheck(t *testing.T) {
	p := tmuxtest.Start(t, tmuxtest.Options{})
	c := real{Conn: p.Conn(tmuxtest.Command)}
	proof, err := check(t, c)
	if err != nil || !proof.Idle || c.Execs() != 1 || proof.Execs != 1 {
		t.Fatalf("%+v, %v, %d execs", proof, err, c.Execs())
	}
	p.Tmux("set-environment", "-t", "=main", "GC_READY_PROMPT_PREFIX", "PROMPT> ")
	if proof, err := check(t, c); !errors.Is(err, idle.ErrBusy) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with another prompt stored: %+v, %v", proof, err)
	}
	p.Tmux("set-environment", "-u", "-t", "=main", "GC_READY_PROMPT_PREFIX")
	agent := (&carrier.Carrier{Conn: c}).Session("s")
	if r, err := agent.Nudge(t.Context(), nudge.Message{Text: "/busy 30s"}); err != nil || r.Confirmed != nudge.Accepted {
		t.Fatal(r, err)
	}
	p.WaitScreen("esc to interrupt")
	if proof, err := check(t, c); !errors.Is(err, idle.ErrBusy) || proof.Verdict.Kind != prompt.Busy {
		t.Errorf("while busy: %+v, %v", proof.Verdict, err)
	}
	p.Tmux("kill-session", "-t", "main")
	if _, err := check(t, c); !errors.Is(err, box.ErrAbsent) && !errors.Is(err, box.ErrUnavailable) {
		t.Errorf("after the end: %v", err)
	}
}

// slow answers as a box whose every exec takes so long, beside the pause that its
// script makes.
type slow struct {
	answer func(looks string, mark string) string
	trip   time.Duration
	hang   bool
	execs  int
}

func (c *slow) Has(context.Context, string) bool { return true }

func (c *slow) Exec(ctx context.Context, _ string, argv []string) ([]byte, int, error) {
	c.execs++
	if c.hang {
		select {} // deaf to its context too
	}
	nonce, args := argv[4], argv[6:]
	mark, looks := args[1], args[2]
	trip := c.trip
	if looks == "2" {
		trip += idle.Pause
	}
	select {
	case <-time.After(trip):
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
	return fmt.Appendf(nil, "\n%s begin\n%s\n%s status 0\n\n%[1]s end\n", nonce, c.answer(looks, mark), nonce), 0, nil
}

func idleAnswer(fraction bool) func(looks, mark string) string {
	rule := strings.Repeat("─", 40)
	look := "ready \ntitle x\ncommand agent\nmode \nview 2 3 40 10 0 0 0 1700000000\nscreen\nhello\n\n" + rule + "\n❯\n" + rule + "\n  ? for shortcuts\n"
	return func(looks, mark string) string {
		said := look
		if looks == "2" && fraction {
			said += "\n" + mark + "\n" + look
		}
		return said
	}
}

// IDL-2, IDL-3: round trips at the limits, in a bubble of fake time.
func TestBudget(t *testing.T) {
	for _, tt := range []struct {
		name     string
		trip     time.Duration
		separate bool
		fraction bool
		want     bool
		took     time.Duration // 0: not asked
		execs    int
	}{
		{"one exec at 4.4 s", 4400 * time.Millisecond, false, true, true, 4600 * time.Millisecond, 1},
		{"one exec at 4.9 s fails closed in 5 s", 4900 * time.Millisecond, false, true, false, 5 * time.Second, 1},
		{"one exec that ends at the mark", 4800 * time.Millisecond, false, true, false, 5 * time.Second, 1},
		{"separate execs, 2.39 s", 2390 * time.Millisecond, true, true, true, 0, 2},
		{"separate execs, 2.41 s", 2410 * time.Millisecond, true, true, false, 5 * time.Second, 2},
		{"separate execs, at the mark", 2400 * time.Millisecond, true, true, false, 5 * time.Second, 2},
		// The prompt comes with each look: the limit of 1.6 s for reading it first is gone.
		{"separate execs, 1.59 s", 1590 * time.Millisecond, true, true, true, 0, 2},
		{"separate execs, 1.61 s", 1610 * time.Millisecond, true, true, true, 0, 2},
		{"no fractional sleep", 1000 * time.Millisecond, false, false, true, 0, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &slow{answer: idleAnswer(tt.fraction), trip: tt.trip}
				p := idle.Prover{Carrier: &carrier.Carrier{Conn: c}, Separate: tt.separate}
				start := time.Now()
				proof, err := p.Check(t.Context(), "s")
				took := time.Since(start)
				if (err == nil) != tt.want || proof.Idle != tt.want {
					t.Errorf("%+v, %v after %v", proof, err, took)
				}
				if !tt.want && !errors.Is(err, idle.ErrBusy) {
					t.Errorf("got %v, want ErrBusy", err)
				}
				if tt.took != 0 && took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				synctest.Wait()
				if c.execs != tt.execs {
					t.Errorf("%d execs, want %d", c.execs, tt.execs)
				}
			})
		})
	}
}

// IDL-2: a runtime that hangs, deaf to its context, is left at the mark. Real time:
// a goroutine that waits for ever has no end in a bubble.
func TestHang(t *testing.T) {
	p := idle.Prover{Carrier: &carrier.Carrier{Conn: &slow{hang: true}}}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := p.Check(ctx, "s"); !errors.Is(err, idle.ErrBusy) {
		t.Error(err)
	}
}

// IDL-4: Wait goes on until the agent is idle, through outages; an absent session
// ends it.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &slow{trip: 100 * time.Millisecond}
		good := idleAnswer(true)
		c.answer = func(looks, mark string) string {
			switch {
			case c.execs < 3:
				return "nonsense"
			case c.execs < 5:
				return strings.NewReplacer("❯\n", "❯ a draft\n", "view 2", "view 9").Replace(good(looks, mark))
			}
			return good(looks, mark)
		}
		p := idle.Prover{Carrier: &carrier.Carrier{Conn: c}}
		proof, err := p.Wait(t.Context(), "s", time.Minute)
		if err != nil || !proof.Idle || proof.Execs != 5 {
			t.Errorf("%+v, %v", proof, err)
		}
		c.answer = func(string, string) string { return "nonsense" }
		start := time.Now()
		if _, err := p.Wait(t.Context(), "s", 7*time.Second); !errors.Is(err, idle.ErrBusy) || time.Since(start) != 7*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}
