package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/sleep"
	"github.com/gastownhall/tmux-carrier/sleep/day"
)

// sleepRun is what the flags of sleep say.
type sleepRun struct {
	from     sleepFlags
	interval time.Duration
	atOnce   int
	once     bool
	dryRun   bool
	explain  string
	metrics  string
	simulate bool
	seed     uint64
}

func (p *program) sleepVerb() *cobra.Command {
	var r sleepRun
	cmd := p.verb("sleep", "Put idle sessions to sleep, and wake them when they are needed", 0, 0,
		func(ctx context.Context, _ []string) error {
			switch {
			case r.simulate:
				return p.simulateDay(ctx, r)
			case r.explain != "":
				return p.explainSleep(ctx, r)
			}
			return p.sleepSessions(ctx, r)
		})
	cmd.Long = `sleep looks at the sessions of its config, stops those that are idle for long enough
at a proven idle boundary, and starts them again when something asks for them (wake,
nudge --wake, attach --wake). It runs until it is interrupted. A second one on the
same state waits until the first is gone.

What a session loses when it sleeps is what a stop of its runtime loses: processes, the
screen, the conversation unless the command resumes it. Its work_dir stays, if the
config names one.

Decisions are printed when they change; with --json all of them, one a line.`
	cmd.Example = `  tmux-carrier sleep --config sleep.toml
  tmux-carrier sleep --config sleep.toml --once --dry-run

sleep.toml:
  [session_sleep]                  # a duration, "0s" or "off"; what is left out is off
  interactive_resume = "30m"
  interactive_fresh = "off"
  noninteractive = "5m"

  [[session]]
  name = "bob"
  class = "interactive_resume"
  sleep_after_idle = "10m"         # beats the class
  [session.start]                  # gc's start config; a relative work_dir counts from here
  command = "claude --continue"
  work_dir = "bob"`
	r.from.register(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&r.once, "once", false, "look at each session once, act, and end")
	flags.BoolVar(&r.dryRun, "dry-run", false, "decide, and stop, start and write nothing")
	flags.StringVar(&r.explain, "explain", "", "say what would be done with the session `NAME` now, and why")
	flags.DurationVar(&r.interval, "interval", 30*time.Second, "how often to look (`DURATION`)")
	flags.IntVar(&r.atOnce, "at-once", 32, "look at `N` sessions at a time")
	flags.StringVar(&r.metrics, "metrics", "", "serve Prometheus metrics at http://`ADDR`/metrics; of this machine only, unless ADDR names another host")
	flags.BoolVar(&r.simulate, "simulate", false, "simulate a day of 200 made-up sessions by the classes of --config, and print what it saved")
	flags.Uint64Var(&r.seed, "seed", 1, "the `N`th day to simulate")
	return cmd
}

// controller is one over the sessions of the flags, not yet open.
func (p *program) controller(r sleepRun) (*sleep.Controller, *asleep, error) {
	if r.interval <= 0 || r.atOnce <= 0 {
		return nil, nil, usagef("--interval and --at-once are more than 0")
	}
	a, err := r.from.read(p)
	if err != nil {
		return nil, nil, err
	}
	return &sleep.Controller{
		Sessions: a.sessions, Dir: a.state, Interval: r.interval, Concurrency: r.atOnce, DryRun: r.dryRun,
	}, a, nil
}

func (p *program) sleepSessions(ctx context.Context, r sleepRun) error {
	c, a, err := p.controller(r)
	if err != nil {
		return err
	}
	out := &decisions{p: p}
	for _, w := range a.sessions.Warnings() {
		out.warn(w)
	}
	a.sessions.Warn = func(session, text string) { out.warn("session " + session + ": " + text) }
	c.Log = slog.New(&warnings{out: out})
	c.OnEvent = out.print
	if err := openController(ctx, c, !r.once, out.warn); err != nil {
		return err
	}
	metrics, err := serveMetrics(r.metrics, c.WriteMetrics)
	if err != nil {
		return errors.Join(err, c.Close())
	}
	defer metrics.stop()
	if r.once {
		return errors.Join(c.Tick(ctx), c.Close())
	}
	err = c.Run(ctx)
	if ctx.Err() != nil { // that is how it ends
		err = nil
	}
	return errors.Join(err, c.Close())
}

// openController waits for another controller to end, if it is to.
func openController(ctx context.Context, c *sleep.Controller, wait bool, warn func(string)) error {
	err := c.Open()
	for told := false; wait && errors.Is(err, sleep.ErrHeld); err = c.Open() {
		if !told {
			warn(err.Error() + ": waiting until it is gone")
			told = true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return err
}

func (p *program) explainSleep(ctx context.Context, r sleepRun) error {
	r.dryRun = true // beside a controller that runs
	c, a, err := p.controller(r)
	if err != nil {
		return err
	}
	if !a.sessions.Has(r.explain) {
		return usagef("the sleep config names no session %q", r.explain)
	}
	if err := c.Open(); err != nil {
		return err
	}
	done := p.progress("looking at " + r.explain)
	e, err := c.Explain(ctx, r.explain)
	done()
	if err == nil {
		p.print(e, explanation(e))
	}
	return errors.Join(err, c.Close())
}

func (p *program) simulateDay(ctx context.Context, r sleepRun) error {
	cfg := day.Config{Seed: r.seed, Interval: r.interval}
	if r.from.config != "" {
		a, err := r.from.read(p)
		if err != nil {
			return err
		}
		cfg.Settings = a.config.Sleep
	}
	done := p.progress("simulating a day")
	report, err := day.Simulate(ctx, cfg)
	done()
	if err == nil {
		p.print(report, report.String())
	}
	return err
}
