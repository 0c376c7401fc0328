package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/idle"
	"github.com/gastownhall/tmux-carrier/internal/agent"
	"github.com/gastownhall/tmux-carrier/nudge"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/session"
)

// hostileMessage holds what gets lost elsewhere: what shells, tmux and terminals give
// a meaning to.
const hostileMessage = `-n ; 'quotes' "and" \back\ $(id) ` + "`id` #{pane_id} #(id) $HOME\n" +
	"\ttabs, nbsp\u00a0, 漢字, 👩‍👩‍👧‍👦, e\u0301, שלום\nEnter\nC-c\n*?[a-z] ~ ! %s {x,y};"

// longMessage is 100 KiB.
var longMessage = strings.Repeat("0123456789 'abc' $(id) 漢字;\n", 100<<10/31+1)[:100<<10-1] + "."

// localTour shows every verb.
func localTour(ctx context.Context, d *demo) error {
	d.p.say("A box on this machine's tmux, with the demo agent in it:\n")
	prover := idle.Prover{Carrier: d.carrier()}
	first, err := d.start(ctx, "start demo -- demo-agent")
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return d.waitIdle(ctx, &prover, "idle demo --wait 20s") },
		func() error { return d.nudge(ctx, `nudge demo "Hello, agent"`, "Hello, agent", first, "") },
		func() error {
			return d.step("interrupt demo", func() (string, error) {
				pressed, err := d.session.Interrupt(ctx, first)
				return fmt.Sprintf("%s: %s", pressed.Stage, strings.Join(pressed.Keys, " ")), err
			})
		},
		func() error {
			return d.nudge(ctx, "nudge demo < hostile characters", hostileMessage, first, "m1")
		},
		func() error {
			return d.step("nudge demo --id m1 < the same again", func() (string, error) {
				r, err := d.session.Nudge(ctx, nudge.Message{Text: hostileMessage, ID: "m1", Fence: first})
				if err == nil && len(d.submitted()) != d.took {
					err = errors.New("it was typed twice")
				}
				return fmt.Sprintf("%s, and typed once only", r.Stage), err
			})
		},
		func() error {
			return d.step("receipt demo m1", func() (string, error) {
				r, err := d.session.Receipt(ctx, "m1")
				return string(r.Stage), err
			})
		},
		func() error { return d.nudge(ctx, "nudge demo < 100 KiB", longMessage, first, "") },
		func() error { return d.waitIdle(ctx, &prover, "idle demo --wait 20s") },
		func() error {
			return d.step("keys demo h i", func() (string, error) {
				pressed, err := d.session.Keys(ctx, nudge.Keys{Keys: []string{"h", "i"}, Fence: first})
				return string(pressed.Stage), err
			})
		},
		func() error { return d.peek(ctx, "peek demo --tail 3", carrier.View{Tail: 3}) },
		func() error {
			return d.step("clear demo", func() (string, error) { return "cleared", d.session.ClearScrollback(ctx) })
		},
		func() error { return d.dialogs(ctx) },
		func() error {
			return d.step("ls", func() (string, error) {
				names, err := d.runtime.ListRunning(ctx, "")
				if err != nil || len(names) != 1 {
					return "", fmt.Errorf("%d sessions: %w", len(names), err)
				}
				r := look(ctx, d.carrier(), d.runtime, names[0])
				return fmt.Sprintf("%s: %s, attached: %s", r.Session, r.State, yesNo(r.Attached)), nil
			})
		},
		func() error { return d.stale(ctx, first) },
		func() error { return d.stop(ctx) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// scriptTour shows that any runtime will do.
func scriptTour(ctx context.Context, d *demo) error {
	token, err := d.start(ctx, "start demo -- demo-agent")
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return d.nudge(ctx, `nudge demo "Hello, agent"`, "Hello, agent", token, "") },
		func() error { return d.nudge(ctx, "nudge demo < hostile characters", hostileMessage, token, "") },
		func() error { return d.nudge(ctx, "nudge demo < 100 KiB", longMessage, token, "") },
		func() error { return d.peek(ctx, "peek demo --lines 100", carrier.View{Lines: 100}) },
		func() error { return d.stop(ctx) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (d *demo) carrier() *carrier.Carrier { return &carrier.Carrier{Conn: d.runtime} }

func (d *demo) start(ctx context.Context, line string) (t fence.Token, err error) {
	command, err := d.command()
	if err != nil {
		return "", err
	}
	return t, d.step(line, func() (string, error) {
		o := session.Options{Runtime: d.runtime, Name: "demo", Config: rpp.StartConfig{Command: command, WorkDir: d.dir}}
		r, err := session.Start(ctx, o)
		t = r.Token
		return "its fence is " + string(t), err
	})
}

func (d *demo) waitIdle(ctx context.Context, prover *idle.Prover, line string) error {
	return d.step(line, func() (string, error) {
		proof, err := prover.Wait(ctx, "demo", 20*time.Second)
		return proof.Verdict.Kind.String() + ": " + proof.Verdict.Sign, err
	})
}

// nudge sends a message, and compares what the agent took with it.
func (d *demo) nudge(ctx context.Context, line, text string, f fence.Token, id string) error {
	return d.step(line, func() (string, error) {
		r, err := d.session.Nudge(ctx, nudge.Message{Text: text, ID: id, Fence: f})
		if err != nil {
			return "", err
		}
		d.took++
		if err := d.arrived(ctx); err != nil {
			return "", err
		}
		if got := d.submitted()[d.took-1]; got != text {
			return "", fmt.Errorf("%d bytes were sent, and other %d arrived", len(text), len(got))
		}
		return fmt.Sprintf("%s; %d bytes arrived, byte for byte", r.Confirmed, len(text)), nil
	})
}

// arrived waits until the agent has read a message that was typed.
func (d *demo) arrived(ctx context.Context) error {
	for end := time.Now().Add(10 * time.Second); len(d.submitted()) < d.took; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(end) {
			return errors.New("the agent did not take it")
		}
	}
	return nil
}

// submitted are the messages in the agent's own log.
func (d *demo) submitted() []string {
	log, err := agent.ReadLog(d.log)
	if err != nil {
		return nil
	}
	return log.Submitted()
}

func (d *demo) peek(ctx context.Context, line string, v carrier.View) error {
	return d.step(line, func() (string, error) {
		text, err := d.session.Peek(ctx, v)
		lines := strings.Split(text, "\n")
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "❯") })
		return fmt.Sprintf("%d lines, with %q", strings.Count(text, "\n"), strings.TrimSpace(lines[max(i, 0)])), err
	})
}

func (d *demo) dialogs(ctx context.Context) error {
	return d.step("dialogs demo", func() (string, error) {
		reports, err := session.Dialogs(ctx, session.Options{Runtime: d.runtime, Name: "demo"}, false)
		return fmt.Sprintf("%d on the screen", len(reports)), err
	})
}

// stale shows that what was meant for one incarnation does not reach the next.
func (d *demo) stale(ctx context.Context, old fence.Token) error {
	command, err := d.command()
	if err != nil {
		return err
	}
	var fresh fence.Token
	err = d.step("relaunch demo -- demo-agent", func() (string, error) {
		o := session.Options{Runtime: d.runtime, Name: "demo", Config: rpp.StartConfig{Command: command}}
		r, err := session.Relaunch(ctx, o)
		fresh = r.Token
		return "its fence is " + string(fresh), err
	})
	if err != nil {
		return err
	}
	err = d.step("nudge demo --fence OLD", func() (string, error) {
		_, err := d.session.Nudge(ctx, nudge.Message{Text: "for the one before", Fence: old})
		if !errors.Is(err, fence.ErrStale) {
			return "", fmt.Errorf("not refused as stale: %w", err)
		}
		return "refused: " + fence.ErrStale.Error(), nil
	})
	if err != nil {
		return err
	}
	return d.nudge(ctx, "nudge demo --fence NEW", "for you", fresh, "")
}

func (d *demo) stop(ctx context.Context) error {
	return d.step("stop demo", func() (string, error) {
		return "stopped", session.Stop(ctx, d.runtime, "demo")
	})
}
