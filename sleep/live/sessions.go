package live

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/idle"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/session"
	"github.com/gastownhall/tmux-carrier/sleep"
)

// Sessions are the sessions that a config names, in the boxes of a runtime. It is a
// sleep.Sessions. Do not copy it.
type Sessions struct {
	// Reasons says why a session must be up, beside the wishes of Wake, of which the
	// controller knows by itself: work that waits for it, say. nil: nothing.
	Reasons func(ctx context.Context, name string) ([]sleep.Reason, error)

	// Warn is told of what did not fail a start; nil: nobody.
	Warn func(session, text string)

	runtime *rpp.Provider
	carrier *carrier.Carrier
	config  sleep.Config
	starts  map[string]rpp.StartConfig
	prover  idle.Prover

	// listed is what list-running answered last; nil: it has never named a session, and
	// an empty answer is then no answer, for so a runtime reads that has no list-running.
	listed atomic.Pointer[map[string]bool]
}

// New takes the sessions of a config. A relative work_dir counts from dir, since the
// process that wakes a session is seldom the one that put it to sleep; "" leaves it as it
// is. Every [session.start] that is wrong is in the error.
func New(runtime *rpp.Provider, config sleep.Config, dir string) (*Sessions, error) {
	s := &Sessions{
		runtime: runtime,
		carrier: &carrier.Carrier{Conn: runtime},
		config:  config,
		starts:  map[string]rpp.StartConfig{},
	}
	s.prover.Carrier = s.carrier
	var errs []error
	for _, c := range config.Sessions {
		start, err := StartConfig(c.Start)
		if err != nil {
			errs = append(errs, fmt.Errorf("session %q: %w", c.Name, err))
			continue
		}
		if start.WorkDir != "" && dir != "" && !filepath.IsAbs(start.WorkDir) {
			start.WorkDir = filepath.Join(dir, start.WorkDir)
		}
		if start.Command != "" {
			s.starts[c.Name] = start
		}
	}
	return s, errors.Join(errs...)
}

// Has says whether the config names the session.
func (s *Sessions) Has(name string) bool {
	for _, c := range s.config.Sessions {
		if c.Name == name {
			return true
		}
	}
	return false
}

// Warnings are what a person should know of the config before sessions sleep.
func (s *Sessions) Warnings() (all []string) {
	for _, c := range s.config.Sessions {
		switch start, ok := s.starts[c.Name]; {
		case !ok:
			all = append(all, fmt.Sprintf("session %q never sleeps: %s", c.Name, cannotWake))
		case start.WorkDir == "":
			all = append(all, fmt.Sprintf("session %q has no work_dir: the runtime makes one, and what is in it is lost when it sleeps", c.Name))
		}
	}
	return all
}

const cannotWake = "it has no command in [session.start], so nothing could wake it"

// List gives the sessions of the config. What runs is asked once for all of them.
func (s *Sessions) List(ctx context.Context) ([]sleep.Entry, error) {
	h, err := s.runtime.Protocol(ctx)
	if op := (*rpp.OpError)(nil); errors.As(err, &op) {
		return nil, err // for now: to take it for "no capabilities" would say so of every session
	}
	entries := s.config.Entries(sleep.CapabilityOf(h.Capabilities)) // a malformed one declares nothing (RPP-6)
	running := s.list(ctx)
	for i := range entries {
		e := &entries[i]
		if _, ok := s.starts[e.Name]; !ok {
			e.Policy.Setting = sleep.Setting{Source: cannotWake}
		}
		if running != nil {
			e.Running = sleep.No
			if running[e.Name] {
				e.Running = sleep.Yes
			}
		}
	}
	return entries, nil
}

// list is nil where it cannot be told what runs: then each box is asked.
func (s *Sessions) list(ctx context.Context) map[string]bool {
	names, err := s.runtime.ListRunning(ctx, "")
	if err != nil || len(names) == 0 && s.listed.Load() == nil {
		return nil
	}
	running := make(map[string]bool, len(names))
	for _, n := range names {
		running[n] = true
	}
	s.listed.Store(&running)
	return running
}

// WakeReasons asks Reasons.
func (s *Sessions) WakeReasons(ctx context.Context, name string) ([]sleep.Reason, error) {
	if s.Reasons == nil {
		return nil, nil
	}
	return s.Reasons(ctx, name)
}

// Stop is the runtime's stop.
func (s *Sessions) Stop(ctx context.Context, name string) error {
	return session.Stop(ctx, s.runtime, name)
}

// Start starts the session as its [session.start] says.
func (s *Sessions) Start(ctx context.Context, name string, _ sleep.Reason) error {
	start, ok := s.starts[name]
	if !ok {
		return fmt.Errorf("session %q: %s", name, cannotWake)
	}
	o := session.Options{Runtime: s.runtime, Carrier: s.carrier, Name: name, Config: start}
	if s.Warn != nil {
		o.Warn = func(text string) { s.Warn(name, text) }
	}
	_, err := session.Start(ctx, o)
	if errors.Is(err, rpp.ErrExists) { // somebody was quicker, and left it up
		return nil
	}
	return err
}
