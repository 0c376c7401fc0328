package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/sleep"
	"github.com/gastownhall/tmux-carrier/sleep/live"
)

// sleepFlags say which sessions sleep, and where their controller keeps its state. All
// verbs find the controller by the same two, and there is nothing else to be known.
type sleepFlags struct {
	config string
	state  string
}

const sleepVariable = "TMUX_CARRIER_SLEEP"

func (f *sleepFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "", "the sleep config, a TOML `FILE`: which sessions, when they sleep, how they start (default $"+sleepVariable+")")
	flags.StringVar(&f.state, "state", "", "the `DIR` in which the controller keeps its state (default FILE.state)")
}

// asleep is what the flags name.
type asleep struct {
	sessions *live.Sessions
	config   sleep.Config
	state    string
}

// read reads the config. Nothing is asked of the runtime.
func (f *sleepFlags) read(p *program) (*asleep, error) {
	file := f.config
	if file == "" {
		file = os.Getenv(sleepVariable)
	}
	if file == "" {
		return nil, usagef("--config FILE is wanted: the sleep config (or $%s)", sleepVariable)
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, usagef("--config: %v", err)
	}
	config, warnings, err := sleep.Parse(text)
	for _, w := range warnings {
		p.warn(file + ": " + w.String())
	}
	if err != nil {
		return nil, usagef("--config %s: %v", file, err)
	}
	runtime, err := p.provider()
	if err != nil {
		return nil, err
	}
	sessions, err := live.New(runtime, config, filepath.Dir(file))
	if err != nil {
		return nil, usagef("--config %s: %v", file, err)
	}
	a := &asleep{sessions: sessions, config: config, state: f.state}
	if a.state == "" {
		a.state = file + ".state"
	}
	return a, nil
}

const (
	// wakeTime is how long a wake may take: a stop that is under way has 35 s, a start
	// after it 130 s.
	wakeTime = 3 * time.Minute
	// readyTime is how long an agent may take to show its composer.
	readyTime = time.Minute
)

// wake has the session up.
func (a *asleep) wake(ctx context.Context, p *program, name string, why sleep.Reason) error {
	if !a.sessions.Has(name) {
		return usagef("the sleep config names no session %q", name)
	}
	defer p.progress("waking " + name)()
	ctx, cancel := context.WithTimeout(ctx, wakeTime)
	defer cancel()
	return a.sessions.Wake(ctx, a.state, name, why)
}

// wakeFlags are --wake of the verbs that need a session up.
type wakeFlags struct {
	wake bool
	from sleepFlags
}

func (f *wakeFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.wake, "wake", false, "start the session if it sleeps, by the [session.start] of --config; an agent that was started is waited for")
	f.from.register(cmd)
}

// up has the session up, if --wake is given. With ready, its agent can be typed to.
func (f *wakeFlags) up(ctx context.Context, p *program, name string, why sleep.Reason, ready bool) error {
	if !f.wake {
		if f.from != (sleepFlags{}) {
			return usagef("--config and --state say how to --wake")
		}
		return nil
	}
	a, err := f.from.read(p)
	if err != nil {
		return err
	}
	if err := a.wake(ctx, p, name, why); err != nil || !ready {
		return err
	}
	defer p.progress("waiting for " + name)()
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	proof, err := a.sessions.Ready(ctx, name)
	return notIdle(proof, err)
}
